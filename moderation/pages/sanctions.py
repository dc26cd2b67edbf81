"""Pages of sanctions for moderators, with previews of new ones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from accounts.references import show_rows
from games.conduct.interests import find_recusal_from
from games.models import Game, Holiday, Sanction, SanctionKind, Seat, Status
from games.words.sanctions import RULES, TEMPLATES, format_verdict, list_paragraphs
from games.words.times import format_when
from moderation.acts import sanctions, warning_templates
from moderation.interests import find_recusal_from_appeal
from moderation.models import Appeal, ConductAct, Incident

NAMED = 12
"""Maximum number of games that a preview names."""


class Past(NamedTuple):
    """A sanction in a player's history."""

    said: str
    url: str
    who: str
    reason: str
    appealed: str  # empty without an appeal
    own_matter: bool


class Done(NamedTuple):
    """An entry of the log."""

    at: datetime
    who: str
    said: str
    why: str
    own_matter: bool


class SanctionCase(NamedTuple):
    """A sanction with all data needed to lift it, or to answer the appeal."""

    sanction: Sanction
    appeal: Appeal | None
    title: str
    paragraphs: tuple[str, ...]
    template: str  # name of the text
    log: tuple[Done, ...]
    may_lift: bool
    may_answer: bool
    overdue: bool
    verdict: str  # verdict of an answered appeal
    left: str  # reason why the viewer may not act, and others who may
    warning: str  # for an administrator who may act as nobody else can


class Imposing(NamedTuple):
    """Data shown to a moderator before they impose a sanction."""

    initial: dict[str, Any]  # of the form
    stands: str  # sanction of this kind in force
    refused: str  # reason why the moderator may not act, and others who may
    short: str  # the same if a sanction of a day is allowed
    warning: str  # for an administrator who may act as nobody else can
    reported: bool  # whether there is a report, which others find in their queue


class MayDo(NamedTuple):
    """A moderator's permissions to sanction a player, for the player's page."""

    anything: bool  # whether at least a day of mute or suspension is possible
    all: bool
    why_not: str


class Foreseen(NamedTuple):
    """Preview of a sanction: the text for its player, and its effects."""

    paragraphs: tuple[str, ...]
    effects: tuple[str, ...]


def build_case(pk: int, viewer: Player, now: datetime) -> SanctionCase | None:
    """The sanction with this number for *viewer*, a moderator; two queries besides those of ranks and shared
    interests."""
    found = Sanction.objects.select_related("player", "who", "lifted_by", "appeal__answered_by")
    sanction = found.filter(pk=pk).first()
    if sanction is None:
        return None
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    acts = show_rows(ConductAct.objects.filter(sanction=sanction).select_related("who"))
    show_rows([sanction] if appeal is None else [sanction, appeal])
    may = sanctions.may_reach(viewer, sanction.player)
    open_ = appeal is not None and appeal.answered is None
    counts = may and sanction.in_force(now)
    lifting = (
        find_recusal_from(viewer, sanction.player, opened=sanctions.find_case_opening(sanction))
        if counts
        else None
    )
    answering = find_recusal_from_appeal(viewer, appeal) if may and appeal is not None and open_ else None
    kept = [one for one in (lifting, answering) if one is not None]
    text = TEMPLATES.get(sanction.template)
    return SanctionCase(
        sanction=sanction,
        appeal=appeal,
        title=_describe_sanction(sanction, now),
        paragraphs=list_paragraphs(sanction.template, sanction.words, sanction.texts),
        template=str(text.title) if text else sanction.template,
        log=tuple(
            Done(act.at, act.who.username, act.get_kind_display(), act.why, bool(act.own_matter))
            for act in acts
        ),
        may_lift=counts and (lifting is None or lifting.may_act),
        may_answer=may
        and open_
        and sanction.who_id != viewer.pk
        and (answering is None or answering.may_act),
        overdue=appeal is not None and open_ and appeal.due < now,
        verdict=format_verdict(appeal.outcome) if appeal is not None and appeal.outcome else "",
        left=next((one.sentence for one in kept if not one.may_act), ""),
        warning=next((one.warning for one in kept if one.may_act), ""),
    )


def build_imposing(
    player: Player, viewer: Player, kind: SanctionKind, incident: Incident | None, now: datetime
) -> Imposing:
    """Return the data for *viewer*, a moderator, who is about to impose a sanction of this *kind* on
    *player*."""
    recused = sanctions.find_recusal(viewer, player, incident)
    kept = "" if recused is None or recused.may_act else recused.sentence
    known = sanctions.find_standing(player, kind, now)
    return Imposing(
        initial={
            "version": sanctions.load_version(player),
            "about": "" if incident is None else f"incident {incident.pk}",
            "incident": None if incident is None else incident.pk,
        },
        stands="" if known is None else sanctions.build_refusal(known).message,
        refused=kept if kind == SanctionKind.WARNING else "",
        short=kept if kind != SanctionKind.WARNING else "",
        warning=recused.warning if recused is not None and recused.may_act else "",
        reported=incident is not None and incident.closed is None,
    )


def find_permissions(viewer: Player, player: Player) -> MayDo:
    """Return the permissions of *viewer*, a moderator, to sanction *player* without a report."""
    if not sanctions.may_reach(viewer, player):
        return MayDo(anything=False, all=False, why_not="")
    recused = find_recusal_from(viewer, player)
    if recused is None:
        return MayDo(anything=True, all=True, why_not="")
    why = recused.warning if recused.may_act else recused.sentence
    return MayDo(anything=True, all=recused.may_act, why_not=why)


def preview_sanction(
    player: Player, kind: SanctionKind, template: str, words: str, ends: datetime | None, now: datetime
) -> Foreseen:
    """Preview a sanction of *player*; six queries at most."""
    paragraphs = [*list_paragraphs(template, words, warning_templates.load_texts(template))]
    if ends is not None:
        paragraphs.append(_("Until: {until}").format(until=format_when(ends)))
    paragraphs.append(str(RULES[kind]))
    return Foreseen(tuple(paragraphs), tuple(_effects(player, kind, now)))


def _effects(player: Player, kind: SanctionKind, now: datetime) -> Iterator[str]:
    if kind == SanctionKind.MUTE:
        yield _("Their games go on.")
        return
    waiting = _waiting_for(player)
    names = list(waiting.order_by("deadline").values_list("name", flat=True)[:NAMED])
    count = waiting.count() if len(names) == NAMED else len(names)
    if names:
        yield ngettext(
            "{n} game is waiting for them, with a running clock: {names}",
            "{n} games are waiting for them, with running clocks: {names}",
            count,
        ).format(n=count, names=", ".join(names))
    else:
        yield _("No games are waiting for them now.")
    if kind == SanctionKind.SUSPENSION:
        yield from _effects_of_suspension(player, now)


def _effects_of_suspension(player: Player, now: datetime) -> Iterator[str]:
    hosted = Game.objects.filter(host=player, status=Status.OPEN).count()
    yield ngettext(
        "{n} of their open tables is closed.", "{n} of their open tables are closed.", hosted
    ).format(n=hosted)
    seats = Seat.objects.filter(player=player, game__status=Status.OPEN).exclude(game__host=player).count()
    yield ngettext(
        "{n} seat at someone else's open table becomes free.",
        "{n} seats at other people's open tables become free.",
        seats,
    ).format(n=seats)
    to_come = Holiday.objects.filter(player=player, begin__gt=now).count()
    if to_come:
        yield ngettext(
            "{n} future holiday is cancelled.", "{n} future holidays are cancelled.", to_come
        ).format(n=to_come)


def _waiting_for(player: Player) -> QuerySet[Game]:
    return Game.objects.filter(
        status=Status.PLAYING, seats__player=player, seats__index=F("awaited"), seats__state="playing"
    )


def build_past(sanction: Sanction, now: datetime) -> Past:
    """Build a line from *sanction*, loaded with its appeal and moderator."""
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    appealed = ""
    if appeal is not None:
        appealed = format_verdict(appeal.outcome) if appeal.outcome else _("Appeal, not answered yet.")
    url = reverse("moderation:desk_sanction", args=[sanction.pk])
    own_matter: bool = sanction.own_matter  # type: ignore[attr-defined]
    return Past(
        _describe_sanction(sanction, now), url, sanction.who.username, sanction.reason, appealed, own_matter
    )


def _describe_sanction(sanction: Sanction, now: datetime) -> str:
    kind, begun = sanction.get_kind_display(), format_when(sanction.begun)
    if sanction.lifted is not None:
        return _("{kind}, {begun}: lifted").format(kind=kind, begun=begun)
    if sanction.ends is None and sanction.acknowledged is None:
        return _("{kind}, {begun}: not read yet").format(kind=kind, begun=begun)
    if sanction.ends is None:
        return _("{kind}, {begun}: read").format(kind=kind, begun=begun)
    if sanction.in_force(now):
        return _("{kind}, {begun}: until {ends}").format(
            kind=kind, begun=begun, ends=format_when(sanction.ends)
        )
    return _("{kind}, {begun}: ended {ends}").format(kind=kind, begun=begun, ends=format_when(sanction.ends))
