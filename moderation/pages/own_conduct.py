"""A player's own sanctions, and the line about them above their games."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show_rows
from games.conduct.active_sanctions import find_active
from games.models import Sanction, SanctionKind
from games.words.sanctions import RULES, format_heading, format_verdict, list_paragraphs
from games.words.times import format_when
from moderation.acts import sanctions
from moderation.models import Appeal


class OwnAppeal(NamedTuple):
    """Appeal for its writer."""

    words: str
    at: datetime
    due: datetime
    overdue: bool
    verdict: str  # empty until it is answered
    answer: str


class OwnSanction(NamedTuple):
    """Sanction for its player."""

    pk: int
    heading: str
    paragraphs: tuple[str, ...]
    rule: str  # its consequences while in force
    begun: datetime
    ends: datetime | None
    in_force: bool
    lifted: datetime | None
    unread: bool
    appeal: OwnAppeal | None
    appeal_until: datetime | None  # if an appeal is still possible


def load_own_sanctions(player: Player, now: datetime) -> tuple[OwnSanction, ...]:
    """Load all sanctions of *player*, the newest first; one query."""
    found = Sanction.objects.filter(player=player).select_related("appeal")
    read = show_rows(found)
    show_rows(one.appeal for one in read if hasattr(one, "appeal"))
    return tuple(_own(one, now) for one in read)


def build_conduct_line(player: Player, now: datetime) -> str:
    """Build the line that *player* must see before they act; empty for most. One query at most."""
    found = find_active(player, now)
    for one in found:
        if one.kind == SanctionKind.SUSPENSION and one.ends is not None:
            return _("Your account is suspended until {until}.").format(until=format_when(one.ends))
    for one in found:
        if one.kind == SanctionKind.WARNING:
            return _("A moderator has sent you a warning. Read it before you play on.")
    for one in found:
        if one.acknowledged is None and one.ends is not None:
            return _("You are muted until {until}.").format(until=format_when(one.ends))
    return ""


def _own(sanction: Sanction, now: datetime) -> OwnSanction:
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    counts = sanction.in_force(now)
    return OwnSanction(
        pk=sanction.pk,
        heading=format_heading(sanction.kind),
        paragraphs=list_paragraphs(sanction.template, sanction.words, sanction.texts),
        rule=str(RULES[sanction.kind]) if counts else "",
        begun=sanction.begun,
        ends=sanction.ends,
        in_force=counts,
        lifted=sanction.lifted,
        unread=counts and sanction.acknowledged is None,
        appeal=_own_appeal(appeal, now) if appeal is not None else None,
        appeal_until=(
            sanction.begun + sanctions.APPEAL_WITHIN
            if appeal is None and sanctions.may_appeal(sanction, now)
            else None
        ),
    )


def _own_appeal(appeal: Appeal, now: datetime) -> OwnAppeal:
    open_ = appeal.answered is None
    return OwnAppeal(
        appeal.words,
        appeal.at,
        appeal.due,
        open_ and appeal.due < now,
        "" if open_ else format_verdict(appeal.outcome),
        appeal.answer,
    )
