"""What the page of a game shows, put together for one viewer. Templates show it and compute nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.access import may_resign, on_turn
from games.memoize import memoize
from games.models import Game, Status, Visibility, Visit
from games.pages.inspection.layers import Inspection, Target, inspection
from games.pages.parts.chat import Talk, talks
from games.pages.parts.notes import Notepad, note_for
from games.pages.parts.score_sheet import chart, sheet
from games.pages.parts.seats import Quarter, SeatCard, quarters, seat_cards
from games.pages.parts.status import Clock, Watch, clock, headline, watch
from games.pages.parts.story import Story, Told, final_scoring, happened, story
from games.pages.parts.tiles_left import Kind, count_left, kinds_left
from games.pages.rulebook import contents
from games.pages.scene import Scene
from games.pages.scene.addresses import Steps, Urls, steps
from games.pages.scene.picture import Map, Miniature, drawn, map_of, miniature, outlines
from games.pages.turn.decision import Question, question, standing_answer
from games.pages.turn.hand import EMPTY_LAYER, Hand, asked, hand
from games.selectors.moves import recent_moves
from games.selectors.waiting import following, waiting_games
from games.tables import visits
from games.tables.visits import CurrentVisit
from games.words import edges, rule_sets

SEEN_BY: Mapping[str, Any] = {
    Visibility.PUBLIC: gettext_lazy("Public: everybody sees the board and the table talk."),
    Visibility.LINK: gettext_lazy("By link: whoever has the address sees the board and the table talk."),
    Visibility.PRIVATE: gettext_lazy("Private: only the players see the board and the table talk."),
}


@dataclass(frozen=True, slots=True)
class Table:
    """The page of a game that has begun, for one viewer."""

    game: Game
    urls: Urls
    sprite: str
    seats: tuple[SeatCard, ...]
    me_look: int | None  # of the viewer's seat
    headline: str
    seen_by: str
    clock: Clock | None
    hand: Hand | None  # the viewer's, when it is their turn
    in_hand: Miniature | None  # somebody else's tile
    question: Question | None  # what the viewer is asked besides placing a tile
    quarters: tuple[Quarter, ...]  # of Carcassonne
    transfers: str | None  # the viewer's standing answer about them
    map: Map
    watch: Watch | None  # none when nothing more can happen
    story: Story
    ending: tuple[Told, ...]
    chart: SafeString  # of the scores, when the game has ended
    inspection: Inspection
    remaining: tuple[Kind, ...]
    tiles_left: str
    edges: str  # of a limited table
    steps: Steps
    talks: tuple[Talk, ...]
    note: Notepad | None  # the viewer's, about the game as a whole
    # What templates keep for everybody is asked only by the first who looks.
    rules: Callable[[], tuple[tuple[str, str], ...]]
    all_rules: Callable[[], list[tuple[str, str]]]
    pages: Callable[[], list[contents.Page]]
    next_game: Game | None  # where else it is the viewer's turn
    games_waiting: int | None  # for the viewer, if they sit here
    skips: bool  # whether going there leaves a turn for later
    may_resign: bool
    may_rematch: bool
    rematch: Game | None
    refused: str  # why something was refused
    sent: str  # what of the viewer has just been played
    news: str  # what others have done since the page was asked last
    visit: CurrentVisit | None  # the viewer's, to be written down; none of who is not signed in


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
    game, me = scene.game, scene.me
    known = _visits(scene)
    viewer = scene.viewer
    visit = visits.current_visit(known.get(viewer.pk), timezone.now()) if viewer.is_authenticated else None
    since = visit.since if visit else None
    recent = recent_moves(game, 0 if game.ended else since)
    told = story(scene, recent, since)
    my_turn = on_turn(me, game)
    shown = put = None
    if my_turn and scene.played.decision.kind != "place":
        put = question(scene.played, scene.names, line=line)
    elif my_turn:
        shown = hand(scene, *asked(scene.played, asking, line))
    waiting = waiting_games(me.player) if me and me.player else []
    scored = [(move["ply"], move["events"]) for move in recent] if game.ended else []
    talked = talks(scene)
    return Table(
        game=game,
        urls=scene.urls,
        sprite=scene.picture.sprite,
        seats=seat_cards(scene, turn_seen=_turn_seen(scene, known)),
        me_look=None if me is None else me.look,
        headline=headline(scene),
        seen_by=SEEN_BY[game.visibility],
        clock=clock(scene),
        hand=shown,
        in_hand=_in_hand(scene) if not my_turn else None,
        question=put,
        quarters=quarters(scene),
        transfers=standing_answer(scene),
        map=board_map(scene, told.placements, shown.layer if shown else EMPTY_LAYER),
        watch=watch(scene, max(talk.last for talk in talked)),
        story=told,
        ending=final_scoring(scene, recent),
        chart=chart(sheet(scored, scene.seats), scene.seats, game.ply) if scored else SafeString(),
        inspection=inspection(scene, asking.get("show", ""), target),
        remaining=kinds_left(scene),
        tiles_left=count_left(scene.state.left),
        edges=edges(scene.state),
        steps=steps(scene.urls.ply, game.ply, game.ply),
        talks=talked,
        note=note_for(game, viewer),
        rules=lambda: _rules(game),
        all_rules=lambda: rule_sets.rule_set(game.rules),
        pages=lambda: contents.concerning(game.rules),
        next_game=following(waiting, game.code),
        games_waiting=len(waiting) if me and me.player else None,
        skips=my_turn,
        may_resign=may_resign(me, game),
        may_rematch=game.ended and me is not None and game.started is not None,
        rematch=game.rematches.exclude(status=Status.ABORTED).first() if game.ended else None,
        refused=refused,
        sent=sent,
        news="" if after is None else happened(scene, recent, after=after),
        visit=visit,
    )


def board_map(scene: Scene, last: tuple[tuple[int, int, int], ...], layer: SafeString) -> Map:
    """The drawn board with the *last* placements outlined, under *layer*."""
    return map_of(scene.picture, layer, svg=_drawn(scene, last))


@memoize("drawn boards", 64, key=lambda scene, last: (scene.drawn_from, last))
def _drawn(scene: Scene, last: tuple[tuple[int, int, int], ...]) -> SafeString:
    return drawn(replace(scene.picture, outlines=outlines(last, scene.looks, scene.names)))


def _visits(scene: Scene) -> dict[int, Visit]:
    """The viewer's visit; for the players also that of the seat awaited, if its player lets others see it."""
    game = scene.game
    if not scene.viewer.is_authenticated:
        return {}
    awaited = None if scene.me is None or game.awaited is None else scene.seats[game.awaited].player
    return visits.rows(game, {scene.viewer.pk} | ({awaited.pk} if awaited and awaited.shows_looks else set()))


def _turn_seen(scene: Scene, known: Mapping[int, Visit]) -> bool:
    """Whether the viewer may know that somebody else has seen the turn that is awaited."""
    game, me = scene.game, scene.me
    if game.awaited is None or me is None or me.index == game.awaited or scene.seats[game.awaited].left:
        return False
    visit = known.get(scene.seats[game.awaited].player_id or 0)
    return visit is not None and visit.seen >= game.turn_version


def _in_hand(scene: Scene) -> Miniature | None:
    """The tile that somebody else is to place; drawn tiles lie open on the table."""
    drawn = scene.state.drawn
    return miniature(drawn) if drawn and scene.game.status == Status.PLAYING else None


def _aids(game: Game) -> str:
    """Whether the page works out for players what they could work out themselves."""
    if not game.purist:
        return _("all: chances, dead spaces, majorities, points to come")
    if game.ended:
        return _("none that compute, until the game was over")
    return _("none that compute, until the game is over")


def _rules(game: Game) -> tuple[tuple[str, str], ...]:
    """What this game is played by, in words."""
    days = ngettext("{n} day", "{n} days", game.days_per_move).format(n=game.days_per_move)
    return (
        *rule_sets.brief(game.rules),
        (_("Time for each turn"), days),
        (_("Rated"), _("yes") if game.rated else _("no")),
        (_("Aids"), _aids(game)),
        (_("Who sees it"), str(SEEN_BY[game.visibility])),
    )
