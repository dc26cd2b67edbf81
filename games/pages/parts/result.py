"""The result of a game that is over, in words: who won, by how much, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Ending, Seat, SeatState, Status
from games.pages.parts.score_sheet import Moves
from games.pages.parts.story import LEFT_ALONE, format_result
from games.pages.scene import Scene
from games.rules import event_from_json
from games.rules.turning_point import TurningPoint, find_turning_point
from games.selectors.contests import ContestVerdict
from games.words.turning_point import TurningPointWords, format_turning_point

NO_BREAK = "\N{NO-BREAK SPACE}"

LEFT: Mapping[str, tuple[SeatState, Any, Any]] = {
    Ending.RESIGNED: (
        SeatState.RESIGNED,
        gettext_lazy("You resigned."),
        gettext_lazy("{players} resigned."),
    ),
    Ending.TIME_OUT: (
        SeatState.TIMED_OUT,
        gettext_lazy("You ran out of time."),
        gettext_lazy("{players} ran out of time."),
    ),
}
"""The state of the seats that left, and the sentence about them, by the ending that this brought."""


class ResultWords(NamedTuple):
    """The result in one line, and a second one with the others' points or the reason."""

    heading: str
    remark: str

    @property
    def text(self) -> str:
        """Both as sentences, for mails."""
        said = (self.heading, self.remark.removesuffix("."))
        return " ".join(f"{line}." for line in said if line).replace(NO_BREAK, " ")


def build_result(scene: Scene) -> ResultWords:
    """Tell the viewer of *scene* how the game, which has ended, ended."""
    game = scene.game
    names = scene.names
    if scene.overruled is not None:
        return ResultWords(_say_verdict(scene, scene.overruled), "")
    winners = [seat for seat in scene.seats if seat.rank == 1]
    others = sorted((seat for seat in scene.seats if seat.rank and seat.rank > 1), key=_get_rank)
    if game.status == Status.ABORTED or not winners:
        return ResultWords(_("{game} ended early").format(game=game.name), format_result(scene))
    if game.ending in LEFT_ALONE:
        return ResultWords(_say_who_won(winners, scene.me, names), _explain_decision(scene, winners, names))
    theirs = get_text_list([_format_points_of(seat, scene.me, names) for seat in others], _("and"))
    if len(winners) > 1:
        drew = _format_draw(winners, scene.me, names, points=winners[0].score)
        return ResultWords(drew, _("ahead of {others}").format(others=theirs) if theirs else "")
    (winner,) = winners
    margin = winner.score - max((seat.score for seat in others if seat.rank == 2), default=0)
    heading = _say_who_won(winners, scene.me, names, by=margin)
    remark = _("{points} to {others}").format(points=winner.score, others=theirs) if theirs else ""
    return ResultWords(heading, remark)


def _say_verdict(scene: Scene, verdict: ContestVerdict) -> str:
    """Say who has won by the *verdict* of the game's contest."""
    if not verdict.decided:
        return _("Not decided yet")
    winners = [seat for seat in scene.seats if seat.counted_rank == 1]
    return _say_who_won(winners, scene.me, scene.names) if winners else _("Nobody won")


def _get_rank(seat: Seat) -> int:
    return seat.rank or 0


def _say_who_won(winners: Sequence[Seat], me: Seat | None, names: Sequence[str], *, by: int = 0) -> str:
    """Say who won, if so by so many points."""
    if len(winners) > 1:
        return _format_draw(winners, me, names)
    (winner,) = winners
    player = names[winner.index]
    if by > 0 and winner == me:
        return ngettext("You won by {n} point", "You won by {n} points", by).format(n=by)
    if by > 0:
        said = ngettext("{player} won by {n} point", "{player} won by {n} points", by)
        return said.format(player=player, n=by)
    return _("You won") if winner == me else _("{player} won").format(player=player)


def _format_draw(
    winners: Sequence[Seat], me: Seat | None, names: Sequence[str], *, points: int | None = None
) -> str:
    rest = get_text_list([names[seat.index] for seat in winners if seat != me], _("and"))
    if me in winners:
        said = _("You and {players} drew") if points is None else _("You and {players} drew at {n}")
    else:
        said = _("{players} drew") if points is None else _("{players} drew at {n}")
    return said.format(players=rest, n=points)


def _format_points_of(seat: Seat, me: Seat | None, names: Sequence[str]) -> str:
    said = _("your {points}") if seat == me else _("{player}'s {points}")
    return said.replace(" ", NO_BREAK).format(player=names[seat.index], points=seat.score)


def _explain_decision(scene: Scene, winners: Sequence[Seat], names: Sequence[str]) -> str:
    """Say what decided the game in place of points."""
    ending = Ending(scene.game.ending)
    if ending == Ending.DECIDED:
        return _("A moderator decided the result.")
    if ending == Ending.HARD_END:
        if len(winners) > 1:
            return _("Time was up for the game.")
        if winners[0] == scene.me:
            return _("Time was up for the game, and you had used less of it.")
        said = _("Time was up for the game, and {player} had used less of it.")
        return said.format(player=names[winners[0].index])
    state, yourself, them = LEFT[ending]
    left = [seat for seat in scene.seats if seat.state == state]
    if [*left] == [scene.me]:
        return str(yourself)
    if not left:
        return format_result(scene)
    return str(them).format(players=get_text_list([names[seat.index] for seat in left], _("and")))


def find_decisive_turn(scene: Scene, moves: Moves) -> TurningPoint | None:
    """Return the turning point among all *moves*; ``None`` where points decided nothing, or where the league
    of the game says something else about its result."""
    game = scene.game
    winners = {seat.index for seat in scene.seats if seat.rank == 1}
    if game.ending not in (Ending.PLAYED, Ending.SCORED) or not winners:
        return None
    if scene.verdict is not None and scene.verdict.explanation:
        return None
    running = [seat.index for seat in scene.seats if not seat.left]
    if winners != set(_find_best(scene, running)):
        return None
    stored = ((ply, [event_from_json(event) for event in events]) for ply, events in moves)
    return find_turning_point(stored, scene.state, running)


def _find_best(scene: Scene, seats: Sequence[int]) -> list[int]:
    most = max((scene.seats[index].score for index in seats), default=0)
    return [index for index in seats if scene.seats[index].score == most]


def tell_turning_point(scene: Scene, point: TurningPoint | None) -> TurningPointWords | None:
    """Tell the viewer of *scene* about *point*, if there is one."""
    if point is None:
        return None
    me = None if scene.me is None else scene.me.index
    return format_turning_point(point, scene.names, me)
