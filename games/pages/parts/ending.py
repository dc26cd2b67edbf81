"""The end of a game: who won, what decided it, the last board, the scores, and ways on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from games import words
from games.drawing.podium import PodiumPlace, draw_podium
from games.models import Game, Seat, Status
from games.pages.parts.last_board import LEAST_TILE, draw_last_board
from games.pages.parts.result import ResultWords, build_result, find_decisive_turn, tell_turning_point
from games.pages.parts.score_sheet import (
    ChartMark,
    build_sheet,
    draw_sheet_chart,
    list_scored,
    list_unplayed_scoring,
)
from games.pages.scene import Scene
from games.pages.scene.picture import Map
from games.selectors.moves import Stored
from games.selectors.rating_history import load_change
from games.tables.rematches import find_rematch_company
from games.words.grammar import format_ordinal
from games.words.turning_point import TurningPointWords
from ratings.models import RatingChange

COLUMNS: Mapping[str, Any] = {
    "city": pgettext_lazy("points for", "Cities"),
    "monastery": pgettext_lazy("points for", "Monasteries"),
    "road": pgettext_lazy("points for", "Roads"),
    "field": pgettext_lazy("points for", "Fields"),
}
"""Kinds of features with a column of their own; all others share one."""
OTHER = pgettext_lazy("points for", "Other")
"""The column of all other points: other features, cards, goods."""


TALL = 17
"""Number of rows from which on a phone needs the room of the podium for the board."""


Cell = tuple[int, bool]
"""A number of points, and whether nobody has more of the kind."""

ScoreRow = tuple[Seat, str, tuple[Cell, ...]]
"""A seat, its name, and its points by column; the last ones are all of them."""


class EndingPanel(NamedTuple):
    """The end of a game for its page."""

    podium: SafeString
    over: str  # that it is over, after how many turns
    result: ResultWords
    rating: RatingChange | None  # of the viewer
    turning_point: TurningPointWords | None
    turn_url: str  # of the turning point
    look: int | None  # of whose point it is
    map: Map
    columns: tuple[str, ...]  # kinds of features
    rows: tuple[ScoreRow, ...]  # by rank
    chart: SafeString
    scored: bool  # whether there was a final scoring
    may_rematch: bool
    opponent_has_left: bool  # and has no seat in a rematch
    rematch: Game | None  # one that was asked for
    rematch_host: str  # empty where the viewer sits there, or can't sit down any more

    @property
    def tall(self) -> bool:
        return self.map.height > TALL * LEAST_TILE


def build_ending(scene: Scene, moves: Sequence[Stored]) -> EndingPanel | None:
    """Build the end of a game from all its *moves*; ``None`` before that. One query for its rematch, one for
    a rating, and one if there is a rematch."""
    game = scene.game
    if not game.ended:
        return None
    scored = [(move["ply"], move["events"]) for move in moves] + list(list_unplayed_scoring(scene))
    point = find_decisive_turn(scene, scored)
    told = tell_turning_point(scene, point)
    sheet = build_sheet(scored, scene.seats)
    mark = ChartMark(point.turn, _("turn {n}").format(n=point.turn)) if point else None
    seated = scene.me is not None and game.started is not None
    company = find_rematch_company(scene.seats, None if scene.me is None else scene.me.player_id)
    rematch, host = _find_rematch(scene)
    columns, rows = _build_table(scene, scored)
    return EndingPanel(
        podium=_draw_podium(scene),
        over=_say_that_it_is_over(game),
        result=build_result(scene),
        rating=_load_rating(scene),
        turning_point=told,
        turn_url=scene.urls.ply(point.turn) if point else "",
        look=scene.looks[point.scorer] if point else None,
        map=draw_last_board(scene, point, told),
        columns=columns,
        rows=rows,
        chart=draw_sheet_chart(sheet, scene.seats, game.ply, mark=mark, low=True),
        scored=any(part.ply is None for part in sheet.parts),
        may_rematch=seated and (company.possible or rematch is not None),
        opponent_has_left=seated and company.incomplete,
        rematch=rematch,
        rematch_host=host,
    )


def _say_that_it_is_over(game: Game) -> str:
    """Return how many turns the game took."""
    return words.format_turns_played(
        game.ply, (game.finished or game.created) - (game.started or game.created)
    )


def _sort_by_rank(seats: Iterable[Seat]) -> list[Seat]:
    return sorted(seats, key=lambda seat: (seat.counted_rank or 0, seat.index))


def _draw_podium(scene: Scene) -> SafeString:
    seats = _sort_by_rank(scene.seats)
    said = ", ".join(
        _("{rank}: {player}").format(rank=format_ordinal(seat.counted_rank), player=scene.names[seat.index])
        for seat in seats
        if seat.counted_rank
    )
    drawn = draw_podium([PodiumPlace(seat.look, seat.counted_rank) for seat in seats], title=said)
    return mark_safe(drawn)  # the drawing escapes what it is given


def _load_rating(scene: Scene) -> RatingChange | None:
    """Return what the game did to the viewer's rating, once that is known; no query for unrated games."""
    if scene.me is None or scene.me.player is None or not scene.game.rated:
        return None
    return load_change(scene.me.player, scene.game)


def _find_rematch(scene: Scene) -> tuple[Game | None, str]:
    """Return the table of the rematch, and its host if the viewer can join it."""
    game = scene.game.rematches.exclude(status=Status.ABORTED).select_related("host").first()
    if game is None or scene.me is None or game.status != Status.OPEN or game.host is None:
        return game, ""
    return game, "" if game.seats.filter(player=scene.viewer.pk).exists() else str(game.host)


def _build_table(
    scene: Scene, moves: Sequence[tuple[int | None, Any]]
) -> tuple[tuple[str, ...], tuple[ScoreRow, ...]]:
    kinds: dict[str, Counter[int]] = {}
    for _ply, events in moves:
        for scored in list_scored(events):
            kind = scored.on if scored.on in COLUMNS else ""
            kinds.setdefault(kind, Counter())[scored.seat] += scored.points
    shown = [kind for kind in (*COLUMNS, "") if kind in kinds]
    columns = [*(kinds[kind] for kind in shown), Counter({seat.index: seat.score for seat in scene.seats})]
    best = [max(points.values()) for points in columns]
    rows = tuple(
        (
            seat,
            scene.names[seat.index],
            tuple(
                (points[seat.index], points[seat.index] == most)
                for points, most in zip(columns, best, strict=True)
            ),
        )
        for seat in _sort_by_rank(scene.seats)
    )
    return tuple(str(COLUMNS.get(kind, OTHER)) for kind in shown), rows
