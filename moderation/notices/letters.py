"""Mails of moderation: about sanctions, acts on games, and decided reports."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.references import show_rows, show_text
from games.conduct import active_sanctions
from games.models import Notice, Sanction
from games.notices.letters import NoticeLetter, build_game_context, load_scene
from games.words.acts import format_act
from games.words.sanctions import APPEALS, SANCTIONS
from games.words.times import format_when_and_zone
from moderation.models import AppealOutcome, Incident, NameChange, Verdict
from moderation.words.reports import OUTCOMES


def compose_sanction_letter(notice: Notice) -> NoticeLetter:
    """Compose the mail about a sanction or the answer to an appeal, by its present state."""
    sanction = Sanction.objects.select_related("appeal").get(pk=notice.about["sanction"])
    write = {"imposed": _write_imposed, "lifted": _write_lifted, "answered": _write_answered}[
        notice.about["topic"]
    ]
    show_rows([sanction])
    subject, paragraphs = write(sanction)
    context = {"paragraphs": paragraphs, "board_url": active_sanctions.build_own_page_url()}
    return NoticeLetter(subject, context, thread=f"conduct.{sanction.pk}")


def _write_imposed(sanction: Sanction) -> tuple[str, list[str]]:
    paragraphs = [*sanction.paragraphs]
    if sanction.ends is not None:
        paragraphs.append(_("Until: {until}").format(until=format_when_and_zone(sanction.ends)))
    return sanction.heading, [*paragraphs, sanction.rule, str(APPEALS)]


def _write_lifted(sanction: Sanction) -> tuple[str, list[str]]:
    subject = str(SANCTIONS[sanction.kind].lifted).format(begun=format_when_and_zone(sanction.begun))
    return subject, [_("A moderator has lifted it.")]


def _write_answered(sanction: Sanction) -> tuple[str, list[str]]:
    appeal = sanction.appeal
    paragraphs = [appeal.verdict, show_text(appeal.answer)]
    if appeal.outcome == AppealOutcome.SHORTENED and sanction.ends is not None:
        paragraphs.append(_("Until: {until}").format(until=format_when_and_zone(sanction.ends)))
    return _("Your appeal has been answered"), paragraphs


def compose_act_letter(notice: Notice) -> NoticeLetter:
    """Compose the mail about an act on a game, the move with the notice's version; or about a change of the
    name, if the game has not begun."""
    if "change" in notice.about:
        return _write_renamed(notice)
    scene = load_scene(notice)
    move = notice.of_game.moves.get(version=notice.version)
    context = build_game_context(scene) | {
        "said": show_text(format_act(move.action, move.seat, scene.names)),
        "log_url": settings.SITE_URL + reverse("moderation:moderation", args=[notice.of_game.code]),
    }
    return NoticeLetter(_("A moderator has acted in {game}").format(game=notice.of_game.name), context)


def _write_renamed(notice: Notice) -> NoticeLetter:
    game, change = notice.of_game, NameChange.objects.get(pk=notice.about["change"])
    said = _("A moderator has renamed your table: it's now called {name}. Reason: {reason}")
    context = {
        "said": said.format(name=change.after, reason=show_text(change.reason)),
        "board_url": settings.SITE_URL + reverse("games:table", args=[game.code]),
    }
    return NoticeLetter(_("A moderator has renamed your table {game}").format(game=game.name), context)


def compose_decision_letter(notice: Notice) -> NoticeLetter | None:
    """Compose the mail that a report is decided, without the sanction; None if the incident is open again."""
    incident = Incident.objects.select_related("about", "game").get(pk=notice.about["incident"])
    if incident.closed is None:
        return None
    return NoticeLetter(
        _("Your report has been decided"),
        {
            "reported": _describe_report(incident),
            "outcome": str(OUTCOMES[_verdict_for(incident, notice)]),
            "board_url": settings.SITE_URL + reverse("games:home"),
        },
        thread=f"report.{incident.pk}",
    )


def _verdict_for(incident: Incident, notice: Notice) -> str:
    """The verdict on this reader's reports: upheld if any of them was; the incident's, if no report has one
    of its own."""
    own = set(incident.reports.filter(reporter=notice.recipient).values_list("verdict", flat=True)) - {""}
    if not own:
        return incident.verdict
    return next(verdict for verdict in Verdict.values if verdict in own)


def _describe_report(incident: Incident) -> str:
    name = incident.about.username
    if incident.game is None:
        return _("You reported {name}.").format(name=name)
    return _("You reported {name} in {game}.").format(name=name, game=incident.game.name)
