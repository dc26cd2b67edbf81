"""The words of the winter edition and the Gingerbread Man."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import Action, Spot, State
from games.rules.modules.winter import ON, GingerbreadLeft, GingerbreadMoved, Walk, find_gingerbread_city
from games.rules.tiles import CITY

from ..expansion import (
    Answering,
    Asking,
    Choice,
    Expansion,
    Sentence,
    StepWords,
    TokenWords,
    format_spot_value,
)
from ..features import describe_feature, format_sized, format_whereabouts
from ..grammar import capitalise
from ..vocabulary import name_cell


def _describe_gingerbread_walk(event: GingerbreadMoved, names: Sequence[str]) -> str:
    return _("The Gingerbread Man walked to the city at {place}.").format(place=name_cell(event.x, event.y))


def _describe_gingerbread_departure(event: GingerbreadLeft, names: Sequence[str]) -> str:
    return _("The Gingerbread Man left the board.")


def _stakes(state: State, actions: Sequence[Action], names: Sequence[str]) -> Iterable[str]:
    city = find_gingerbread_city(state)
    if city is not None:
        yield _("He is here: {feature}").format(feature=describe_feature(state, city, names))


def _walk(state: State, action: Walk, names: Sequence[str]) -> str:
    city = state.feature_at(action.x, action.y, CITY, action.side)
    return capitalise(describe_feature(state, city, names))


def _choices(state: State, action: Walk, names: Sequence[str]) -> tuple[Choice, ...]:
    at = Spot(action.x, action.y, CITY, action.side)
    return (Choice("city", format_spot_value(at), _walk(state, action, names), at, moves=ON),)


def _says(state: State, action: Walk) -> Sentence:
    at = Spot(action.x, action.y, CITY, action.side)
    city = state.feature_at(*at)
    return Sentence(
        _("The Gingerbread Man walks to the {city} at {place}."),
        {"city": format_sized(city), "place": format_whereabouts(state, at)},
    )


WORDS = Expansion(
    order=8,
    sets={"winter": gettext_lazy("Winter Edition")},
    set_lines={"winter": gettext_lazy("12 more tiles, and the Gingerbread Man if you like.")},
    set_adds={"winter": gettext_lazy("Gingerbread Man if you like")},
    options={
        "gingerbread": gettext_lazy("The Gingerbread Man"),
        "gingerbread_tiles": gettext_lazy("Tiles with the Gingerbread Man"),
    },
    hints={
        "gingerbread": gettext_lazy(
            "He walks from city to city and pays the knights in each city he leaves."
        ),
        "gingerbread_tiles": gettext_lazy("Six city tiles of this edition replace the six in the box."),
    },
    values={
        ("gingerbread_tiles", "stand_in"): gettext_lazy("a stand-in: six city tiles of this edition"),
    },
    kinds={ON: gettext_lazy("visit of the Gingerbread Man")},
    tokens={
        ON: TokenWords(
            gettext_lazy("Gingerbread Man"),
            gettext_lazy("Gingerbread Man"),
            gettext_lazy("The Gingerbread Man is here."),
        )
    },
    terms={"knights": lambda n: ngettext("{n} knight", "{n} knights", n)},
    earned={
        ON: lambda n: ngettext(
            "{player} scores {n} point from the Gingerbread Man.",
            "{player} scores {n} points from the Gingerbread Man.",
            n,
        )
    },
    events={GingerbreadMoved: _describe_gingerbread_walk, GingerbreadLeft: _describe_gingerbread_departure},
    echoed=frozenset({GingerbreadMoved}),
    decisions={
        ON: Asking(
            asks=gettext_lazy("You move the Gingerbread Man to another city."),
            waits=gettext_lazy("{player} moves the Gingerbread Man."),
            explains=gettext_lazy(
                "Leaving a city, he pays each knight in it 1 point for each of its tiles. The knights stay."
            ),
            stakes=_stakes,
            follows=gettext_lazy("Then you move the Gingerbread Man."),
            title=gettext_lazy("Where does the Gingerbread Man go?"),
            steps={"city": StepWords(gettext_lazy("Choose one of the highlighted cities on the board."))},
            sends=gettext_lazy("Walk"),
        )
    },
    answers={Walk: Answering(_walk, _choices, _says)},
    overdue={ON: gettext_lazy("{player} didn't answer in time, so the rules decided where.")},
)
