"""Mails about a warning, a mute or a suspension of their reader."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.references import show_text
from games.conduct import active_sanctions
from games.models import Notice, Sanction
from games.notices.letters import NoticeLetter
from games.words.sanctions import APPEALS, RULES, format_heading, format_verdict, format_when, list_paragraphs
from moderation.models import AppealOutcome


def compose_sanction_letter(notice: Notice) -> NoticeLetter:
    """The mail that something is imposed or lifted, or that an appeal is answered, as it stands now."""
    sanction = Sanction.objects.select_related("appeal").get(pk=notice.about["sanction"])
    write = {"imposed": _write_imposed, "lifted": _write_lifted, "answered": _write_answered}[
        notice.about["topic"]
    ]
    subject, paragraphs = write(sanction)
    context = {"paragraphs": paragraphs, "board_url": active_sanctions.build_own_page_url()}
    return NoticeLetter(subject, context, thread=f"conduct.{sanction.pk}")


def _write_imposed(sanction: Sanction) -> tuple[str, list[str]]:
    paragraphs = [*list_paragraphs(sanction.template, show_text(sanction.words), sanction.texts)]
    if sanction.ends is not None:
        paragraphs.append(_("Until: {until}").format(until=format_when(sanction.ends)))
    return format_heading(sanction.kind), [*paragraphs, str(RULES[sanction.kind]), str(APPEALS)]


def _write_lifted(sanction: Sanction) -> tuple[str, list[str]]:
    begun = format_when(sanction.begun)
    subjects = {
        "warning": _("Your warning of {begun} has been lifted"),
        "mute": _("You're no longer muted"),
        "suspension": _("Your account is no longer suspended"),
    }
    return subjects[sanction.kind].format(begun=begun), [_("A moderator has lifted it.")]


def _write_answered(sanction: Sanction) -> tuple[str, list[str]]:
    appeal = sanction.appeal
    paragraphs = [format_verdict(appeal.outcome), show_text(appeal.answer)]
    if appeal.outcome == AppealOutcome.SHORTENED and sanction.ends is not None:
        paragraphs.append(_("Until: {until}").format(until=format_when(sanction.ends)))
    return _("Your appeal has been answered"), paragraphs
