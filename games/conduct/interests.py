"""Interests that two people share at tables and in reports, so that neither judges the other.

The predicate itself is ``accounts.interests.find_shared_interest``, as acts on accounts ask it, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.interests import Interest, Recusal, find_recusal
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


def find_recusal_from(who: Player, player: Player, *, opened: datetime | None = None) -> Recusal | None:
    """Return why the moderator *who* must leave *player*'s case, *opened* then, to others; else ``None``."""
    return find_recusal(who, player, permission=access.MODERATE, opened=opened)


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


def check_impartiality(who: Player, players: Iterable[Player], *, opened: datetime | None) -> bool:
    """Return whether an act that judges *players*, in a case *opened* then, is in the moderator's own matter.

    :raises Recused: *who* shares an interest with one of them, and somebody else can do it
    """
    return any([must_be_impartial(find_recusal_from(who, player, opened=opened)) for player in players])
