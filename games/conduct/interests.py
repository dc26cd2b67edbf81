"""Interests that two people share at tables and in reports, so that neither judges the other.

The predicate itself is ``accounts.interests.find_shared_interest``, as acts on accounts ask it, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.interests import Interest, Recusal, build_recusal, find_interests, find_recusal
from accounts.models import Player
from games import access
from games.exceptions import Refused
from games.models import Move, Seat, Status

RUNNING = (Status.PLAYING, Status.SCORING)


def find_shared_games(staff: Collection[int], players: Collection[int]) -> Iterable[Interest]:
    """Yield the running games in which both sit, since the later of them sat down; two queries at most."""
    pairs = list(
        Seat.objects.filter(
            player__in=players, ended=None, game__status__in=RUNNING, game__seats__player__in=staff
        ).values_list(
            "game", "game__name", "game__started", "player", "player__username", "game__seats__player"
        )
    )
    came = _later_arrivals({row[0] for row in pairs if row[3] != row[5]})
    for game, table, started, player, name, member in pairs:
        assert started is not None  # it runs
        since = max(started, *(came.get((game, one), started) for one in (player, member)))
        why = _("You and {name} are playing each other in “{game}”.").format(name=name, game=table)
        yield Interest(member, player, why, since)


def _later_arrivals(games: Collection[int]) -> Mapping[tuple[int, int], datetime]:
    """The times at which players took over a seat, by game and player."""
    if not games:
        return {}
    moves = Move.objects.filter(game__in=games, action__has_key="came").order_by("version")
    return {(game, action["came"]): at for game, action, at in moves.values_list("game", "action", "at")}


def find_recusal_from(
    who: Player, player: Player, *, opened: datetime | None = None, concerned: Collection[int] = ()
) -> Recusal | None:
    """Return why the moderator *who* must leave *player*'s case, *opened* then, to others, without the
    *concerned* (keys); else ``None``."""
    return find_recusal(who, player, permission=access.MODERATE, opened=opened, concerned=concerned)


class TableRecusal(NamedTuple):
    """Reason why a moderator leaves a game to others: an interest shared with *players* there."""

    recusal: Recusal
    players: tuple[Player, ...]


def find_recusal_from_table(
    who: Player, people: Collection[Player], *, opened: datetime | None
) -> TableRecusal | None:
    """Return why *who* must leave a game of *people*, in a case *opened* then, to others; else ``None``.

    The others named share an interest with none of *people*.
    """
    there = {player.pk: player for player in people}
    own = [interest for interest in find_interests([who.pk], there) if interest.counts(opened)]
    if not own:
        return None
    staff = {moderator.pk for moderator in access.list_moderators()}
    concerned = {
        interest.staff for interest in find_interests(staff, there) if interest.counts(opened)
    } | staff & set(there)
    recusal = build_recusal(
        who,
        there[own[0].player],
        own[0].why,
        permission=access.MODERATE,
        opened=opened,
        concerned=concerned,
    )
    return TableRecusal(recusal, tuple(there[key] for key in sorted({interest.player for interest in own})))


def must_be_impartial(recused: Recusal | None) -> bool:
    """Return whether an act is in the moderator's own matter, allowed because nobody else can do it.

    :raises Recused: somebody else can
    """
    if recused is None:
        return False
    if not recused.may_act:
        raise Recused(recused)
    return True


class Recused(Refused):
    """Refusal because a member of the staff must leave the act to others, whom the message names."""

    def __init__(self, recusal: Recusal) -> None:
        super().__init__("recused")
        self.recusal = recusal

    @property
    def message(self) -> str:
        return self.recusal.sentence
