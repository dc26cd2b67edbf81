"""The page of a game's end: how every final point came about, feature by feature, drawn on the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import rules, words
from games.access import Visitor
from games.drawing.board import BoardPicture, Highlight, MarkedQuarter
from games.models import Game, Seat
from games.pages.parts.highlights import Scoring, collect_earned, group_scorings, list_paying_lights
from games.pages.parts.score_sheet import format_scored_place, list_scored
from games.pages.parts.seats import SeatCard, build_seat_cards
from games.pages.parts.story import explain_missing_scoring, format_result
from games.pages.scene import Scene
from games.pages.scene.addresses import Steps, Urls, build_steps
from games.pages.scene.picture import EMPTY_LAYER, Map, build_map
from games.rules.scoring import list_completed_cities, list_paying_cities
from games.rules.tiles import FIELD

FinalScoringLine = tuple[int, str, rules.Scored, int]
"""A feature's points for a seat: the number of its step, what it is, the scoring, and the score after it."""


class FinalScoringOfSeat(NamedTuple):
    """A seat's points from the final scoring."""

    seat: Seat
    player: str
    before: int
    gained: int
    total: int
    lines: Sequence[FinalScoringLine]


@dataclass(frozen=True, slots=True)
class FinalScoringPage:
    """The page of the final scoring after one of its steps; step 0 shows everything at once."""

    game: Game
    urls: Urls
    sprite: str
    seats: tuple[SeatCard, ...]  # with the scores after this step
    map: Map
    steps: Steps
    heading: str
    said: tuple[str, ...]  # effects of this step, in words
    headline: str  # ending of the game, in words
    outcome: str  # reason why nothing was scored at the end
    parts: tuple[FinalScoringOfSeat, ...]  # by rank
    step: int  # of the feature that is shown alone

    def url(self, step: int) -> str:
        return _url(self.urls, step)


def build_final_scoring_page(game: Game, viewer: Visitor, step: int) -> FinalScoringPage | None:
    """Build the page of *game*, which has ended, after the first *step* scorings, the last of them
    highlighted. Return ``None`` if there are fewer."""
    final = game.moves.in_force().filter(action__type="final").values("version", "events").first()
    scorings = group_scorings(list_scored(final["events"])) if final else ()
    if step > len(scorings):
        return None
    # The meeples still stand where they earned their points: nothing comes home at the end.
    scene = Scene.of(game, viewer, version=final["version"] - 1 if final else game.version)
    counted = scorings[:step] if step else scorings
    scores = tuple(
        before + sum(scoring.points.get(seat, 0) for scoring in counted) if final else scene.seats[seat].score
        for seat, before in enumerate(scene.state.scores)
    )
    chosen = scorings[step - 1] if step else None
    return FinalScoringPage(
        game=game,
        urls=scene.urls,
        sprite=scene.picture.sprite,
        seats=build_seat_cards(scene, then=bool(step), scores=scores),
        map=build_map(_picture(scene, scorings, step), EMPTY_LAYER),
        steps=build_steps(partial(_url, scene.urls), step, len(scorings)),
        heading=_what(chosen) if chosen else _("The final scoring") if final else _("The points"),
        said=_format_gains(chosen, scene.names) if chosen else (),
        headline=format_result(scene),
        outcome="" if final else explain_missing_scoring(scene),
        parts=_parts(scene, scorings, decided=final is None),
        step=step,
    )


def _url(urls: Urls, step: int) -> str:
    return f"{urls.end}{step}/" if step else urls.end


def _what(scoring: Scoring) -> str:
    """Name a scored feature, such as "City at column 3, row −1", or what else brought points."""
    kind = words.name_kind(scoring.on)
    kind = kind[:1].upper() + kind[1:]
    place = format_scored_place(scoring.gains[0])
    if not place:
        return kind
    return pgettext("kind of feature, place", "{kind} at {place}").format(kind=kind, place=place)


def _format_gains(scoring: Scoring, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        _("{player}: {sum}").format(player=names[gain.seat], sum=words.format_sum(gain))
        for gain in scoring.gains
    )


def _parts(scene: Scene, scorings: Sequence[Scoring], *, decided: bool) -> tuple[FinalScoringOfSeat, ...]:
    """Build the parts of the seats, by rank; of a game that was *decided* otherwise, with its scores."""
    before = scene.state.scores
    totals = [seat.score for seat in scene.seats] if decided else list(before)
    lines: list[list[FinalScoringLine]] = [[] for _seat in scene.seats]
    for number, scoring in enumerate(scorings, 1):
        for gain in scoring.gains:
            totals[gain.seat] += gain.points
            lines[gain.seat].append((number, _what(scoring), gain, totals[gain.seat]))
    by_seat = zip(scene.seats, scene.names, before, totals, lines, strict=True)
    parts = [
        FinalScoringOfSeat(seat, name, old, total - old, total, own)
        for seat, name, old, total, own in by_seat
    ]
    return tuple(sorted(parts, key=lambda part: part.seat.counted_rank or 0))


def _picture(scene: Scene, scorings: Sequence[Scoring], step: int) -> BoardPicture:
    """Draw the board with the features of *scorings* highlighted: all, or that of *step* and the cities that
    pay it."""
    state, picture = scene.state, scene.picture
    shown = collect_earned(
        state.board, scorings[step - 1 : step] if step else scorings, state.meeples(), scene.seats
    )
    cities, quarters = _paying(state, scorings[step - 1]) if step else ((), ())
    meeples = tuple(
        replace(figure, css="" if (figure.x, figure.y, figure.on, figure.side) in shown.by else "aside")
        for figure in picture.meeples
    )
    return replace(
        picture, highlights=(*cities, *shown.lights), gains=shown.gains, meeples=meeples, quarters=quarters
    )


def _paying(state: rules.State, scoring: Scoring) -> tuple[tuple[Highlight, ...], tuple[MarkedQuarter, ...]]:
    """The completed cities that pay the field *scoring*, lit up in nobody's colour, with Carcassonne."""
    if scoring.on != FIELD or scoring.spot is None:
        return (), ()
    land = state.board.features[state.board.code(scoring.spot)]
    besides = len(list_paying_cities(state, land)) > len(list_completed_cities(state.board, land))
    return list_paying_lights(state, scoring.spot), tuple(
        MarkedQuarter(quarter.name) for quarter in state.quarters()
    ) if besides else ()
