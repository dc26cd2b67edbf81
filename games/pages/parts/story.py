"""The story of a game, in words: the last turns, and how the end came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.references import show
from core.numerals import format_signed
from games import rules, words
from games.models import Ending, How, Seat, Status
from games.pages.parts.score_sheet import list_scored
from games.pages.scene import Scene
from games.pages.scene.addresses import Urls
from games.rules import (
    Returned,
)
from games.selectors.moves import Stored
from games.tables.visits import UNKNOWING
from games.words.acts import ACTS, format_act
from games.words.decisions import OVERDUE, STANDING
from games.words.people import mark_names, remove_marks

MOST_TOLD = 12
"""Maximum number of turns told: two rounds of the largest table."""

LEFT_ALONE: Mapping[str, Any] = {
    Ending.RESIGNED: gettext_lazy("{player} has won by resignation."),
    Ending.TIME_OUT: gettext_lazy("{player} has won on time."),
    Ending.DECIDED: gettext_lazy("{player} has won by a moderator's decision."),
    Ending.HARD_END: gettext_lazy("Time was up for the game. {player} has won, having used less time."),
}
"""Sentences for endings whose winner need not have the most points."""
ABORTED: Mapping[str, Any] = {
    Ending.RESIGNED: gettext_lazy("The game ended before everyone had played: a player resigned."),
    Ending.TIME_OUT: gettext_lazy("The game ended before everyone had played: a player ran out of time."),
    Ending.AGREED: gettext_lazy("Everyone agreed to end the game. Nobody won or lost."),
    Ending.STOPPED: gettext_lazy("The game ended early, before anyone's second turn."),
    Ending.CALLED_OFF: gettext_lazy("The organisers called the game off, and decide how it counts."),
    Ending.ANNULLED: gettext_lazy("A moderator ended the game early. Nobody won or lost."),
    Ending.CANCELLED: gettext_lazy("The table was cancelled before the game began."),
    Ending.EXPIRED: gettext_lazy("The table was closed because no one joined."),
}


def explain_automatic_answer(action: str, how: str, player: str) -> tuple[str, ...]:
    """Say why a turn or an answer was played automatically."""
    if action == "place":
        return (_("{player} had planned this turn.").format(player=player),) if how == How.PLAN else ()
    why = {How.TIME_OUT: OVERDUE, How.PLAN: STANDING}.get(How(how), {})
    return (str(why[action]).format(player=player),) if action in why else ()


def describe_decline(action: str, how: str, player: str) -> tuple[str, ...]:
    """Say that *player* declines, if the action is a pass; the events that follow are described after it."""
    if action != "pass":
        return ()
    said = {
        How.TIME_OUT: _("{player} didn't answer, which counts as declining."),
        How.PLAN: _("{player} declined, by a standing answer."),
    }.get(How(how), _("{player} declined."))
    return (said.format(player=player),)


class Links(NamedTuple):
    """The addresses for names and places in sentences."""

    place: str  # the address of the place in column 0, row 0
    people: tuple[tuple[str, str, int], ...]  # each with name, page if there is one, and colour


def by_caretaker(move: Stored, seat: Seat) -> bool:
    """Return whether the house bot played *move* while standing in for the player of *seat*."""
    return move["how"] == How.BOT and not seat.bot


class StoryEntry(NamedTuple):
    """One turn, or an act of the table, in words."""

    ply: int | None
    look: int | None
    heading: str
    marked: tuple[str, ...]  # sentences in which names are marked, for a page to link them
    url: str
    placement: tuple[int, int, int] | None = None  # column and row of a placed tile, and its seat
    number: int = 0  # of the tile among those placed, as on the board; none where it is the only one
    line: str = ""  # a turn in one line, without its points: "Anna · 5, 0 · highwayman · closes a road"
    gains: str = ""  # points by player: "+3, Bruno +4"

    @property
    def unnumbered(self) -> StoryEntry:
        """A copy without the number, which changes from page to page."""
        return self._replace(number=0)

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(remove_marks(sentence) for sentence in self.marked)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines for a mail: that of a turn, otherwise the sentences."""
        return (self.line,) if self.line else self.sentences

    @property
    def text(self) -> str:
        """The entry in a plain-text mail: "1. Anna · 5, 0 · highwayman · closes a road +3"."""
        number = f"{self.number}." if self.number else ""
        return " ".join(filter(None, (number, *self.lines, self.gains)))


class ScoreChange(NamedTuple):
    """The change of a seat's score in a story."""

    look: int
    name: str
    before: int
    after: int
    gain: str  # with its sign
    url: str  # of the player's page, if there is one


class Begin(NamedTuple):
    """The version after which a story begins, with its headings."""

    version: int
    heading: str
    quiet: str


@dataclass(frozen=True, slots=True)
class Story:
    """The events since the viewer last looked, for pages and mails."""

    heading: str
    quiet: str  # remark that nothing happened
    again: str  # the heading of the last round, where that is told because no turn was played
    told: tuple[StoryEntry, ...]  # the newest turns
    earlier: int  # number of turns before them
    changes: tuple[ScoreChange, ...]  # of the seats that have scored
    unscored: str  # remark that no seat has scored, though turns were played
    home: str  # the reader's meeples that came home, in words
    placements: tuple[tuple[int, int, int], ...]  # of the turns told: column, row, seat
    play_url: str  # address of the playback
    links: Links


def build_story(scene: Scene, recent: Sequence[Stored], seen: int | None) -> Story:
    """Build the story since the viewer last played or, at version *seen*, last looked, whichever is later.

    Viewers who have done neither get the last round. *recent* are the moves since *seen*, as
    :func:`load_recent_moves` loads them.
    """
    begin = _begin(recent, scene.me, seen)
    lately = _last_round(recent, len(scene.seats))
    after = lately if begin is None else begin.version
    moves = [move for move in recent if move["version"] > after]
    lines = build_story_entries(scene, moves)
    turns = begin is not None and bool(lines)
    changes = () if begin is None else _changes(scene, moves)
    quiet = again = ""
    if begin is not None and not lines:
        ended = any(move["action"]["type"] == "final" for move in moves)
        quiet = "" if ended else begin.quiet
        lines = build_story_entries(scene, recent, after=lately)
        again = _("Latest turns") if lines else ""
    shown = _number_tiles(lines[-MOST_TOLD:])
    return Story(
        heading=_("Latest turns") if begin is None else begin.heading,
        quiet=quiet,
        again=again,
        told=tuple(shown),
        earlier=len(lines) - len(shown),
        changes=changes,
        unscored=_("No points scored.") if turns and not changes else "",
        home="" if scene.me is None or begin is None else _came_home(moves, scene.me),
        placements=tuple(entry.placement for entry in shown if entry.placement is not None),
        play_url=_playback(scene.urls, [line.ply for line in lines if line.ply]),
        links=build_links(scene),
    )


def build_links(scene: Scene) -> Links:
    """Return the addresses of the places and players on the board of *scene*."""
    urls = (seat.player_url for seat in scene.seats)
    return Links(scene.url("space", "0,0"), tuple(zip(scene.names, urls, scene.looks, strict=True)))


def _begin(recent: Sequence[Stored], me: Seat | None, seen: int | None) -> Begin | None:
    """Find where the story begins for *me*; ``None`` if they have neither played nor looked. Turns of whoever
    had the seat before are not theirs."""
    at_seat = [move for move in recent if me is not None and move["seat"] == me.index]
    came = max((move["version"] for move in at_seat if "came" in move["action"]), default=0)
    own = [
        move["version"]
        for move in at_seat
        if move["version"] > came and move["ply"] is not None and move["how"] not in UNKNOWING
    ]
    if own and own[-1] > (seen or 0):
        return Begin(own[-1], _("Since your last turn"), _("Nothing has happened since your last turn."))
    if seen is None:
        told_before = me is None or not recent or recent[0]["version"] > 1
        return None if told_before else Begin(0, _("So far"), "")
    return Begin(seen, _("Since your last visit"), _("Nothing has happened since your last visit."))


def _last_round(recent: Sequence[Stored], seats: int) -> int:
    """The version after which the last round began."""
    placed = [move["version"] for move in recent if move["ply"] is not None]
    return placed[-seats] - 1 if len(placed) > seats else 0


def _changes(scene: Scene, moves: Sequence[Stored]) -> tuple[ScoreChange, ...]:
    """The changed scores; *moves* must be the game's last, as the scores before are counted back from now."""
    gained = [0] * len(scene.seats)
    for scored in list_scored(event for move in moves for event in move["events"]):
        gained[scored.seat] += scored.points
    return tuple(
        ScoreChange(
            seat.look,
            name,
            seat.score - gain,
            seat.score,
            format_signed(gain),
            seat.player_url,
        )
        for seat, name, gain in zip(scene.seats, scene.names, gained, strict=True)
        if gain
    )


def _came_home(moves: Sequence[Stored], me: Seat) -> str:
    """The meeples of *me* that came home in *moves*, each named by where it stood."""
    events = [rules.event_from_json(event) for move in moves for event in move["events"]]
    home = [event for event in events if isinstance(event, Returned) and event.seat == me.index]
    figures = ", ".join(words.name_figure(returned.meeple, returned.on) for returned in home)
    if not home:
        return ""
    return ngettext("Your meeple is back: {figures}.", "Your meeples are back: {figures}.", len(home)).format(
        figures=figures
    )


def _number_tiles(lines: Sequence[StoryEntry]) -> list[StoryEntry]:
    """Number the placed tiles of *lines*, if there are several."""
    several = sum(line.placement is not None for line in lines) > 1
    count = 0
    numbered = []
    for line in lines:
        count += line.placement is not None
        numbered.append(line._replace(number=count) if several and line.placement is not None else line)
    return numbered


def _playback(urls: Urls, plies: Sequence[int]) -> str:
    if not plies:
        return ""
    return f"{urls.ply(plies[0] - 1)}?until={plies[-1]}#play"


def build_story_entries(scene: Scene, moves: Sequence[Stored], *, after: int = 0) -> list[StoryEntry]:
    """Describe the *moves* after that version, oldest first; one query if moderators' reasons name people."""
    names = mark_names(scene.names)
    acts = [move for move in moves if move["version"] > after and move["action"]["type"] in ACTS]
    said = iter(show(format_act(move["action"], move["seat"], names) for move in acts))
    entries: list[StoryEntry] = []
    for move in moves:
        if move["version"] <= after or move["action"]["type"] == "final":
            continue
        seat = move["seat"]
        events = [rules.event_from_json(event) for event in move["events"]]
        sentences = words.tell_events(events, names)
        if seat is not None:
            answer = move["action"]["type"], move["how"], names[seat]
            sentences = (*describe_decline(*answer), *sentences, *explain_automatic_answer(*answer))
            if by_caretaker(move, scene.seats[seat]):
                sentences = (*sentences, _("The bot, standing in, played this."))
        if move["action"]["type"] in ACTS:
            sentences = (next(said),)
        if not sentences:
            continue
        ply = move["ply"]
        heading = scene.names[seat] if seat is not None else ""
        look = scene.looks[seat] if seat is not None else None
        url = scene.urls.ply(ply) if ply else ""
        line, gains = ("", "") if seat is None else _tell_in_one_line(events, seat, scene.names)
        entries.append(
            StoryEntry(ply, look, heading, sentences, url, _placed_at(move), line=line, gains=gains)
        )
    return entries


def _tell_in_one_line(events: Sequence[rules.Event], seat: int, names: Sequence[str]) -> tuple[str, str]:
    """The turn of *seat* in one line, and what it brought to whom, *seat* first."""
    summary = words.summarise_turn(events, names)
    if summary is None:
        return "", ""
    scorers = sorted(summary.gains.items(), key=lambda gain: (gain[0] != seat, gain[0]))
    gains = (
        format_signed(n) if scorer == seat else f"{names[scorer]} {format_signed(n)}" for scorer, n in scorers
    )
    return " · ".join((names[seat], *summary.parts)), ", ".join(gains)


def format_result(scene: Scene) -> str:
    """Say how the game, which has ended, ended: who won, or why it counts for nobody."""
    game = scene.game
    if scene.overruled is not None:
        return scene.overruled.headline
    if game.status == Status.ABORTED:
        return str(ABORTED.get(game.ending, _("The game was ended early.")))
    winners = [seat for seat in scene.seats if seat.rank == 1]
    who = ", ".join(scene.names[seat.index] for seat in winners)
    if game.ending in LEFT_ALONE and len(winners) == 1:
        return str(LEFT_ALONE[game.ending]).format(player=who)
    points = words.format_points(winners[0].score) if winners else ""
    return ngettext(
        "{players} won with {points}.", "{players} tied for first place with {points}.", len(winners)
    ).format(players=who, points=points)


def explain_missing_scoring(scene: Scene) -> str:
    """Return why the game ended without a final scoring; empty if a moderator decided it, which is told
    elsewhere."""
    game = scene.game
    if game.status == Status.ABORTED and scene.verdict is None:
        return _("The game ended early, before everyone had played, so it counts for nobody.")
    if game.ending == Ending.SCORED:
        return format_act({"type": "hard_end", "by": "score"}, None, ())
    if game.ending == Ending.DECIDED:
        return ""
    return _("The game ended early, without a final scoring: all points are from turns.")


def format_events(scene: Scene, moves: Sequence[Stored], *, after: int) -> str:
    """The *moves* after that version as one text, to be read out."""
    return " ".join(
        sentence for entry in build_story_entries(scene, moves, after=after) for sentence in entry.sentences
    )


def build_final_scoring(scene: Scene, moves: Sequence[Stored]) -> tuple[StoryEntry, ...]:
    """Return what the end of the game brought to each seat; nothing before the end."""
    end = next((move for move in moves if move["action"]["type"] == "final"), None)
    if end is None:
        return ()
    gained = Counter[int]()
    for scored in list_scored(end["events"]):
        gained[scored.seat] += scored.points
    return tuple(
        StoryEntry(
            None,
            seat.look,
            _("{player}: {points}").format(player=name, points=words.format_points(gained[seat.index])),
            (),
            "",
        )
        for seat, name in zip(scene.seats, scene.names, strict=True)
    )


def _placed_at(move: Stored) -> tuple[int, int, int] | None:
    return next(iter(list_last_placements([move], 1)), None)


def list_last_placements(moves: Sequence[Stored], count: int) -> list[tuple[int, int, int]]:
    """Return where the last *count* tiles were placed, and by whom."""
    placed = [
        (event["x"], event["y"], event["seat"])
        for move in moves
        for event in move["events"]
        if event["type"] == "placed"
    ]
    return placed[-count:]
