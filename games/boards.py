"""What the page of a game shows, put together for one viewer. Templates show it and compute nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import remaining, rulebook, rules
from games.access import Visitor, may_resign, on_turn
from games.forms_board import TransfersForm
from games.frames import (
    Map,
    Steps,
    Urls,
    map_of,
    mine,
    picture_of,
    seats_of,
    seen,
    steps,
    tiles_left,
    urls_of,
)
from games.hands import EMPTY_LAYER, Hand, Miniature, asked, hand, miniature
from games.holdings import Quarter, SeatCard, quarters, seat_cards
from games.inspection import Inspection, Target, inspection
from games.models import Game, Seat, Status, Visibility, Visit
from games.names import seat_names
from games.notes import Sheet as Notes
from games.notes import note_for
from games.play.positions import position
from games.questions import Question, question, waiting_for
from games.questions import asked as asks
from games.scenes import Scene
from games.sheets import chart, sheet
from games.stories import Story, Told, final_scoring, happened, recent_moves, result, story
from games.tables import visits
from games.tables.visits import Look
from games.talks import Talk, talks_for
from games.textboard import edges
from games.waiting import following, waiting_games
from games.words import rule_sets

DAY = timedelta(days=1)
SEEN_BY: Mapping[str, Any] = {
    Visibility.PUBLIC: gettext_lazy("Public: everybody sees the board and the table talk."),
    Visibility.LINK: gettext_lazy("By link: whoever has the address sees the board and the table talk."),
    Visibility.PRIVATE: gettext_lazy("Private: only the players see the board and the table talk."),
}


class Clock(NamedTuple):
    """Until when the seat awaited may play."""

    left: str
    until: str
    iso: str
    soon: bool


class Watch(NamedTuple):
    """How htmx looks for news: how often and where; the address says what the page knows."""

    often: str
    url: str


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
    transfers: TransfersForm | None  # the viewer's standing answer about them
    map: Map
    watch: Watch | None  # none when nothing more can happen
    story: Story
    ending: tuple[Told, ...]
    chart: SafeString  # of the scores, when the game has ended
    inspection: Inspection
    remaining: tuple[remaining.Kind, ...]
    tiles_left: str
    edges: str  # of a limited table
    steps: Steps
    talks: tuple[Talk, ...]
    note: Notes | None  # the viewer's, about the game as a whole
    # What templates keep for everybody is asked only by the first who looks.
    rules: Callable[[], tuple[tuple[str, str], ...]]
    all_rules: Callable[[], list[tuple[str, str]]]
    pages: Callable[[], list[rulebook.Page]]
    next_game: Game | None  # where else it is the viewer's turn
    games_waiting: int | None  # for the viewer, if they sit here
    skips: bool  # whether going there leaves a turn for later
    may_resign: bool
    may_rematch: bool
    rematch: Game | None
    refused: str  # why something was refused
    sent: str  # what of the viewer has just been played
    news: str  # what others have done since the page was asked last
    look: Look | None  # the viewer's at the game; none of who is not signed in


def table_for(
    game: Game,
    viewer: Visitor,
    asking: Mapping[str, str],
    *,
    line: str = "",
    refused: str = "",
    sent: str = "",
    target: Target | None = None,
    after: int | None = None,
) -> Table:
    """The page of *game*, which has begun, as *viewer* may see it.

    *asking* is the query of the address, or *line* a turn in notation that was refused: what of them is legal
    stands on the board again. *refused* says why something was refused; *sent*, that a turn was played;
    *target*, what is looked at; *after*, the version that the page showed until now.

    :raises NothingThere: at *target*
    """
    seats = seats_of(game)
    names = seat_names(seats)
    me = mine(seats, viewer)
    played = seen(position(game), me)
    known = _visits(game, viewer, seats, me)
    look = visits.look(known.get(viewer.pk), timezone.now()) if viewer.is_authenticated else None
    recent = recent_moves(game, 0 if game.ended else look.since if look else None)
    told = story(recent, game, seats, me, look.since if look else None)
    urls = urls_of(game)
    my_turn = on_turn(me, game)
    picture = picture_of(played.state, seats, told.placements, game)
    shown = put = None
    if my_turn and played.decision.kind != "place":
        put = question(played, names, line=line)
    elif my_turn:
        assert me is not None
        composed, notes = asked(played, asking, line)
        shown = hand(played, composed, picture, look=me.look, names=names, url=urls.table, notes=notes)
    waiting = waiting_games(me.player) if me and me.player else []
    scored = [(move["ply"], move["events"]) for move in recent] if game.ended else []
    talks = talks_for(game, viewer, seats, urls)
    scene = Scene(game, played.state, seats, me, picture)
    return Table(
        game=game,
        urls=urls,
        sprite=picture.sprite,
        seats=seat_cards(game, seats, played.state, me, turn_seen=_turn_seen(game, seats, known, me)),
        me_look=None if me is None else me.look,
        headline=headline(game, played.state, names, me, seats),
        seen_by=SEEN_BY[game.visibility],
        clock=clock(game, viewer),
        hand=shown,
        in_hand=_in_hand(played.state, game) if not my_turn else None,
        question=put,
        quarters=quarters(played.state, seats),
        transfers=transfers(game, me),
        map=map_of(picture, shown.layer if shown else EMPTY_LAYER),
        watch=watch(game, seats, me, max(talk.last for talk in talks)),
        story=told,
        ending=final_scoring(recent, seats),
        chart=chart(sheet(scored, seats), seats, game.ply) if scored else SafeString(),
        inspection=inspection(scene, asking.get("show", ""), target),
        remaining=remaining.sheet(played.state),
        tiles_left=tiles_left(played.state.left),
        edges=edges(played.state),
        steps=steps(urls.ply, game.ply, game.ply),
        talks=talks,
        note=note_for(game, viewer, urls),
        rules=lambda: _rules(game),
        all_rules=lambda: rule_sets.rule_set(game.rules),
        pages=lambda: rulebook.concerning(game.rules),
        next_game=following(waiting, game.code),
        games_waiting=len(waiting) if me and me.player else None,
        skips=my_turn,
        may_resign=may_resign(me, game),
        may_rematch=game.ended and me is not None and game.started is not None,
        rematch=game.rematches.exclude(status=Status.ABORTED).first() if game.ended else None,
        refused=refused,
        sent=sent,
        news="" if after is None else happened(game, recent, seats, after=after),
        look=look,
    )


def _visits(game: Game, viewer: Visitor, seats: Sequence[Seat], me: Seat | None) -> dict[int, Visit]:
    """The viewer's visit; for the players also that of the seat awaited, if its player lets others see it."""
    if not viewer.is_authenticated:
        return {}
    awaited = None if me is None or game.awaited is None else seats[game.awaited].player
    return visits.rows(game, {viewer.pk} | ({awaited.pk} if awaited and awaited.shows_looks else set()))


def _turn_seen(game: Game, seats: Sequence[Seat], known: Mapping[int, Visit], me: Seat | None) -> bool:
    """Whether the viewer may know that somebody else has seen the turn that is awaited."""
    if game.awaited is None or me is None or me.index == game.awaited or seats[game.awaited].left:
        return False
    visit = known.get(seats[game.awaited].player_id or 0)
    return visit is not None and visit.seen >= game.turn_version


def _in_hand(state: rules.State, game: Game) -> Miniature | None:
    """The tile that somebody else is to place; drawn tiles lie open on the table."""
    return miniature(state.drawn) if state.drawn and game.status == Status.PLAYING else None


def transfers(game: Game, me: Seat | None) -> TransfersForm | None:
    """The form of the standing answer, for whoever may be asked one day."""
    if me is None or me.left or not game.running or "count" not in game.rule_set["sets"]:
        return None
    return TransfersForm(initial={"transfers": me.transfers})


def headline(
    game: Game, state: rules.State, names: Sequence[str], me: Seat | None, seats: Sequence[Seat]
) -> str:
    """What the game waits for, or how it ended."""
    if game.status == Status.PLAYING:
        assert game.awaited is not None
        if on_turn(me, game):
            return asks(state) or _("It is your turn.")
        if seats[game.awaited].bot:
            return _("It is the house bot's turn.")
        if seats[game.awaited].left:
            return _("The house bot is playing for {player}.").format(player=names[game.awaited])
        waits = waiting_for(state, names[game.awaited])
        return waits or _("It is {player}'s turn.").format(player=names[game.awaited])
    if game.status == Status.SCORING:
        return _("The last tile is placed. The final scoring comes in a moment.")
    return result(game, seats)


def clock(game: Game, viewer: Visitor) -> Clock | None:
    """The deadline in the viewer's zone; to strangers, whose zone nobody knows, it is named."""
    if game.status != Status.PLAYING or game.deadline is None:
        return None
    local = timezone.localtime(game.deadline)
    late = game.deadline <= timezone.now()
    zone = "" if viewer.is_authenticated else f" {local:%Z}"
    return Clock(
        left=_("time is up") if late else _("{time} left").format(time=timeuntil(game.deadline)),
        until=date_format(local, "SHORT_DATETIME_FORMAT") + zone,
        iso=local.isoformat(timespec="minutes"),
        soon=game.deadline - timezone.now() < DAY,
    )


def watch(game: Game, seats: Sequence[Seat], me: Seat | None, said: int) -> Watch | None:
    """How the page of *game* looks for news; *said* is the newest message that it shows."""
    often = how_often(game, seats, me)
    return Watch(often, f"{urls_of(game).table}?since={game.version}.{said}") if often else None


def how_often(game: Game, seats: Sequence[Seat], me: Seat | None) -> str:
    """How often an open page looks for news: soon where a program is at work, rarely where a person is, and
    not at all when nothing more can happen."""
    if game.ended:
        return ""
    if on_turn(me, game):
        return "every 60s"
    if game.status == Status.SCORING or (game.awaited is not None and seats[game.awaited].played_by_program):
        return "every 3s"
    return "every 25s"


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
