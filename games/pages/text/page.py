"""The text board of a game: the page that a player can play by ear, put together for one viewer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games import words
from games.access import may_resign, on_turn
from games.pages.parts.at_table import AtTable, at_table
from games.pages.parts.chat import Talk, talks
from games.pages.parts.seats import quarters_in_words, seat_cards
from games.pages.parts.status import Clock, clock, headline, how_often
from games.pages.parts.story import Story, Told, final_scoring, story
from games.pages.parts.tiles_left import count_left
from games.pages.parts.visit import seen
from games.pages.scene import Scene
from games.pages.scene.picture import Miniature, miniature
from games.pages.text import board, commands
from games.pages.text.commands import Reply, Sight
from games.pages.turn.decision import Question, question, standing_answer
from games.selectors.waiting import next_game

if TYPE_CHECKING:
    from games.models import Game
    from games.pages.scene.addresses import Urls
    from games.tables.visits import CurrentVisit


@dataclass(frozen=True, slots=True)
class TextPage:
    """The page in words of a game that has begun, for one viewer."""

    game: Game
    urls: Urls
    headline: str
    clock: Clock | None
    reply: Reply  # to the line
    tiles: tuple[Miniature, ...]  # which the viewer may place, or the one that somebody else has in hand
    placing: bool
    question: Question | None
    naming: str  # a line that names its tile, where the viewer may choose from several
    cells: list[board.Cell]  # every legal turn
    story: Story
    ending: tuple[Told, ...]
    seats: tuple[str, ...]
    features: list[board.FeatureGroup]
    quarters: tuple[str, ...]
    rows: list[board.Row]
    edges: str  # of a limited table
    open_cells: list[board.OpenCell]
    remaining: tuple[Miniature, ...]
    tiles_left: str
    talks: tuple[Talk, ...]
    plan_notes: tuple[str, ...]  # what has become of the viewer's plans for this turn
    plan_url: str  # where the viewer, who waits, can plan the next turn
    transfers: str | None  # the viewer's standing answer about Carcassonne
    may_resign: bool
    at_table: AtTable  # what else may be done
    next_game: Game | None
    watching: str  # how often the page looks for news
    visit: CurrentVisit | None  # the viewer's, to be written down; none of who is not signed in


def text_page(scene: Scene, *, line: str = "", refused: str = "") -> TextPage:
    """The page of a game that has begun, with the answer to *line*.

    *refused* says why the turn *line*, which was sent, was not played.
    """
    game, me, played, state = scene.game, scene.me, scene.played, scene.state
    known = seen(scene)
    awaited = on_turn(me, game)
    placing = awaited and played.decision.kind == "place"
    put = question(played, scene.names) if awaited and not placing else None
    told = story(scene, known.recent, known.since)
    cards = seat_cards(scene)
    left = clock(scene)
    waits = headline(scene)
    sight = Sight(
        played=played,
        names=scene.names,
        me=None if me is None else me.index,
        headline=waits,
        clock=left.left if left else "",
        seats=cards,
        told=told.told,
        told_heading=told.heading,
        question=put,
        placing=placing,
        over=game.ended,
    )
    legal = played.legal_actions() if placing else None
    in_hand = state.playable if placing or (state.drawn and not game.ended) else ()
    return TextPage(
        game=game,
        urls=scene.urls,
        headline=waits,
        clock=left,
        reply=Reply((refused,), kept=line, wrong=True) if refused else commands.reply(line, sight),
        tiles=tuple(_named(miniature(id), id) if len(in_hand) > 1 else miniature(id) for id in in_hand),
        placing=placing,
        question=put,
        naming=commands.example(sight) if placing and len(in_hand) > 1 else "",
        cells=[] if legal is None else board.cells(legal),
        story=told,
        ending=final_scoring(scene, known.recent),
        seats=tuple(commands.seat_words(card) for card in cards),
        features=board.features(state, scene.names),
        quarters=quarters_in_words(scene),
        rows=board.rows(state, scene.names),
        edges=words.edges(state),
        open_cells=board.open_cells(state, legal, dead=scene.dead),
        remaining=tuple(miniature(id, count) for id, count in state.remaining.items()),
        tiles_left=count_left(state.left),
        talks=talks(scene),
        plan_notes=scene.plan_notes,
        plan_url=scene.urls.plan if scene.may_plan else "",
        transfers=standing_answer(scene),
        may_resign=may_resign(me, game),
        at_table=at_table(scene, known.recent),
        next_game=next_game(me.player, game.code) if me and me.player and not awaited else None,
        watching=how_often(scene),
        visit=known.visit,
    )


def _named(tile: Miniature, id: str) -> Miniature:
    """*tile* with the name by which a line picks it out of a hand."""
    return tile._replace(words=f"{id}: {tile.words}")
