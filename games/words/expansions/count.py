"""The words of the Count of Carcassonne."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.rules import Action, Spot, State
from games.rules.modules.count import CountMoved, Enter, Entered, Transfer, Transferred
from games.rules.tiles import FOLLOWER

from ..expansion import (
    Answering,
    Asking,
    Choice,
    Expansion,
    Held,
    InQuarter,
    Number,
    Sentence,
    StepWords,
    TokenWords,
    format_spot_value,
)
from ..features import describe_feature, format_whereabouts
from ..grammar import capitalise
from ..vocabulary import FIGURES, QUARTERS, name_cell, name_kind, name_spot


def _describe_entry(event: Entered, names: Sequence[str]) -> str:
    return _("{player} sent a {figure} to Carcassonne: {quarter}.").format(
        player=names[event.seat], figure=FIGURES[event.meeple], quarter=QUARTERS[event.quarter]
    )


def _count_moved(event: CountMoved, names: Sequence[str]) -> str:
    return _("The Count went to the {quarter}.").format(quarter=QUARTERS[event.quarter])


def _describe_transfer(event: Transferred, names: Sequence[str]) -> str:
    return _("{player}'s {figure} left the {quarter}: {spot} at {place}.").format(
        figure=FIGURES[event.meeple],
        player=names[event.seat],
        quarter=QUARTERS[event.quarter],
        spot=name_spot(event.on, event.side),
        place=name_cell(event.x, event.y),
    )


def _in_hand(state: State, actions: Sequence[Action], names: Sequence[str]) -> Iterable[str]:
    here = state.supply[state.turn_seat].get(FOLLOWER, 0)
    yield ngettext("You have {n} meeple in hand.", "You have {n} meeples in hand.", here).format(n=here)


def _describe_reachable_features(
    state: State, actions: Sequence[Action], names: Sequence[str]
) -> Iterable[str]:
    """Yield the features to which figures may move, completed ones first (COUNT-28)."""
    features = [state.board.features[code] for code in state.completed] if not state.ended else []
    for action in actions:
        if isinstance(action, Transfer):
            feature = state.feature_at(action.x, action.y, action.on, action.side)
            if not any(feature is other for other in features):
                features.append(feature)
    for feature in features:
        yield capitalise(describe_feature(state, feature, names))


def _going(action: Enter) -> str:
    return _("{figure} to the {quarter}").format(
        figure=capitalise(str(FIGURES[action.meeple])), quarter=QUARTERS[action.quarter]
    )


def _count_goes(action: Enter) -> str:
    if action.count_to is None:
        return _("The Count stays")
    return _("The Count goes to the {quarter}").format(quarter=QUARTERS[action.count_to])


def _enter_parts(action: Enter) -> tuple[str, str]:
    return _going(action), _count_goes(action)


def _enter(state: State, action: Enter, names: Sequence[str]) -> str:
    going = _going(action)
    if action.count_to is None:
        return _("{going}; the Count stays").format(going=going)
    return _("{going}; the Count goes to the {quarter}").format(
        going=going, quarter=QUARTERS[action.count_to]
    )


def _enter_choices(state: State, action: Enter, names: Sequence[str]) -> tuple[Choice, ...]:
    stands = state.slices["count"].stands
    quarter = capitalise(str(QUARTERS[action.quarter]))
    if action.quarter == stands:
        quarter = f"{quarter}. {COUNT.here}"
    to, said = action.count_to, _count_goes(action)
    return (
        Choice("figure", action.meeple, capitalise(str(FIGURES[action.meeple])), Held(action.meeple)),
        Choice("quarter", action.quarter, quarter, InQuarter(action.quarter)),
        Choice(
            "count",
            to or "stays",
            said,
            InQuarter(to or stands),
            moves="count" if to else "",
            usual=to is None or state.rules.options["count_move"] != "by_player",
        ),
    )


def _enter_says(state: State, action: Enter) -> Sentence:
    parts = {"figure": str(FIGURES[action.meeple]), "quarter": str(QUARTERS[action.quarter])}
    if action.count_to is None:
        return Sentence(_("Your {figure} goes to the {quarter}; the Count stays."), parts)
    text = _("Your {figure} goes to the {quarter}; the Count moves from the {here} to the {there}.")
    stands = state.slices["count"].stands
    return Sentence(text, parts | {"here": str(QUARTERS[stands]), "there": str(QUARTERS[action.count_to])})


def _enter_sends(action: Enter) -> str:
    return _("Send {figure}").format(figure=FIGURES[action.meeple])


def _at(action: Transfer) -> Spot:
    return Spot(action.x, action.y, action.on, action.side)


def _transfer(state: State, action: Transfer, names: Sequence[str]) -> str:
    figures = pgettext("number and figure", "{n} × {figure}").format(
        n=action.followers, figure=FIGURES[action.meeple]
    )
    if action.followers == 1:
        figures = capitalise(str(FIGURES[action.meeple]))
    return _("{figures} from the {quarter} to the {kind} at {place}").format(
        figures=figures,
        quarter=QUARTERS[action.quarter],
        kind=name_kind(action.on),
        place=format_whereabouts(state, _at(action)),
    )


def _transfer_choices(state: State, action: Transfer, names: Sequence[str]) -> tuple[Choice, ...]:
    here = f"{action.quarter},{action.meeple}"
    figures = _("{figure} in the {quarter}").format(
        figure=capitalise(str(FIGURES[action.meeple])), quarter=QUARTERS[action.quarter]
    )
    feature = state.feature_at(*_at(action))
    number = action.followers
    return (
        Choice("from", here, figures, InQuarter(action.quarter, action.meeple)),
        Choice("number", str(number), str(number), Number(number), usual=number == 1),
        Choice(
            "to",
            format_spot_value(_at(action)),
            capitalise(describe_feature(state, feature, names)),
            _at(action),
        ),
    )


def _transfer_says(state: State, action: Transfer) -> Sentence:
    text = _("Your {figure} leaves the {quarter} for the {kind} at {place}.")
    if action.followers > 1:
        text = _("{n} × {figure} of yours leave the {quarter} for the {kind} at {place}.")
    return Sentence(
        text,
        {
            "n": str(action.followers),
            "figure": str(FIGURES[action.meeple]),
            "quarter": str(QUARTERS[action.quarter]),
            "kind": name_kind(action.on),
            "place": format_whereabouts(state, _at(action)),
        },
    )


MOVING = {
    "from": StepWords(gettext_lazy("Choose those of your figures on the board that leave their quarter.")),
    "number": StepWords(gettext_lazy("How many of them?")),
    "to": StepWords(gettext_lazy("Choose on the board where they go.")),
}
COUNT = TokenWords(
    gettext_lazy("Count"),
    gettext_lazy("the Count"),
    gettext_lazy("The Count is here: nobody may leave."),
)

WORDS = Expansion(
    order=7,
    sets={"count": gettext_lazy("The Count of Carcassonne")},
    set_lines={
        "count": gettext_lazy(
            "Start around the city of Carcassonne; send followers in, and out again when you need them."
        )
    },
    set_adds={"count": gettext_lazy("the Count's city")},
    options={
        "count_entry_per_turn": gettext_lazy("Followers into Carcassonne in a double turn"),
        "count_abbot": gettext_lazy("The abbot in Carcassonne"),
        "count_move": gettext_lazy("How the Count moves"),
        "count_into_unoccupied": gettext_lazy("Out of Carcassonne onto unoccupied features"),
        "count_final": gettext_lazy("Out of Carcassonne at the end of the game"),
        "count_final_order": gettext_lazy("Order of moving out at the end"),
    },
    hints={
        "count_entry_per_turn": gettext_lazy("With a builder or another extra turn."),
        "count_abbot": gettext_lazy("Builder and pig never enter."),
        "count_move": gettext_lazy("When a follower has entered Carcassonne."),
        "count_into_unoccupied": gettext_lazy("To a completed feature with no meeples on it yet."),
        "count_final": gettext_lazy("Before the final scoring; never from where the Count stands."),
        "count_final_order": gettext_lazy(
            "Whether everybody moves all at once, or one follower in each round."
        ),
    },
    values={
        ("count_entry_per_turn", "each_half"): gettext_lazy("one for each tile placed"),
        ("count_entry_per_turn", "once"): gettext_lazy("one in all"),
        ("count_abbot", "off"): gettext_lazy("may not enter"),
        ("count_abbot", "cathedral"): gettext_lazy("may enter the cathedral"),
        ("count_move", "by_player"): gettext_lazy("to any quarter, or not at all, as that player likes"),
        ("count_move", "clockwise"): gettext_lazy("always to the next quarter clockwise"),
        ("count_move", "follow_meeple"): gettext_lazy("always to the quarter that was entered"),
        ("count_final", "market"): gettext_lazy("from the market onto fields"),
        ("count_final", "all_quarters"): gettext_lazy("from all quarters, also onto incomplete features"),
        ("count_final_order", "once"): gettext_lazy("everybody all at once"),
        ("count_final_order", "rounds"): gettext_lazy("one follower in each round"),
    },
    warnings={
        "count_with_river2": gettext_lazy(
            "The rules advise against the Count together with the River II: some river tiles may fit nowhere "
            "and leave the game."
        ),
    },
    quarters={
        "castle": gettext_lazy("castle"),
        "market": gettext_lazy("market"),
        "blacksmith": gettext_lazy("blacksmith"),
        "cathedral": gettext_lazy("cathedral"),
    },
    tokens={
        "count": COUNT,
    },
    events={Entered: _describe_entry, CountMoved: _count_moved, Transferred: _describe_transfer},
    echoed=frozenset({CountMoved, Entered, Transferred}),
    decisions={
        "enter": Asking(
            asks=gettext_lazy("You may send a figure to Carcassonne."),
            waits=gettext_lazy("{player} may send a figure to Carcassonne."),
            explains=gettext_lazy(
                "Others scored with your tile, but you didn't. A figure in Carcassonne can "
                "later join a feature that is about to be scored. If you send one, you can "
                "move the Count too: nobody leaves his quarter."
            ),
            declines=gettext_lazy("Send no one"),
            stakes=_in_hand,
            follows=gettext_lazy("Then you may send a figure to Carcassonne."),
            title=gettext_lazy("Send a figure to Carcassonne?"),
            steps={
                "figure": StepWords(gettext_lazy("Choose a figure.")),
                "quarter": StepWords(gettext_lazy("Choose a quarter on the board.")),
                "count": StepWords(
                    gettext_lazy("Choose the quarter of the Count."), gettext_lazy("Move the Count")
                ),
            },
            sends=gettext_lazy("Send figure"),
        ),
        "transfer": Asking(
            asks=gettext_lazy("Move figures out of Carcassonne before the scoring?"),
            waits=gettext_lazy("Waiting for {player}: move figures out of Carcassonne before the scoring?"),
            explains=gettext_lazy(
                "Whatever your figures in Carcassonne join now is scored with them; then they come home. "
                "Players who decide after you can see what you did."
            ),
            declines=gettext_lazy("Stay where they are"),
            stakes=_describe_reachable_features,
            title=gettext_lazy("Move figures out of Carcassonne?"),
            steps=MOVING,
            sends=gettext_lazy("Move out"),
            precedes=gettext_lazy(
                "Before the scoring {player} may move figures out of Carcassonne. If everybody stays:"
            ),
        ),
        "transfer_at_end": Asking(
            asks=gettext_lazy("Move figures out of Carcassonne before the final scoring?"),
            waits=gettext_lazy(
                "Waiting for {player}: move figures out of Carcassonne before the final scoring?"
            ),
            explains=gettext_lazy("This is the last chance: figures left in Carcassonne score nothing."),
            declines=gettext_lazy("Stay where they are"),
            stakes=_describe_reachable_features,
            title=gettext_lazy("Move figures out of Carcassonne?"),
            steps=MOVING,
            sends=gettext_lazy("Move out"),
        ),
    },
    answers={
        Enter: Answering(_enter, _enter_choices, _enter_says, _enter_sends, _enter_parts),
        Transfer: Answering(_transfer, _transfer_choices, _transfer_says),
    },
    standing={"transfer": gettext_lazy("{player}'s standing answer decided this.")},
)
