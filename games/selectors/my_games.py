"""A player's own games and invitations."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from games.models import Game, Invitation, Seat, Status
from games.selectors import waiting
from games.selectors.lists import (
    NOT_LISTED,
    NOT_LISTED_OF_BEGUN,
    ON_A_PAGE,
    annotate_hard_end,
    seat_players,
)
from games.selectors.pending_invitations import PendingInvitation, read_pending
from games.tables import visits

MOST_FINISHED = 5
MANY = 8
"""Number of games under way above which the page offers to choose and sort them."""


class Sort(models.TextChoices):
    """The order in which games under way are listed."""

    URGENT = "urgent", _("least time left first")
    LATEST = "latest", _("latest turn first")
    NAME = "name", _("by name")


class WantedGames(NamedTuple):
    """A player's filter and order for running games."""

    text: str = ""  # in the name of the game, or of one who plays
    set: str = ""
    sort: Sort = Sort.URGENT

    @property
    def all(self) -> bool:
        """Return whether the filter is empty."""
        return not self.text and not self.set


EVERYTHING = WantedGames()


@dataclass(frozen=True, slots=True)
class MyGames:
    """One page of a player's games and invitations, most urgent first."""

    page: Page[int]  # of the longest part
    turns: int  # theirs to play, wanted or not
    to_play: int  # those of them that are wanted, on all pages
    others: int  # that wait for others, on all pages
    invited: int  # invitations, on all pages
    hidden: int  # games under way that are not wanted
    many: bool  # whether it is worth choosing among them
    turn: list[Game] = field(default_factory=list)  # theirs to play
    waiting: list[Game] = field(default_factory=list)  # for another seat, or for the final scoring
    lost: list[Game] = field(default_factory=list)  # where the bot stands in for them
    invitations: list[Invitation] = field(default_factory=list)
    open: list[Game] = field(default_factory=list)  # tables not yet full
    finished: list[Game] = field(default_factory=list)  # lately
    followed: list[Game] = field(default_factory=list)  # games of others, that have just ended too
    asked: list[PendingInvitation] = field(default_factory=list)  # invitations elsewhere, on the first page

    @property
    def idle(self) -> bool:
        """Return whether there are no running games and no open tables."""
        return not (self.turn or self.waiting or self.open or self.hidden or self.lost)

    @property
    def empty(self) -> bool:
        return self.idle and not (self.invitations or self.asked or self.finished or self.followed)


def load_my_games(
    player: Player,
    now: datetime,
    number: str | int | None = None,
    wanted: WantedGames = EVERYTHING,
    parts: waiting.Parts | None = None,
) -> MyGames:
    """Return the page *number* of *player*'s games and invitations.

    Running games are filtered by *wanted*. *parts* are loaded unless given. Every part is paged, and the
    longest determines the number of pages. Numbers out of range give the first or the last page.
    """
    parts = parts or load_parts(player, now, wanted)
    turn, others = parts.turn, parts.waiting
    if wanted != EVERYTHING:
        keys = _list_chosen_games(player, parts, wanted)
        mine_to_play = set(turn)
        turn = [pk for pk in keys if pk in mine_to_play]
        others = [pk for pk in keys if pk not in mine_to_play]
    running = turn + others
    page = Paginator(
        max(running, parts.lost, parts.invited, parts.open, parts.followed, key=len), ON_A_PAGE
    ).get_page(number)
    here = slice((page.number - 1) * ON_A_PAGE, page.number * ON_A_PAGE)
    invited = parts.invited[here]
    over = parts.finished[:MOST_FINISHED][here]
    shown = parts.lost[here] + running[here] + parts.open[here] + over + parts.followed[here]
    unused = NOT_LISTED if parts.open[here] else NOT_LISTED_OF_BEGUN
    games = annotate_hard_end(Game.objects.filter(pk__in=shown).defer(*unused))
    games = visits.annotate_news(games, player)
    invitations = Invitation.objects.filter(pk__in=invited).select_related("game", "inviter")
    listed = {game.pk: game for game in seat_players(games, player)}
    mine = MyGames(
        page,
        turns=len(parts.turn),
        to_play=len(turn),
        others=len(others),
        invited=len(parts.invited) + len(parts.asked),
        hidden=len(parts.turn) + len(parts.waiting) - len(running),
        many=len(parts.turn) + len(parts.waiting) > MANY,
        invitations=list(invitations.order_by("created")) if invited else [],
        asked=read_pending(parts.asked) if page.number == 1 else [],
    )
    for game in (listed[pk] for pk in shown):
        if game.own_seat is None:
            mine.followed.append(game)
        elif game.status == Status.OPEN:
            mine.open.append(game)
        elif game.ended:
            mine.finished.append(game)
        elif game.own_seat.offered:
            mine.lost.append(game)
        else:
            (mine.turn if game.is_own_turn else mine.waiting).append(game)
    return mine


def load_parts(player: Player, now: datetime, wanted: WantedGames) -> waiting.Parts:
    """Load *player*'s games and invitations in the order *wanted*."""
    return waiting.load_parts_of_my_games(player, now, wanted.sort == Sort.LATEST)


def _list_chosen_games(player: Player, parts: waiting.Parts, wanted: WantedGames) -> list[int]:
    """Return the primary keys of running games in *parts* that match *wanted*. One query each for opponents'
    names and for sets; sorted by name if wanted, else as in *parts*."""
    keys = parts.turn + parts.waiting
    names = {pk: fold_text(parts.names.get(pk, "")) for pk in keys}
    text = fold_text(wanted.text)
    if text not in fold_text(player.username) and any(text not in name for name in names.values()):
        with_them = _games_with(player, text)
        keys = [pk for pk in keys if text in names[pk] or pk in with_them]
    if wanted.set:
        of_set = _games_of_set(player, wanted.set)
        keys = [pk for pk in keys if pk in of_set]
    if wanted.sort == Sort.NAME:
        keys.sort(key=lambda pk: (names[pk], pk))
    return keys


def _games_of_set(player: Player, name: str) -> set[int]:
    """The games, by primary key, that *player* plays with the set called *name*; one query."""
    here = Game.objects.filter(seats__player=player, seats__ended=None).values_list("pk", "rule_set__sets")
    return {pk for pk, sets in here if name in sets}


def _games_with(player: Player, text: str) -> set[int]:
    """The games, by primary key, that *player* plays with somebody in whose name *text* is; one query."""
    here = Seat.objects.filter(player=player, ended=None).values("game")
    others = Seat.objects.filter(game__in=here, player__isnull=False).exclude(player=player).order_by()
    return {pk for pk, name in others.values_list("game", "player__username") if text in fold_text(name)}


@lru_cache(maxsize=20_000)
def fold_text(text: str) -> str:
    """Fold *text* for searching: without capitals and accents.

    >>> fold_text("Pézenas"), fold_text("ŁÓDŹ")
    ('pezenas', 'łodz')
    """
    plain = text.casefold()
    if plain.isascii():
        return plain
    letters = unicodedata.normalize("NFKD", plain)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
