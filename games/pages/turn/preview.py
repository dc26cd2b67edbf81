"""The effects of a turn in words, before it is sent: what it completes and scores, which figures are
returned, what it joins, and who stands on the rest.

It plays the turn on an immutable game, and discards the result. Tables without aids have previews, too. Aids
are chances, dead spaces and margins, which look beyond the turn; a preview only tells the immediate effects,
and otherwise who stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import words
from games.rules import (
    Completed,
    Deployed,
    Feature,
    Game,
    Meeple,
    Place,
    Returned,
    Scored,
    State,
)
from games.rules.standing_answers import stay
from games.rules.tiles import FIELD, FOLLOWER, SURROUNDED, get_tile
from games.words.decisions import DECISIONS
from games.words.events import FORETOLD


def preview(before: State, after: Game, names: Sequence[str], me: int) -> list[str]:
    """Sentences about the turn that leads from *before* to *after*, for the seat *me*, who is "you"."""
    seat_names = [*names]
    seat_names[me] = _("you")
    place = after.played[-1].action
    assert isinstance(place, Place)
    end = stay(after, ended=False)
    events = [event for played in end.played[len(after.played) - 1 :] for event in played.events]
    lines = []
    asking = DECISIONS.get(after.decision.kind)
    if asking is not None and asking.precedes:
        lines = [str(asking.precedes).format(player=seat_names[after.decision.seat or 0])]
    lines += [
        _describe_completion(
            event,
            [scored for scored in events if isinstance(scored, Scored) and _place(scored) == _place(event)],
            seat_names,
        )
        for event in events
        if isinstance(event, Completed)
    ]
    lines += _returning((event for event in events if isinstance(event, Returned)), seat_names)
    deployed = next((event for event in events if isinstance(event, Deployed)), None)
    done = {_place(event) for event in events if isinstance(event, Completed)}
    lines += [
        words.tell_event(event, names)
        for event in events
        if type(event) in FORETOLD or (isinstance(event, Scored) and _place(event) not in done)
    ]
    features = _open_features(after.state, place)
    for feature in features:
        lines += _describe_joining(before, feature, seat_names)
    for feature in features:
        if feature.meeples:
            lines.append(_standing(after.state, feature, seat_names))
    if deployed is not None and deployed.meeple == FOLLOWER:
        lines.append(_describe_supply(after.state.supply[me].get(FOLLOWER, 0)))
    following = DECISIONS.get(end.decision.kind)
    if end.decision.seat == me and following is not None and following.follows:
        lines.append(str(following.follows))
    if not lines:
        lines = [_("Nothing is completed. No meeples affected.")]
    return lines


def _place(event: Completed | Scored) -> tuple[str, int, int, str | None]:
    return event.on, event.x, event.y, event.side


def _describe_completion(event: Completed, scored: Sequence[Scored], names: Sequence[str]) -> str:
    feature = words.name_kind(event.on)
    if event.on not in SURROUNDED:
        feature = words.format_sized_as(event.on, event.tiles)
        shields = sum(term.count for event in scored[:1] for term in event.terms if term.name == "shields")
        if shields:
            feature = ngettext("{city} and {n} shield", "{city} and {n} shields", shields).format(
                city=feature, n=shields
            )
    if not scored:
        return _("Completes a {feature}: no meeples on it.").format(feature=feature)
    gains = ", ".join(
        pgettext("who scores, points", "{player} +{n}").format(player=names[event.seat], n=event.points)
        for event in scored
    )
    return _("Completes a {feature}: {gains}.").format(feature=feature, gains=gains)


def _returning(events: Iterable[Returned], names: Sequence[str]) -> list[str]:
    home = [_whose(names[event.seat], words.name_figure(event.meeple, event.on)) for event in events]
    if not home:
        return []
    return [_("Back in hand: {figures}.").format(figures=", ".join(home))]


def _whose(player: str, figure: str) -> str:
    return pgettext("figure and whose it is", "{figure} ({player})").format(figure=figure, player=player)


def _open_features(state: State, place: Place) -> list[Feature]:
    board_features: list[Feature] = []
    for lie in get_tile(place.tile).at(place.rotation).lies:
        feature = state.feature_at(place.x, place.y, lie.kind, lie.side)
        if not feature.complete and not any(feature is other for other in board_features):
            board_features.append(feature)
    return board_features


def _describe_joining(before: State, feature: Feature, names: Sequence[str]) -> list[str]:
    """Say that *feature* joins occupied features that were separate, if it does."""
    held: dict[int, list[Meeple]] = {}
    for meeple in feature.meeples:
        if meeple.code in before.board.features:
            held.setdefault(id(before.board.features[meeple.code]), []).append(meeple)
    if len(held) < 2:
        return []
    owners = "; ".join(words.format_owners(meeples, names) for meeples in held.values())
    joins = {
        "city": _("Joins cities held apart until now: {owners}."),
        "road": _("Joins roads held apart until now: {owners}."),
        FIELD: _("Joins fields held apart until now: {owners}."),
    }
    return [joins[feature.kind].format(owners=owners)]


def _standing(state: State, feature: Feature, names: Sequence[str]) -> str:
    """Say who stands on *feature*, and its size and open ends."""
    owners = words.format_owners(feature.meeples, names)
    text = words.format_sized(feature)
    text = text[:1].upper() + text[1:]
    if feature.kind == FIELD or feature.kind in SURROUNDED:
        return _("{feature}: {owners}.").format(feature=text, owners=owners)
    return ngettext(
        "{feature}, {n} end open: {owners}.", "{feature}, {n} ends open: {owners}.", feature.open_ends
    ).format(feature=text, n=feature.open_ends, owners=owners)


def _describe_supply(count: int) -> str:
    return ngettext("You keep {n} meeple in hand.", "You keep {n} meeples in hand.", count).format(n=count)
