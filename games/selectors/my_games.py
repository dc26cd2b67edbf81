"""All that goes on for a player: what they play, are invited to, wait for, and have just finished."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Q

from accounts.models import Player
from games.models import Game, Invitation, Status
from games.selectors import waiting
from games.selectors.lists import ON_A_PAGE, PENDING, SEATED, GameLine, lines_of
from games.tables import visits

MOST_FINISHED = 5


@dataclass(frozen=True, slots=True)
class MyGames:
    """One page of all that goes on for a player, most urgent first."""

    page: Page[int]  # of the longest part
    turns: int  # theirs to play, on all pages
    others: int  # that wait for others, on all pages
    invited: int  # invitations, on all pages
    turn: list[GameLine] = field(default_factory=list)  # theirs to play
    waiting: list[GameLine] = field(default_factory=list)  # for another seat, or for the final scoring
    invitations: list[Invitation] = field(default_factory=list)
    open: list[GameLine] = field(default_factory=list)  # tables not yet full
    finished: list[GameLine] = field(default_factory=list)  # lately
    followed: list[GameLine] = field(default_factory=list)  # games of others, that have just ended too

    @property
    def idle(self) -> bool:
        """Whether nothing is played, and no table waits for players."""
        return not (self.turn or self.waiting or self.open)

    @property
    def empty(self) -> bool:
        return self.idle and not (self.invitations or self.finished or self.followed)


def my_games(player: Player, now: datetime, number: str | int | None = None) -> MyGames:
    """What *player* plays, is invited to, waits for, and has just finished: the page called *number*.

    Every part of the list goes on from page to page, and the longest one says how many there are. A page that
    isn't there is the first or the last one.
    """
    parts = waiting.parts_of_my_games(player, now)
    running = parts.turn + parts.waiting
    page = Paginator(max(running, parts.invited, parts.open, parts.followed, key=len), ON_A_PAGE).get_page(
        number
    )
    here = slice((page.number - 1) * ON_A_PAGE, page.number * ON_A_PAGE)
    invited, tables = parts.invited[here], parts.open[here]
    shown = running[here] + tables + parts.finished[:MOST_FINISHED][here] + parts.followed[here]
    games = visits.with_news(Game.objects.filter(pk__in=shown), player).prefetch_related(SEATED)
    pending = (
        PENDING.filter(Q(pk__in=invited) | Q(game__in=tables))
        .select_related("game", "inviter", "player")
        .order_by("created")
    )
    lines = {line.game.pk: line for line in lines_of(games, player, now, pending)}
    mine = MyGames(
        page,
        turns=len(parts.turn),
        others=len(parts.waiting),
        invited=len(parts.invited),
        invitations=[one for one in pending if one.pk in invited],
    )
    for line in (lines[pk] for pk in shown):
        game = line.game
        if line.mine is None:
            mine.followed.append(line)
        elif game.status == Status.OPEN:
            mine.open.append(line)
        elif game.ended:
            mine.finished.append(line)
        else:
            (mine.turn if line.my_turn else mine.waiting).append(line)
    return mine
