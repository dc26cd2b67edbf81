"""The input line of the text board: commands, and turns in notation, with the replies.

A turn is never played here: the reply says what it would do, and the line that then may be sent. Like the
notation, the commands are the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import rules, words
from games.pages.parts.seats import SeatCard, format_hand
from games.pages.parts.story import StoryEntry
from games.pages.text import board
from games.pages.turn.decision import Question
from games.pages.turn.draft import find_meant_tile
from games.pages.turn.hand import EXAMPLE
from games.pages.turn.preview import preview
from games.rules import IllegalAction, Place, get_tile
from games.rules.notation import BadNotation, read_any, write
from games.rules.short_form import ShortForm, is_short
from games.words.grammar import capitalise

CELL = re.compile(r"([+-]?\d{1,4})\s*,\s*([+-]?\d{1,4})")


@dataclass(frozen=True, slots=True)
class Sight:
    """The game as one viewer may see it, as far as commands need it."""

    played: rules.Game  # as the viewer may see it
    names: Sequence[str]
    me: int | None  # the viewer's seat
    headline: str
    clock: str
    seats: Sequence[SeatCard]
    told: Sequence[StoryEntry]
    told_heading: str
    question: Question | None  # question to the viewer other than placing a tile
    placing: bool  # whether the viewer is to place a tile
    over: bool  # whether no more tiles are placed

    @property
    def state(self) -> rules.State:
        return self.played.state


class Reply(NamedTuple):
    """The reply to a line: sentences, and the line that may be sent or must be corrected."""

    sentences: tuple[str, ...] = ()
    line: str = ""  # the turn in strict notation, ready to be sent
    kept: str = ""  # text that stays in the field
    wrong: bool = False


NOTHING = Reply()


class Command(NamedTuple):
    """A command: its usage, its purpose, and the function that answers it."""

    usage: str
    about: Any
    answer: Callable[[Sight, str], Sequence[str]]


def reply(line: str, sight: Sight) -> Reply:
    """The answer to *line*."""
    said = " ".join(line.split())
    if not said:
        return NOTHING
    word, _space, rest = said.lower().partition(" ")
    command = COMMANDS.get("help" if word == "?" else word)
    if command is not None:
        return Reply(tuple(command.answer(sight, rest)))
    try:
        return _turn(said, sight)
    except BadNotation as error:
        why = words.explain_bad_line(error, example=build_example(sight))
        return _wrong(said, why, _("Type “help” for a list of commands."))
    except IllegalAction as error:
        return _wrong(said, words.explain_refusal(error), _("Type “legal” for every turn you can play now."))


def build_example(sight: Sight) -> str:
    """A line as it could be written now."""
    if sight.question is not None:
        return sight.question.example
    tiles = sight.state.playable if sight.placing else ()
    return f"{tiles[0]}@{EXAMPLE}" if len(tiles) > 1 else EXAMPLE


def _wrong(line: str, *why: str) -> Reply:
    return Reply(why, kept=line, wrong=True)


def _turn(line: str, sight: Sight) -> Reply:
    """Describe the effects of the turn, or the answer, in *line*. Raises BadNotation, IllegalAction."""
    action = _read_action(line, sight)
    if sight.question is None and not sight.placing:
        return _wrong(line, sight.headline)
    legal = sight.played.legal_actions()
    legal.check(action)
    if isinstance(action, Place):
        assert sight.me is not None
        strict = write(action, with_tile=True)
        sentences = (
            _("{place}, {turned}. {figure}.").format(
                place=capitalise(words.name_cell(action.x, action.y)),
                turned=board.format_rotation(action.rotation),
                figure=words.label_figure(
                    sight.state, action.figure, get_tile(action.tile).at(action.rotation)
                ),
            ),
            *preview(sight.state, sight.played.play(action), sight.names, sight.me),
        )
    else:
        assert sight.question is not None
        strict = write(legal.normalize_action(action))
        (answer,) = (answer for answer in sight.question.answers if answer.line == strict)
        sentences = (_("Your answer: {answer}.").format(answer=answer.label.rstrip(".")), *answer.effects)
    return Reply((*sentences, _("Nothing is played until you send it.")), line=strict, kept=line)


def _read_action(line: str, sight: Sight) -> rules.Action:
    """Return the action that *line* says. Raises BadNotation."""
    if sight.placing and is_short(line):
        return ShortForm(sight.played.legal_actions()).read(line)
    # A player with another question may still type a turn: the rules refuse it, whatever its tile.
    return read_any(line, tile=find_meant_tile(sight.state) or ("" if sight.question else None))


# ---------------------------------------------------------------------------------------------- commands


def _help(sight: Sight, rest: str) -> list[str]:
    lines = [f"{command.usage}: {command.about}" for command in COMMANDS.values()]
    turn = _(
        "When you type a turn, we describe it first, and only play it when you send it. For example: {line}"
    )
    return [*lines, turn.format(line=build_example(sight))]


def _tile(sight: Sight, rest: str) -> list[str]:
    state = sight.state
    tiles = state.playable if sight.placing or (state.drawn and not sight.over) else ()
    sentences = [_sentence(words.describe_tile(id)) for id in tiles]
    if len(tiles) > 1:
        sentences = [f"{id}: {said}" for id, said in zip(tiles, sentences, strict=True)]
    elif not tiles:
        sentences = [format_seat(seat) for seat in sight.seats if seat.hand]
    left = ngettext("{n} tile to come", "{n} tiles to come", state.left).format(n=state.left)
    return [*(sentences or [_("There is no tile to place.")]), f"{left}."]


def _legal(sight: Sight, rest: str) -> list[str]:
    if sight.question is not None:
        return [f"{answer.line}: {answer.label}" for answer in sight.question.answers]
    if not sight.placing:
        return [sight.headline]
    cells = board.group_turns_by_cell(sight.played.state, sight.played.legal_actions())
    at = _cell(rest)
    if at is None:
        spaces = len({cell.place for cell in cells})
        count = ngettext("Your tile fits on {n} space.", "Your tile fits on {n} spaces.", spaces)
        if len(sight.state.playable) > 1:
            count = ngettext("Your tiles fit on {n} space.", "Your tiles fit on {n} spaces.", spaces)
        named = (
            ": ".join(filter(None, (str(cell.number), cell.tile, cell.place, cell.ways))) for cell in cells
        )
        return [count.format(n=spaces), *(f"{said}." for said in named)]
    here = [cell for cell in cells if cell.place == words.name_cell(*at)]
    if not here:
        return [_("Your tile doesn't fit there."), _("Type “legal” for every turn you can play now.")]
    return [
        f"{way.short or way.line}: {turned.heading}, {way.words}."
        for turns in here
        for turned in turns.turned
        for way in turned.ways
    ]


def _look(sight: Sight, rest: str) -> list[str]:
    at = _cell(rest)
    if at is None:
        return [_("Give a column and a row: look 3,-1")]
    features = board.list_features_on(sight.state, *at, sight.names)
    place = words.name_cell(*at)
    for _y, said in board.list_tiles(sight.state, sight.names):
        if said.startswith(f"{place}:"):
            return [_sentence(said), *features]
    if sight.state.beyond_edges(*at):
        return [words.describe_edges(sight.state)]
    legal = sight.played.legal_actions() if sight.placing else None
    for cell in board.list_open_cells(sight.state, legal):
        if cell.place == place:
            sentences = [_("{place} is open: {asks}.").format(place=capitalise(place), asks=cell.asks)]
            if cell.fits:
                sentences.append(_sentence(_("Your tile fits: {turns}").format(turns=cell.fits)))
            return sentences
    return [_("There is nothing at {place} or next to it.").format(place=place)]


def _scores(sight: Sight, rest: str) -> list[str]:
    return [format_seat(seat) for seat in sight.seats]


def _last(sight: Sight, rest: str) -> list[str]:
    sentences = [sentence for entry in sight.told for sentence in entry.sentences]
    return [f"{sight.told_heading}:", *(sentences or [_("Nothing yet.")]), sight.headline]


def _mine(sight: Sight, rest: str) -> list[str]:
    state = sight.state
    own = state.board.features_where(
        lambda feature: any(meeple.seat == sight.me for meeple in feature.meeples)
    )
    descriptions = [board.format_feature(state, feature, sight.names) for feature in own]
    return descriptions or [_("You have no figures on the board.")]


def _clock(sight: Sight, rest: str) -> list[str]:
    return [sight.headline, *([f"{capitalise(sight.clock)}."] if sight.clock else [])]


COMMANDS: Mapping[str, Command] = {
    "help": Command("help, ?", gettext_lazy("all commands"), _help),
    "tile": Command("tile", gettext_lazy("the tile in hand"), _tile),
    "legal": Command(
        "legal, legal 3,-1", gettext_lazy("where your tile fits, and every turn you could play there"), _legal
    ),
    "look": Command("look 3,-1", gettext_lazy("what is there, or what an open space needs"), _look),
    "last": Command("last", gettext_lazy("what has happened since your last turn"), _last),
    "scores": Command("scores", gettext_lazy("points and meeples of every player"), _scores),
    "mine": Command("mine", gettext_lazy("the features you have meeples on"), _mine),
    "clock": Command("clock", gettext_lazy("whose turn it is, and until when"), _clock),
}


def format_seat(seat: SeatCard) -> str:
    """A seat with its points, its figures and what else it holds."""
    meeples = ngettext("{n} meeple in hand", "{n} meeples in hand", seat.meeples).format(n=seat.meeples)
    more = [f"{other.name}: {other.number}" for other in seat.others]
    more += seat.holds
    if seat.hand:
        more.append(format_hand([tile.words for tile in seat.hand]))
    more += [text for text in (seat.hidden, seat.bank, seat.remark) if text]
    name = " ".join((seat.name, _("(you)"))) if seat.mine else seat.name
    return "; ".join([f"{name}: {words.format_points(seat.score)}, {meeples}", *more]) + "."


def _cell(text: str) -> tuple[int, int] | None:
    match = CELL.search(text)
    if match is None:
        return None
    return int(match[1]), int(match[2])


def _sentence(text: str) -> str:
    return capitalise(text) if text.endswith(".") else f"{capitalise(text)}."
