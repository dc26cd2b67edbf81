"""The page of a game that has begun, for one viewer: a list of named parts, each made by its own module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from games.pages.inspection.layers import Inspection, Target, inspection
from games.pages.parts.at_table import AtTable, at_table
from games.pages.parts.chat import Talk, talks
from games.pages.parts.ending import Ending, ending
from games.pages.parts.follow import Follow, follow
from games.pages.parts.game_rules import GameRules, game_rules
from games.pages.parts.next_game import NextGame, next_game
from games.pages.parts.notes import Notepad, note_for
from games.pages.parts.seats import Quarter, SeatCard, quarters, seat_cards
from games.pages.parts.status import StatusLine, status_line
from games.pages.parts.story import Story, happened, story
from games.pages.parts.tiles_left import TilesLeft, tiles_left
from games.pages.parts.visit import Seen, seen
from games.pages.scene import Scene
from games.pages.turn.panel import TurnPanel, turn_panel

if TYPE_CHECKING:
    from games.models import Game
    from games.pages.scene.addresses import Steps, Urls
    from games.pages.scene.picture import Map


class AboutLinks(NamedTuple):
    """Where the page leads besides what every game has."""

    propose: bool
    report: bool
    moderated: bool  # to what moderators did
    moderate: bool
    resign: bool


class Tabs(NamedTuple):
    """Which tabs there are beside the board besides those of every game."""

    notes: bool
    tiles: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The parts of the page, from top to bottom."""

    scene: Scene
    status: StatusLine
    next: NextGame
    seats: tuple[SeatCard, ...]
    map: Map
    inspection: Inspection
    steps: Steps
    turn: TurnPanel
    at_table: AtTable  # what may be done besides
    ending: Ending | None  # when the game is over
    quarters: tuple[Quarter, ...]  # of Carcassonne
    story: Story
    tiles_left: TilesLeft
    talks: tuple[Talk, ...]
    note: Notepad | None  # the viewer's, about the game as a whole
    rules: GameRules
    seen: Seen
    follow: Follow | None  # for onlookers

    @property
    def game(self) -> Game:
        return self.scene.game

    @property
    def urls(self) -> Urls:
        return self.scene.urls

    @property
    def tabs(self) -> Tabs:
        return Tabs(notes=self.note is not None, tiles=self.ending is None)

    @property
    def links(self) -> AboutLinks:
        return AboutLinks(
            propose=bool(self.at_table.propose),
            report=self.scene.viewer.is_authenticated,
            moderated=self.game.moderated,
            moderate=bool(self.at_table.moderate),
            resign=self.turn.may_resign,
        )

    @property
    def sprite(self) -> str:
        """The address of the sprite of the base game."""
        return self.scene.picture.sprite


def table_for(
    scene: Scene,
    asking: Mapping[str, str],
    *,
    line: str = "",
    refused: str = "",
    sent: str = "",
    target: Target | None = None,
    after: int | None = None,
) -> Table:
    """The page of a game that has begun.

    *asking* is the query of the address, or *line* a turn in notation that was refused: what of them is legal
    stands on the board again. *refused* says why something was refused; *sent*, that a turn was played;
    *target*, what is looked at; *after*, the version that the page showed until now.

    :raises NothingThere: at *target*
    """
    known = seen(scene)
    told = story(scene, known.recent, known.since)
    turn = turn_panel(scene, asking, line)
    talked = talks(scene)
    news = "" if after is None else happened(scene, known.recent, after=after)
    return Table(
        scene=scene,
        status=status_line(scene, max(talk.last for talk in talked), refused=refused, sent=sent, news=news),
        next=next_game(scene),
        seats=seat_cards(scene, turn_seen=known.turn_seen),
        map=scene.map(turn.layer, told.placements),
        inspection=inspection(scene, asking.get("show", ""), target),
        steps=scene.steps(),
        turn=turn,
        at_table=at_table(scene, known.recent),
        ending=ending(scene, known.recent),
        quarters=quarters(scene),
        story=told,
        tiles_left=tiles_left(scene),
        talks=talked,
        note=note_for(scene.game, scene.viewer),
        rules=game_rules(scene.game),
        seen=known,
        follow=follow(scene),
    )
