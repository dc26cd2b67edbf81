"""Facts about a feature, an open space or a quarter of Carcassonne, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import words
from games.drawing.board import get_figure_symbol
from games.pages.parts.seats import FigureCount, build_quarters, format_quarter
from games.pages.scene import Scene
from games.pages.scene.picture import Miniature, build_miniature
from games.rules import Feature, State
from games.rules.forecast import Prospect, Space, count_draws, list_draws_of
from games.rules.geometry import get_coordinates
from games.rules.scoring import count_shields
from games.rules.tiles import CITY, FIELD, RIVER, SURROUNDED, Rotated
from games.words import format_owners, format_sized
from games.words.grammar import capitalise

NEXT = 3  # number of one's own next tiles for which a chance is told


class FeatureHolder(NamedTuple):
    """A seat and its figures on a feature."""

    name: str
    chips: tuple[FigureCount, ...]


class FeatureFacts(NamedTuple):
    """A feature or a quarter in words; *line* sums it up in one sentence or two."""

    title: str
    place: str
    line: str
    holders: tuple[FeatureHolder, ...] = ()
    margin: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    note: str = ""


class SpaceChance(NamedTuple):
    what: str
    percent: str


class SpaceFacts(NamedTuple):
    """An empty space in words, and the tiles that fit it."""

    title: str
    summary: str  # number of tiles that fit, in words
    tiles: tuple[Miniature, ...] = ()
    held: tuple[Miniature, ...] = ()
    chances: tuple[SpaceChance, ...] = ()
    note: str = ""


class FeatureRow(NamedTuple):
    """A row of the table of features."""

    url: str
    feature: str
    place: str
    owners: str
    margin: str
    open_ends: str
    now: str
    complete: str  # minimum points once it is completed
    dead: str  # remark, instead, that it can't be completed any more


class SpaceRow(NamedTuple):
    """An open space in the list of all."""

    url: str
    place: str
    fits: str
    next: str


def build_feature_facts(scene: Scene, feature: Feature) -> FeatureFacts:
    """Return the facts about *feature*."""
    prospect = scene.outlook.prospect(feature)
    spot = scene.spot(feature)
    title = _title(scene.state, feature)
    numbers, rows = [], []  # the same in one line, and as a list
    if not feature.complete and feature.kind != FIELD and feature.kind not in SURROUNDED:
        numbers.append(_open_ends(feature.open_ends))
        rows.append((_("Open ends"), str(feature.open_ends)))
    if not feature.complete or feature.meeples:
        points = words.format_points(prospect.points)
        terms = ", ".join(words.format_term(term) for term in prospect.now)
        numbers.append(_("{points} now").format(points=points))
        rows.append((_("Points now"), f"{points} ({terms})" if prospect.points else points))
    note = ""
    if scene.aids:
        rows += _gains(prospect, scene)
        note = _explain_blocked_spaces(prospect)
        if prospect.complete is not None and not note:
            least = _least(prospect)
            numbers.append(_("{points} if completed").format(points=least))
            rows.append((_("If completed"), least))
    holding = _margin(prospect, scene) if scene.aids else _present(prospect, scene)
    counted = f"{title}."
    if numbers:
        counted = pgettext("a feature, and numbers about it", "{title}: {numbers}.").format(
            title=title, numbers=", ".join(numbers)
        )
    return FeatureFacts(
        title=title,
        place=words.name_cell(spot.x, spot.y),
        line=" ".join(part for part in (counted, holding, note) if part),
        holders=tuple(_holders(scene, feature)),
        margin=holding if scene.aids or not feature.meeples else "",
        rows=tuple(rows),
        note=note,
    )


def format_space(scene: Scene, space: Space) -> str:
    """An open space and what fits it, in one line."""
    return f"{_space_title(space)}. {_fitting(scene, space)}"


def build_space_facts(scene: Scene, space: Space) -> SpaceFacts:
    """Return the tiles that still fit the empty *space*, and the chances of drawing them."""
    return SpaceFacts(
        title=_space_title(space),
        summary=_fitting(scene, space),
        tiles=tuple(build_miniature(id, copies) for id, copies in space.fits.items()),
        held=tuple(build_miniature(id) for id in space.held),
        chances=tuple(_chances(scene, space)) if space.fits else (),
        note=_explain_chances(scene, space) if space.fits else "",
    )


def build_tile_facts(x: int, y: int, turned: Rotated) -> SpaceFacts:
    """The tile that lies in column *x* and row *y*, in words."""
    return SpaceFacts(
        title=capitalise(words.name_cell(x, y)), summary=words.describe_tile(turned.id, turned.rotation)
    )


def build_quarter_facts(scene: Scene, name: str) -> FeatureFacts:
    """Return the facts about the quarter called *name*. :raises KeyError: if there is none"""
    known = scene.state.quarters()
    at = {quarter.name: index for index, quarter in enumerate(known)}[name]
    quarter = build_quarters(scene)[at]
    return FeatureFacts(
        title=quarter.name[:1].upper() + quarter.name[1:],
        place=_("The city of Carcassonne"),
        line=format_quarter(quarter) + ".",
        holders=tuple(FeatureHolder("", (chip,)) for chip in quarter.chips),
        margin="" if quarter.chips else _("Nobody is here."),
        rows=((_("Serves"), quarter.serves),),
        note=str(quarter.token_words.here) if quarter.token else "",
    )


def list_feature_rows(scene: Scene) -> list[FeatureRow]:
    """List all features but rivers: incomplete ones first, and of these the occupied ones first."""
    board_features = [feature for feature in scene.state.board.all_features() if feature.kind != RIVER]
    board_features.sort(key=lambda feature: (feature.complete, not feature.meeples))
    return [_row(scene, feature) for feature in board_features]


def list_space_rows(scene: Scene) -> list[SpaceRow]:
    """List the open spaces; none where aids are switched off."""
    return [
        SpaceRow(
            scene.space_url(space),
            words.name_cell(*get_coordinates(space.cell)),
            _fitting(scene, space),
            percent(scene.outlook.chance(space.fits, [0])) if space.fits else "–",
        )
        for space in scene.spaces
    ]


def percent(chance: float) -> str:
    """Format a probability. Only an impossible event is 0%, only a certain one 100%."""
    if 0 < chance < 0.01:
        return _("less than {n}%").format(n=1)
    if 0.99 < chance < 1:
        return _("more than {n}%").format(n=99)
    return pgettext("a chance", "{n}%").format(n=round(100 * chance))


# ------------------------------------------------------------------------------------------------ words


def _title(state: State, feature: Feature) -> str:
    """A feature and its size: "City of 5 tiles and 2 shields"."""
    title = format_sized(feature)
    borne = count_shields(state.board, feature) if feature.kind == CITY else 0
    if borne:
        title = ngettext("{city} and {n} shield", "{city} and {n} shields", borne).format(city=title, n=borne)
    return title[:1].upper() + title[1:]


def _open_ends(count: int) -> str:
    return ngettext("{n} open end", "{n} open ends", count).format(n=count)


def _explain_blocked_spaces(prospect: Prospect) -> str:
    if not prospect.blocked:
        return ""
    return _("It can no longer be completed: no remaining tile fits {places}.").format(
        places="; ".join(words.name_cell(*get_coordinates(cell)) for cell in prospect.blocked)
    )


def _least(prospect: Prospect) -> str:
    points = words.format_points(prospect.points_complete)
    if prospect.feature.kind in SURROUNDED:
        return points
    return _("at least {points}").format(points=points)


def _present(prospect: Prospect, scene: Scene) -> str:
    """Say who stands on a feature, but not who has the majority."""
    if not prospect.feature.meeples:
        return _("Complete.") if prospect.feature.complete else _("No meeples on it.")
    return _("Meeples: {owners}.").format(owners=format_owners(prospect.feature.meeples, scene.names))


def _margin(prospect: Prospect, scene: Scene) -> str:
    """Say who has the majority, and by how much."""
    me = None if scene.me is None else scene.me.index
    counted, leaders, names = prospect.strengths, prospect.leaders, scene.names
    if not leaders:
        return _("Complete.") if prospect.feature.complete else _("No meeples on it.")
    best = counted[leaders[0]]
    mine = counted.get(me, 0) if me is not None else 0
    if len(counted) == 1:
        return (
            _("Only you have meeples on it.")
            if mine
            else _("Only {player} has meeples on it.").format(player=names[leaders[0]])
        )
    if len(leaders) > 1:
        leading = ", ".join(_("you") if seat == me else names[seat] for seat in leaders)
        shared = _("Shared: {players}.").format(players=leading)
        if mine and mine < best:
            behind = ngettext("You're {n} behind.", "You're {n} behind.", best - mine)
            return f"{shared} {behind.format(n=best - mine)}"
        return shared
    (leader,) = leaders
    if leader == me:
        lead = best - max(n for seat, n in counted.items() if seat != me)
        return ngettext("You lead by {n}.", "You lead by {n}.", lead).format(n=lead)
    if mine:
        lead = best - mine
        return ngettext("{player} leads you by {n}.", "{player} leads you by {n}.", lead).format(
            player=names[leader], n=lead
        )
    lead = best - max(n for seat, n in counted.items() if seat != leader)
    return ngettext("{player} leads by {n}.", "{player} leads by {n}.", lead).format(
        player=names[leader], n=lead
    )


def _gains(prospect: Prospect, scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield the points that a field would bring each seat. Other kinds pay all their leaders the same."""
    if prospect.feature.kind == FIELD and prospect.gains:
        yield (
            _("Points for"),
            ", ".join(
                pgettext("who scores, points", "{player} +{n}").format(player=scene.names[seat], n=points)
                for seat, points in prospect.gains
            ),
        )


def _holders(scene: Scene, feature: Feature) -> Iterator[FeatureHolder]:
    for seat in sorted({meeple.seat for meeple in feature.meeples}):
        numbers: dict[str, int] = {}
        for meeple in feature.meeples:
            if meeple.seat == seat:
                numbers[meeple.figure] = numbers.get(meeple.figure, 0) + 1
        look = scene.seats[seat].look
        yield FeatureHolder(
            scene.names[seat],
            tuple(
                FigureCount(
                    get_figure_symbol(look, figure, feature.kind),
                    words.name_figure(figure, feature.kind),
                    number,
                )
                for figure, number in sorted(numbers.items())
            ),
        )


def _row(scene: Scene, feature: Feature) -> FeatureRow:
    prospect = scene.outlook.prospect(feature)
    spot = scene.spot(feature)
    open_ends = "–" if feature.kind == FIELD else str(feature.open_ends)
    complete = dead = ""
    if scene.aids and prospect.complete is not None:
        if prospect.blocked:
            dead = _("can't be completed")
        else:
            complete = str(prospect.points_complete)
    return FeatureRow(
        scene.feature_url(feature),
        _title(scene.state, feature),
        words.name_cell(spot.x, spot.y),
        format_owners(feature.meeples, scene.names) or _("nobody"),
        _margin(prospect, scene) if scene.aids and len(prospect.strengths) > 1 else "",
        _("complete") if feature.complete else open_ends,
        "" if feature.complete and not feature.meeples else str(prospect.points),
        complete,
        dead,
    )


def _space_title(space: Space) -> str:
    return _("Open space at {place}").format(place=words.name_cell(*get_coordinates(space.cell)))


def _fitting(scene: Scene, space: Space) -> str:
    if space.dead:
        return _("No remaining tile fits here.")
    if not space.fits:
        return _("Only a tile that has already been drawn fits here.")
    return ngettext(
        "{n} of {all} tiles to come fits here.", "{n} of {all} tiles to come fit here.", space.copies
    ).format(n=space.copies, all=sum(scene.outlook.coming.values()))


def _chances(scene: Scene, space: Space) -> Iterator[SpaceChance]:
    """Yield the chances that a fitting tile comes next, soon, or at all for the viewer."""
    outlook = scene.outlook
    left = count_draws(scene.state)
    if not left:
        return
    yield SpaceChance(_("The next tile drawn"), percent(outlook.chance(space.fits, [0])))
    if scene.me is None:
        round_ = range(min(len(scene.seats), left))
        if len(round_) > 1:
            yield SpaceChance(_one_of_next(len(round_)), percent(outlook.chance(space.fits, round_)))
        return
    mine = list_draws_of(scene.state, scene.me.index)
    if len(mine) > NEXT:
        yield SpaceChance(_one_of_yours(NEXT), percent(outlook.chance(space.fits, mine[:NEXT])))
    if mine:
        yield SpaceChance(
            ngettext(
                "The {n} tile you will still draw",
                "One of the {n} tiles you will still draw",
                len(mine),
            ).format(n=len(mine)),
            percent(outlook.chance(space.fits, mine)),
        )


def _one_of_next(n: int) -> str:
    return ngettext("The next {n} tile", "One of the next {n} tiles", n).format(n=n)


def _one_of_yours(n: int) -> str:
    return ngettext("Your next {n} tile", "One of your next {n} tiles", n).format(n=n)


def _explain_chances(scene: Scene, space: Space) -> str:
    groups = scene.outlook.pools
    if not any(id in groups[0] for id in space.fits):
        return _("Other tiles come first, and none of them fits.")
    sentence = _("All tiles not yet drawn are equally likely to come next.")
    if any(None in held for held in scene.state.hands):
        sentence += " " + _("This includes tiles hidden in other players' hands.")
    if scene.me is not None:
        sentence += " " + _("Your share assumes that nobody gets an extra turn.")
    return sentence
