"""Playing a record through, entry by entry, and checking each by the rules.

A record holds entries, not answers: a seat that is asked and has no entry has declined. Nor does it say who
drew which tile into a hand. But the entries of a seat name its tiles in the order in which they left its
hand, and no rule depends on the others that it held, so it is dealt the tiles that it will need next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..actions import FORMS, Action, Draw, Form, Kind, Pass, Place, Recall
from ..checks import check_keys, read_at
from ..errors import IllegalAction, InvalidRecord
from ..events import Discarded, PutAside, Scored
from ..game import Game
from ..legal import LegalActions
from ..placements import list_drawable
from ..state import Laid
from ..tiles import Deploy
from .schema import check_player, known_tile, read_rotation, reason


class Turn(NamedTuple):
    """A placed tile of a record: how many placements were legal, and what it scored."""

    legal_placements: int
    scored: tuple[Scored, ...]


class Reader:
    """The game so far, and the position among the entries."""

    def __init__(self, game: Game, start: list[Laid], entries: list[Any]) -> None:
        self.game = game
        self.entries = entries
        self.at = 0  # index of the entry that is read
        self.turns: list[Turn] = []
        self.scorings: list[Scored] = []
        self._used: Counter[str] = Counter(laid.tile for laid in start)
        self._dealt: set[int] = set()  # indexes of the entries whose tiles are drawn
        self._let_go: list[tuple[int, str]] = []  # held tiles that fitted nowhere, before their entries

    def read(self, *, final: bool) -> None:
        """Play all entries, with *final* also those of the end. Raises :class:`InvalidRecord`."""
        while self.at < len(self.entries):
            entry = self.entries[self.at]
            if isinstance(entry, dict) and entry.get("at_end") is True:
                break
            self._run_step(self._enter, entry)
            self.at += 1
        if final or self.at < len(self.entries):
            self._run_step(self._end)

    def _run_step(self, step: Callable[..., None], *args: Any) -> None:
        """Run *step*, adding the number of the current entry to what it raises."""
        try:
            step(*args)
        except IllegalAction as error:
            raise InvalidRecord(reason(error), entry=self.at + 1, rule=error.rule) from None
        except InvalidRecord as error:
            raise InvalidRecord(error.reason, entry=error.entry or self.at + 1, rule=error.rule) from None

    def _play(self, action: Action) -> None:
        holding = bool(self.game.state.hands)
        self.game = self.game.play(action)
        for event in self.game.events:
            if isinstance(event, Scored):
                self.scorings.append(event)
            elif holding and isinstance(event, Discarded | PutAside):
                self._let_go.append((event.seat, event.tile))

    # Entries

    def _enter(self, entry: Any) -> None:
        if not isinstance(entry, dict):
            raise InvalidRecord("not an object")
        self._deal()
        if "discard" in entry:
            self._discard(entry)
        elif own := [form for form in FORMS.values() if form.key in entry and not form.inline]:
            self._stray(entry, own[0])
        else:
            self._turn(entry)

    def _stray(self, entry: Mapping[str, Any], form: Form[Any]) -> None:
        """Refuse an entry that answers a step, as no step asks its player now."""
        check_keys(entry, {"player", form.key}, {"at_end"})
        check_player(entry["player"], len(self.game.state.scores))
        raise InvalidRecord(f"{form.key} that is not asked for now, or out of order", rule=form.rule)

    def _discard(self, entry: Mapping[str, Any]) -> None:
        check_keys(entry, {"player", "discard"}, set())
        player, drawn = self._tile(entry, "discard")
        if (player, drawn) in self._let_go:
            self._let_go.remove((player, drawn))
            return
        self._check_player(player)
        if self.game.decision.kind == "place":
            raise InvalidRecord(f"discard of a tile that fits: {drawn}", rule="BASE-15")
        self._draw(drawn)
        if self.game.state.drawn is not None:
            raise InvalidRecord(f"discard of a tile that fits: {drawn}", rule="BASE-15")

    def _turn(self, entry: Mapping[str, Any]) -> None:
        inline = {form.key: form for form in FORMS.values() if form.inline}
        check_keys(entry, {"player", "tile", "at", "rotation"}, {"deploy", "recall", *inline})
        player, drawn = self._tile(entry, "tile")
        self._check_player(player)
        if self._let_go:
            raise InvalidRecord(f"illegal placement: {drawn} fits nowhere", rule="BASE-15")
        if self.game.decision.kind != "place":
            self._draw(drawn)
            if self.game.state.drawn is None:
                raise InvalidRecord(f"illegal placement: {drawn} fits nowhere", rule="BASE-15")
        action = Place(drawn, *read_at(entry["at"]), read_rotation(entry["rotation"]), _figure(entry))
        before, count = len(self.scorings), 0
        legal = LegalActions(self.game.state)
        self._play(action)
        count = len(legal.placements_of(drawn))
        mine = self.at
        answered = self._answers(entry, inline)
        for key in sorted(set(inline) & set(entry) - answered):
            raise InvalidRecord(f"{key} that is not asked for", entry=mine + 1, rule=inline[key].rule)
        self.turns.append(Turn(count, tuple(self.scorings[before:])))

    def _answers(self, entry: Mapping[str, Any], inline: Mapping[str, Form[Any]]) -> set[str]:
        """Answer every step that the turn of *entry* asks for; return the keys that were used."""
        used: set[str] = set()
        mine = self.at
        while True:
            step = self.game.legal_actions().step
            if step is None or step not in self.game.rules.turn:
                return used
            form = FORMS[step.form]
            if not form.inline:
                self._answer_apart(form, at_end=False)
            elif form.key in entry and form.key not in used:
                used.add(form.key)
                try:
                    self._play(_load_action(form, entry[form.key]))
                except IllegalAction as error:
                    raise InvalidRecord(reason(error), entry=mine + 1, rule=error.rule) from None
            elif Pass() in self.game.legal_actions():
                self._play(Pass())
            else:
                raise InvalidRecord(f"{form.key} is missing", entry=mine + 1, rule=form.rule)

    def _answer_apart(self, form: Form[Any], *, at_end: bool) -> None:
        """Play the answer of the seat that is asked, from an entry of its own, or let it decline."""
        following = self.at if at_end else self.at + 1
        entry: Any = self.entries[following] if following < len(self.entries) else None
        if not (
            isinstance(entry, dict)
            and form.key in entry
            and bool(entry.get("at_end", False)) == at_end
            and entry.get("player") == self.game.decision.seat
        ):
            self._play(Pass())
            return
        self.at = following
        check_keys(entry, {"player", form.key}, {"at_end"})
        if entry.get("at_end", True) is not True:
            raise InvalidRecord("at_end is true or left out")
        self._play(_load_action(form, entry[form.key]))
        if at_end:
            self.at += 1

    def _end(self) -> None:
        """Play the transfers before the final scoring."""
        game = self.game
        if game.decision.kind in ("draw", "place") and game.state.cell is None:
            self.game = game.cut_short()
        while (step := self.game.legal_actions().step) is not None:
            self._answer_apart(FORMS[step.form], at_end=True)
        if self.at < len(self.entries):
            raise InvalidRecord("an entry that nothing asks for at the end", rule="COUNT-22")

    # Tiles

    def _tile(self, entry: Mapping[str, Any], key: str) -> tuple[int, str]:
        """Player and tile of *entry*, which must not exceed the copies in play."""
        check_player(entry["player"], len(self.game.state.scores))
        drawn = known_tile(entry[key], self.game.rules)
        if key == "tile" or not self._may_come_again:
            self._used[drawn] += 1
        if self._used[drawn] > self.game.rules.composition[drawn]:
            raise InvalidRecord(f"too many copies: {drawn}", rule="BASE-2")
        return entry["player"], drawn

    @property
    def _may_come_again(self) -> bool:
        """Return whether tiles that fit nowhere go back into the bag (HR-6)."""
        return any(
            isinstance(module.unplaceable(0, ""), PutAside)
            for module in self.game.rules.asking("unplaceable")
        )

    def _check_player(self, player: int) -> None:
        seat = self.game.state.turn_seat
        if player != seat:
            raise InvalidRecord(f"wrong player: it is the turn of player {seat}", rule="BASE-6")

    def _draw(self, drawn: str) -> None:
        self._dealt.add(self.at)
        self._play(Draw(drawn))

    def _deal(self) -> None:
        """Draw into the hands the tiles their owners will need next."""
        while self.game.decision.kind == "draw" and self.game.state.dealing:
            self._play(Draw(self._due(self.game.state.dealing[0])))

    def _due(self, seat: int) -> str:
        """The next tile of *seat* in the entries; if there is none, a tile that no seat will need."""
        needed: Counter[str] = Counter()
        legal = list_drawable(self.game.state)
        for index in range(self.at, len(self.entries)):
            entry = self.entries[index]
            if index in self._dealt or not isinstance(entry, dict):
                continue
            tile = entry.get("tile", entry.get("discard"))
            if not isinstance(tile, str):
                continue
            if entry.get("player") == seat and tile in legal:
                self._dealt.add(index)
                return tile
            needed[tile] += 1
        remaining = self.game.state.remaining
        return max(legal, key=lambda tile: remaining[tile] - needed[tile])


def _load_action(form: Form[Kind], stored: Any) -> Kind:
    """The action of *form* *stored* in a record."""
    try:
        return form.load(stored)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InvalidRecord(f"{form.key} is not as it should be") from None


def _figure(entry: Mapping[str, Any]) -> Deploy | Recall | None:
    if "deploy" in entry and "recall" in entry:
        raise InvalidRecord("both deploy and recall", rule="ABBOT-3")
    if "recall" in entry:
        return Recall(*read_at(entry["recall"]))
    if "deploy" not in entry:
        return None
    deploy = entry["deploy"]
    if not isinstance(deploy, dict):
        raise InvalidRecord("deploy is no object")
    check_keys(deploy, {"meeple", "on"}, {"side"})
    if not all(isinstance(value, str) for value in deploy.values()):
        raise InvalidRecord("deploy names its figure and spot by text")
    return Deploy(deploy["meeple"], deploy["on"], deploy.get("side"))
