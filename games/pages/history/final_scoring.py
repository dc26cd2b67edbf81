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
from games.models import Game
from games.pages.parts.highlights import Scoring, collect_earned, group_scorings, highlight_feature
from games.pages.parts.score_sheet import format_scored_place, list_scored
from games.pages.parts.seats import SeatCard, build_seat_cards
from games.pages.parts.story import explain_missing_scoring, format_result
from games.pages.scene import Scene
from games.pages.scene.addresses import Steps, Urls, build_steps
from games.pages.scene.picture import EMPTY_LAYER, Map, build_map
from games.rules.scoring import list_completed_cities, list_paying_cities
from games.rules.tiles import FIELD
from games.selectors.lists import build_profile_url


class FinalScoringLine(NamedTuple):
    """A feature's points for a seat. *step* is its number, *total* the seat's score after it."""

    step: int
    url: str
    look: int
    player: str
    what: str
    sum: str
    points: int
    total: int
    chosen: bool


class FinalScoringOfSeat(NamedTuple):
    """A seat's points from the final scoring."""

    look: int
    player: str
    url: str  # of the player's page, if there is one
    rank: int | None
    winner: bool
    remark: str
    before: int
    gained: int
    total: int
    lines: tuple[FinalScoringLine, ...]


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
    chosen: bool  # whether one feature is shown alone

    def url(self, step: int) -> str:
        return _url(self.urls, step)


def build_final_scoring_page(game: Game, viewer: Visitor, step: int) -> FinalScoringPage | None:
    """Build the page of *game*, which has ended, after the first *step* scorings, the last of them
    highlighted. Return ``None`` if there are fewer."""
    final = game.moves.in_force().filter(action__type="final").values("version", "events").first()
    found = group_scorings(list_scored(final["events"])) if final else ()
    if step > len(found):
        return None
    # The meeples still stand where they earned their points: nothing comes home at the end.
    scene = Scene.of(game, viewer, version=final["version"] - 1 if final else game.version)
    counted = found[:step] if step else found
    scores = tuple(
        before + sum(one.points.get(seat, 0) for one in counted) if final else scene.seats[seat].score
        for seat, before in enumerate(scene.state.scores)
    )
    chosen = found[step - 1] if step else None
    return FinalScoringPage(
        game=game,
        urls=scene.urls,
        sprite=scene.picture.sprite,
        seats=build_seat_cards(scene, then=bool(step), scores=scores),
        map=build_map(_picture(scene, found, step), EMPTY_LAYER),
        steps=build_steps(partial(_url, scene.urls), step, len(found)),
        heading=_what(chosen) if chosen else _("The final scoring"),
        said=_format_gains(chosen, scene.names) if chosen else (),
        headline=format_result(scene),
        outcome="" if final else explain_missing_scoring(game),
        parts=_parts(scene, found, step, decided=final is None),
        chosen=step > 0,
    )


def _url(urls: Urls, step: int) -> str:
    return f"{urls.end}{step}/" if step else urls.end


def _what(one: Scoring) -> str:
    """Name a scored feature, such as "City at column 3, row −1", or "King"."""
    kind = words.name_kind(one.on)
    kind = kind[:1].upper() + kind[1:]
    place = format_scored_place(one.gains[0])
    if not place:
        return kind
    return pgettext("kind of feature, place", "{kind} at {place}").format(kind=kind, place=place)


def _format_gains(one: Scoring, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        _("{player}: {sum}").format(player=names[gain.seat], sum=words.format_sum(gain)) for gain in one.gains
    )


def _parts(
    scene: Scene, found: Sequence[Scoring], step: int, *, decided: bool
) -> tuple[FinalScoringOfSeat, ...]:
    """Build the parts of the seats, by rank; of a game that was *decided* otherwise, with its scores."""
    before, names = scene.state.scores, scene.names
    totals = [seat.score for seat in scene.seats] if decided else list(before)
    lines: list[list[FinalScoringLine]] = [[] for _seat in scene.seats]
    for number, scoring in enumerate(found, 1):
        for one in scoring.gains:
            totals[one.seat] += one.points
            lines[one.seat].append(
                FinalScoringLine(
                    number,
                    _url(scene.urls, number),
                    scene.looks[one.seat],
                    names[one.seat],
                    _what(scoring),
                    words.format_sum(one),
                    one.points,
                    totals[one.seat],
                    number == step,
                )
            )
    parts = [
        FinalScoringOfSeat(
            seat.look,
            names[seat.index],
            build_profile_url(seat.player),
            seat.rank,
            seat.rank == 1,
            str(seat.get_state_display()) if seat.left else "",
            before[seat.index],
            totals[seat.index] - before[seat.index],
            totals[seat.index],
            tuple(lines[seat.index]),
        )
        for seat in scene.seats
    ]
    return tuple(sorted(parts, key=lambda part: part.rank or 0))


def _picture(scene: Scene, found: Sequence[Scoring], step: int) -> BoardPicture:
    """Draw the board with the features of *found* highlighted: all, or that of *step* and the cities that pay
    it."""
    state, picture = scene.state, scene.picture
    shown = collect_earned(
        state.board, found[step - 1 : step] if step else found, state.meeples(), scene.seats
    )
    cities, quarters = _paying(state, found[step - 1]) if step else ((), ())
    meeples = tuple(
        replace(figure, css="" if (figure.x, figure.y, figure.on, figure.side) in shown.by else "aside")
        for figure in picture.meeples
    )
    return replace(
        picture, highlights=(*cities, *shown.lights), gains=shown.gains, meeples=meeples, quarters=quarters
    )


def _paying(state: rules.State, one: Scoring) -> tuple[tuple[Highlight, ...], tuple[MarkedQuarter, ...]]:
    """The completed cities that pay the field *one*, lit up in nobody's colour, Carcassonne among them."""
    if one.on != FIELD or one.spot is None:
        return (), ()
    land = state.board.features[state.board.code(one.spot)]
    cities = list_completed_cities(state.board, land)
    besides = len(list_paying_cities(state, land)) > len(cities)
    lit = tuple(light for city in cities for light in highlight_feature(state.board, city, ()))
    return lit, tuple(MarkedQuarter(one.name) for one in state.quarters()) if besides else ()
