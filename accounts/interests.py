"""Interests that keep staff from deciding in their own matters.

``accounts`` knows nothing of games: other applications add shared interests through
``accounts.hooks.INTERESTS``. Every act of staff on a person calls :func:`find_recusal`.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.backends import ModelBackend
from django.utils.translation import gettext as _

from accounts import hooks
from accounts.models import Player
from accounts.ranks import Rank, load_rank, load_ranks, outranks

CHANGE = "accounts.change_player"
"""Permission to act on accounts."""


class Interest(NamedTuple):
    """Something that a member of *staff* shares with a *player*, both by primary key.

    *why* is a sentence for the member of staff; empty if it would reveal who has reported them. *since* is
    ``None`` if the interest counts however late it arose.
    """

    staff: int
    player: int
    why: str
    since: datetime | None

    def counts(self, opened: datetime | None) -> bool:
        """Return whether the interest is as old as a case *opened* then; ``None`` is a case opened now."""
        return opened is None or self.since is None or self.since <= opened


def find_interests(staff: Collection[int], players: Collection[int]) -> list[Interest]:
    """Return all interests that any of *staff* shares with any of *players*."""
    if not staff or not players:
        return []
    interests = (interest for source in hooks.INTERESTS for interest in source(staff, players))
    return [interest for interest in interests if interest.staff != interest.player]


def find_shared_interest(who: Player, player: Player, *, opened: datetime | None = None) -> Interest | None:
    """Return an interest that keeps *who* from deciding about *player*, or ``None``.

    One that arose after the case was *opened* doesn't count, so that nobody disables a moderator by sitting
    down beside them or by reporting them.
    """
    shared = find_interests([who.pk], [player.pk])
    return next((interest for interest in shared if interest.counts(opened)), None)


class Recusal(NamedTuple):
    """Reason why a member of staff must leave a case to others."""

    why: str
    others: tuple[Player, ...]  # others who can decide instead
    may_act: bool  # an administrator, as nobody else can; it is marked in the log

    @property
    def sentence(self) -> str:
        """The refusal, in the reader's language."""
        why = self.why or _("You can't decide this one.")
        if self.others:
            names = ", ".join(other.username for other in self.others)
            return _("{why} Someone else has to: {names}.").format(why=why, names=names)
        return _("{why} No one else can right now, either.").format(why=why)

    @property
    def warning(self) -> str:
        """The warning for those who may act nevertheless."""
        why = self.why or _("You can't decide this one.")
        return _("{why} Since nobody else can, you may. The log will mark it as your own matter.").format(
            why=why
        )


def find_recusal(
    who: Player,
    player: Player,
    *,
    permission: str,
    opened: datetime | None = None,
    concerned: Collection[int] = (),
) -> Recusal | None:
    """Return why *who* must leave *player* to others with that *permission*, without the *concerned* (keys);
    ``None`` if they needn't."""
    interest = find_shared_interest(who, player, opened=opened)
    if interest is None:
        return None
    return build_recusal(who, player, interest.why, permission=permission, opened=opened, concerned=concerned)


def build_recusal(
    who: Player,
    player: Player,
    why: str,
    *,
    permission: str,
    opened: datetime | None = None,
    concerned: Collection[int] = (),
) -> Recusal:
    """Build a recusal with those who can decide about *player* instead, without the *concerned* (keys)."""
    others = [holder for holder in holders_above(player, permission) if holder.pk != who.pk]
    shared = find_interests([other.pk for other in others], [player.pk])
    kept_away = {interest.staff for interest in shared if interest.counts(opened)} | set(concerned)
    free = [other for other in others if other.pk not in kept_away]
    if free:
        return Recusal(why, tuple(free), may_act=False)
    ranks = load_ranks(others)
    last_resort = [other for other in others if ranks[other.pk] >= Rank.ADMINISTRATOR]
    return Recusal(why, tuple(last_resort), may_act=load_rank(who) >= Rank.ADMINISTRATOR)


def holders_above(player: Player, permission: str) -> list[Player]:
    """Return the active staff with that *permission* who outrank *player*, by name."""
    staff = list_permission_holders(permission)
    ranks, rank = load_ranks(staff), load_rank(player)
    return [member for member in staff if member.pk != player.pk and outranks(ranks[member.pk], rank)]


def list_permission_holders(permission: str) -> list[Player]:
    """Return the active staff with that *permission*, by name; one query."""
    holders = ModelBackend().with_perm(permission).filter(is_staff=True, is_bot=False)
    return list(holders.order_by("username"))
