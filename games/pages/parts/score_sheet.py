"""The score sheet: where every point of a game came from, turn by turn and by kind of feature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games import words
from games.drawing.chart import LOW, ChartMark, ScoreSeries, draw_score_chart
from games.models import Ending, Seat
from games.pages.scene import Scene
from games.play.hard_ends import finish_as_it_stands
from games.rules import Scored, event_from_json, event_to_json, get_scored_spot
from games.selectors.seats import list_seat_names

Moves = Iterable[tuple[int | None, Sequence[Mapping[str, Any]]]]
"""The moves of a game, oldest first: ply and stored events."""


ScoringLine = tuple[Seat, str, Scored, int]
"""The seat with its player's name, the scoring, and the score after it."""


class TurnScore(NamedTuple):
    """The score of a seat after a turn, and what the turn brought."""

    total: int
    gained: int


class SheetPart(NamedTuple):
    """The scorings of one turn, or of the end of the game (``ply`` is ``None``), and the scores after it."""

    ply: int | None
    heading: str
    lines: tuple[ScoringLine, ...]
    scores: tuple[TurnScore, ...]  # by seat


class Sheet(NamedTuple):
    parts: tuple[SheetPart, ...]
    kinds: tuple[tuple[str, tuple[int, ...]], ...]  # the points of each seat for a kind of feature
    totals: tuple[int, ...]

    def of(self, seat: int) -> Sheet:
        """The sheet with the turns of one *seat* alone."""
        parts = (
            part._replace(lines=tuple(line for line in part.lines if line[0].index == seat))
            for part in self.parts
        )
        return self._replace(parts=tuple(part for part in parts if part.lines))


def list_scored(events: Iterable[Mapping[str, Any]]) -> list[Scored]:
    """The scorings among stored *events*."""
    return [event for event in map(event_from_json, events) if isinstance(event, Scored)]


def build_sheet(moves: Moves, seats: Sequence[Seat]) -> Sheet:
    """The sheet of a game from its *moves*."""
    totals = [0] * len(seats)
    names = list_seat_names(seats)
    by_kind: dict[str, Counter[int]] = {}
    parts = []
    for ply, events in moves:
        before = tuple(totals)
        lines = []
        for scored in list_scored(events):
            totals[scored.seat] += scored.points
            by_kind.setdefault(scored.on, Counter())[scored.seat] += scored.points
            lines.append((seats[scored.seat], names[scored.seat], scored, totals[scored.seat]))
        if lines:
            heading = _("End of the game") if ply is None else _("Turn {n}").format(n=ply)
            cells = tuple(TurnScore(now, now - then) for now, then in zip(totals, before, strict=True))
            parts.append(SheetPart(ply, heading, tuple(lines), cells))
    kinds = tuple(
        (words.name_kind(kind), tuple(by_kind[kind][seat] for seat in range(len(seats))))
        for kind in words.KINDS
        if kind in by_kind
    )
    return Sheet(tuple(parts), kinds, tuple(totals))


def load_sheet(scene: Scene) -> Sheet:
    """Load the sheet of the game of *scene*."""
    moves = scene.game.moves.in_force().order_by("version").values_list("ply", "events")
    return build_sheet([*moves, *list_unplayed_scoring(scene)], scene.seats)


def list_unplayed_scoring(scene: Scene) -> Moves:
    """List the final scoring of a game whose board was scored at its hard end, which is no move; empty for
    other games."""
    if scene.game.ending != Ending.SCORED:
        return []
    played = finish_as_it_stands(scene.played).played[len(scene.played.played) :]
    return [(None, [event_to_json(event) for ply in played for event in ply.events])]


def format_scored_place(scored: Scored) -> str:
    """Return where the feature of a scoring lies; empty for what is no feature."""
    return "" if get_scored_spot(scored) is None else words.name_cell(scored.x, scored.y)


def draw_sheet_chart(
    whole: Sheet, seats: Sequence[Seat], plies: int, *, mark: ChartMark | None = None, low: bool = False
) -> SafeString:
    """The scores over the *plies* of a game as an SVG, with *mark* at its turn; empty while nobody has any
    point. A *low* one leaves room for more."""
    if not any(whole.totals):
        return SafeString()
    names = list_seat_names(seats)
    ended = any(part.ply is None for part in whole.parts)
    end = plies + max(1, plies // 12) if ended else 0
    series = [
        ScoreSeries(
            names[seat.index],
            seat.look,
            tuple(
                (end if part.ply is None else part.ply, cell.total, _point(names[seat.index], part, cell))
                for part in whole.parts
                if (cell := part.scores[seat.index]).gained
            ),
        )
        for seat in seats
    ]
    said = ", ".join(
        _("{player}: {points}").format(player=name, points=words.format_points(total))
        for name, total in zip(names, whole.totals, strict=True)
    )
    title = _("The scores turn by turn")
    size = {"height": LOW} if low else {}
    drawn = draw_score_chart(
        series, plies, title=title, description=said, axis=_("Turn"), end=end, mark=mark, **size
    )
    return mark_safe(drawn)  # the drawing escapes what it is given


def _point(player: str, part: SheetPart, cell: TurnScore) -> str:
    """Such as "Turn 12, Anna: 23 (+8)"."""
    return _("{turn}, {player}: {score} (+{gained})").format(
        turn=part.heading, player=player, score=cell.total, gained=cell.gained
    )
