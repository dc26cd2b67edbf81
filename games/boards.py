"""What the page of a game shows, put together for one viewer. Templates show it and compute nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, NamedTuple

from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import rulebook, rules, textboard, words, words_rules
from games.access import Visitor
from games.drawing.board import BoardPicture, draw_board, sprite_name
from games.forms_board import TransfersForm
from games.hands import LAYER, Hand, Miniature, asked, hand, miniature
from games.holdings import Quarter, SeatCard, quarters, quarters_in_words, seat_cards
from games.models import Ending, Game, Seat, Status, Visibility
from games.names import seat_names
from games.pictures import board_picture, sprites
from games.positions import position, position_at
from games.questions import Question, question, waiting_for
from games.questions import asked as asks
from games.rules import record
from games.selectors import next_game
from games.sheets import Sheet, sheet
from games.stories import (
    ACTS,
    FIELDS,
    Told,
    final_scoring,
    last_placements,
    recent_moves,
    since,
    told,
)

TALK_SHOWN = 20
SMALLEST_TILE = 44
"""Pixels. On a narrow screen the board scrolls in its frame instead of getting smaller than this."""
DAY = timedelta(days=1)
ABORTED: Mapping[str, Any] = {
    Ending.RESIGNED: gettext_lazy("The game was ended before everybody had played: a player resigned."),
    Ending.TIME_OUT: gettext_lazy("The game was ended before everybody had played: a player's time ran out."),
    Ending.CANCELLED: gettext_lazy("The table was cancelled before the game began."),
    Ending.EXPIRED: gettext_lazy("The table was closed because nobody came."),
}
SEEN_BY: Mapping[str, Any] = {
    Visibility.PUBLIC: gettext_lazy("Public: everybody sees the board and the table talk."),
    Visibility.LINK: gettext_lazy("By link: whoever has the address sees the board and the table talk."),
    Visibility.PRIVATE: gettext_lazy("Private: only the players see the board and the table talk."),
}
EMPTY = mark_safe(f'<svg id="{LAYER}" hidden></svg>')


class Clock(NamedTuple):
    """Until when the seat awaited may play."""

    left: str
    until: str
    iso: str
    soon: bool


class Said(NamedTuple):
    """A line of table talk."""

    author: str
    look: int | None
    at: datetime
    text: str


class Talk(NamedTuple):
    """A page of the table talk, oldest line first."""

    url: str
    older_url: str
    may_write: bool
    lines: tuple[Said, ...]


class Steps(NamedTuple):
    """The way through the plies of a game; an empty address where there is nothing further."""

    ply: int
    last: int
    first_url: str
    previous_url: str
    next_url: str
    last_url: str


class Map(NamedTuple):
    """The drawn board, the layer over it, and how small they may get, in pixels."""

    svg: SafeString
    layer: SafeString
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Urls:
    """The addresses of a game's pages, worked out once."""

    NAMES: ClassVar = (
        "table",
        "play",
        "talk",
        "scores",
        "record",
        "draw",
        "resign",
        "rematch",
        "transfers",
    )

    table: str
    play: str
    talk: str
    scores: str
    record: str
    draw: str
    resign: str
    rematch: str
    transfers: str
    history: str

    def ply(self, ply: int) -> str:
        return f"{self.history}{ply}/"


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
    watching: str  # how htmx looks for news, if at all
    told: tuple[Told, ...]
    told_heading: str
    ending: tuple[Told, ...]
    remaining: tuple[Miniature, ...]
    tiles_left: str
    steps: Steps
    talk: Talk
    rules: tuple[tuple[str, str], ...]
    all_rules: list[tuple[str, str]]
    pages: list[rulebook.Page]
    tiles_in_words: tuple[str, ...]
    open_cells: tuple[textboard.OpenCell, ...]
    next_game: Game | None
    may_resign: bool
    may_rematch: bool
    rematch: Game | None
    note: str  # why something was refused
    sent: str  # what of the viewer has just been played
    since: str  # by which the page asks for news


@dataclass(frozen=True, slots=True)
class Moment:
    """The page of one ply: the board after it, and what happened."""

    game: Game
    urls: Urls
    sprite: str
    seats: tuple[SeatCard, ...]
    map: Map
    steps: Steps
    told: Told | None
    quarters: tuple[Quarter, ...]
    heading: str
    tiles_left: str


def table_for(
    game: Game,
    viewer: Visitor,
    asking: Mapping[str, str],
    *,
    line: str = "",
    note: str = "",
    sent: str = "",
) -> Table:
    """The page of *game*, which has begun, as *viewer* may see it.

    *asking* is the query of the address, or *line* a turn in notation that was refused: what of them is legal
    stands on the board again. *note* says why something was refused; *sent*, that a turn was played.
    """
    seats = seats_of(game)
    names = seat_names(seats)
    me = mine(seats, viewer)
    played = seen(position(game), me)
    recent = recent_moves(game)
    urls = urls_of(game)
    my_turn = game.status == Status.PLAYING and me is not None and me.index == game.awaited and not me.left
    picture = _picture(played.state, seats, last_placements(recent, len(seats)), game)
    shown = put = None
    if my_turn and played.decision.kind != "place":
        put = question(played, names, line=line)
    elif my_turn:
        assert me is not None
        composed, notes = asked(played, asking, line)
        shown = hand(played, composed, picture, look=me.look, names=names, url=urls.table, notes=notes)
    version, heading = since(recent, me, len(seats))
    return Table(
        game=game,
        urls=urls,
        sprite=picture.sprite,
        seats=seat_cards(game, seats, played.state, me),
        me_look=None if me is None else me.look,
        headline=_headline(game, played.state, names, me, seats),
        seen_by=SEEN_BY[game.visibility],
        clock=_clock(game, viewer),
        hand=shown,
        in_hand=_in_hand(played.state, game) if not my_turn else None,
        question=put,
        quarters=quarters(played.state, seats),
        transfers=_transfers(game, me),
        map=_map(picture, shown.layer if shown else EMPTY),
        watching=_watching(game, seats, my_turn=my_turn),
        told=tuple(told(game, recent, seats, after=version)),
        told_heading=heading,
        ending=final_scoring(recent, seats),
        remaining=tuple(miniature(id, count) for id, count in played.state.remaining.items()),
        tiles_left=tiles_left(played.state.left),
        steps=steps(urls, game.ply, game.ply),
        talk=talk_for(game, viewer, seats, urls),
        rules=_rules(game),
        all_rules=words_rules.rule_set(game.rules),
        pages=rulebook.concerning(game.rules),
        tiles_in_words=(*quarters_in_words(played.state, seats), *textboard.tiles(played.state, names)),
        open_cells=tuple(
            textboard.open_cells(played.state, _fitting(played, shown.tile_id) if shown else ())
        ),
        next_game=next_game(me.player, game) if me and me.player and not my_turn else None,
        may_resign=game.status == Status.PLAYING and me is not None and not me.left,
        may_rematch=game.ended and me is not None and game.started is not None,
        rematch=game.rematches.exclude(status=Status.ABORTED).first() if game.ended else None,
        note=note,
        sent=sent,
        since=f"{game.version}.{last_said(game)}",
    )


def moment(game: Game, ply: int, viewer: Visitor) -> Moment:
    """The page of the board as it was after *ply*, which has been played; 0 is before any."""
    seats = seats_of(game)
    urls = urls_of(game)
    move = game.moves.filter(ply=ply, withdrawn=None).values(*FIELDS).first() if ply else None
    was = rules.view(position_at(game, move["version"] if move else 0).state, _seen_by(seats, viewer))
    last = [move] if move else []
    picture = _picture(was, seats, last_placements(last, 1), game, now=position(game).state)
    happened = next(iter(told(game, last, seats)), None)
    heading = _("The start tile") if ply == 0 else _("After turn {n} of {all}").format(n=ply, all=game.ply)
    return Moment(
        game=game,
        urls=urls,
        sprite=picture.sprite,
        seats=seat_cards(game, seats, was, mine(seats, viewer), then=True),
        map=_map(picture, EMPTY),
        steps=steps(urls, ply, game.ply),
        told=happened,
        quarters=quarters(was, seats),
        heading=heading,
        tiles_left=tiles_left(was.left),
    )


def seats_of(game: Game) -> list[Seat]:
    """The seats of *game* with their players, in order."""
    return list(game.seats.select_related("player").order_by("index"))


def mine(seats: Sequence[Seat], viewer: Visitor) -> Seat | None:
    """The seat of *viewer*, if there is one."""
    if not viewer.is_authenticated:
        return None
    return next((seat for seat in seats if seat.player_id == viewer.pk), None)


def _seen_by(seats: Sequence[Seat], viewer: Visitor) -> int | None:
    me = mine(seats, viewer)
    return None if me is None else me.index


def seen(played: rules.Game, me: Seat | None) -> rules.Game:
    """*played* as *me* may see it, without the hands that only others may see."""
    return rules.Game(rules.view(played.state, None if me is None else me.index))


def urls_of(game: Game) -> Urls:
    return Urls(
        **{name: reverse(f"games:{name}", args=[game.code]) for name in Urls.NAMES},
        history=reverse("games:ply", args=[game.code, 0]).removesuffix("0/"),
    )


def steps(urls: Urls, ply: int, last: int) -> Steps:
    """The way through the plies from *ply*."""
    return Steps(
        ply=ply,
        last=last,
        first_url=urls.ply(0) if ply > 0 else "",
        previous_url=urls.ply(ply - 1) if ply > 0 else "",
        next_url=urls.ply(ply + 1) if ply < last else "",
        last_url=urls.ply(last) if ply < last else "",
    )


def talk_for(game: Game, viewer: Visitor, seats: Sequence[Seat], urls: Urls, *, before: int = 0) -> Talk:
    """The last lines of the table talk, or those *before* a message: as many as one page shows."""
    looks = {seat.player_id: seat.look for seat in seats}
    newest = game.talk.select_related("author").order_by("-pk")
    if before:
        newest = newest.filter(pk__lt=before)
    lines = list(newest[: TALK_SHOWN + 1])
    older = lines[TALK_SHOWN - 1].pk if len(lines) > TALK_SHOWN else 0
    return Talk(
        url=urls.talk,
        older_url=f"{urls.talk}?before={older}" if older else "",
        may_write=mine(seats, viewer) is not None,
        lines=tuple(
            Said(line.author.username, looks.get(line.author_id), line.at, line.text)
            for line in reversed(lines[:TALK_SHOWN])
        ),
    )


def talk_page(game: Game, viewer: Visitor, *, before: int = 0) -> Talk:
    """A page of the table talk of *game*."""
    return talk_for(game, viewer, seats_of(game), urls_of(game), before=before)


def last_said(game: Game) -> int:
    """By which a page knows whether something new was said."""
    return game.talk.order_by("-pk").values_list("pk", flat=True).first() or 0


def scores_of(game: Game) -> tuple[Sheet, tuple[SeatCard, ...]]:
    """The score sheet of *game* and the seats that stand over its columns."""
    seats = seats_of(game)
    moves = game.moves.filter(withdrawn=None).order_by("version").values_list("ply", "events")
    return sheet(moves, seats), seat_cards(game, seats, position(game).state, None)


def record_of(game: Game) -> dict[str, Any]:
    """The record of *game* as far as it has come; it holds nothing of what is still to be drawn."""
    moves = game.moves.filter(withdrawn=None).order_by("version").values_list("action", "events")
    played = [
        rules.Played(rules.action_from_json(action), tuple(rules.event_from_json(event) for event in events))
        for action, events in moves
        if action["type"] not in ACTS
    ]
    final = any(isinstance(one.action, rules.Final) for one in played)
    return record.write(game.rules, seat_names(seats_of(game)), played, final=final)


def tiles_left(count: int) -> str:
    return ngettext("{n} tile to come", "{n} tiles to come", count).format(n=count)


def _picture(
    state: rules.State,
    seats: Sequence[Seat],
    last: Sequence[tuple[int, int, int]],
    game: Game,
    *,
    now: rules.State | None = None,
) -> BoardPicture:
    """The board of *state*, on a window that holds the game as it is *now*, so that stepping through its past
    doesn't move the table."""
    placed = list((now or state).placed)
    edge = 0.3 if game.ended else 1.1  # room for the open cells
    columns, rows = [one.x for one in placed], [one.y for one in placed]
    return board_picture(
        state,
        seats,
        last=last,
        sprite=static(sprite_name()),
        sprites=sprites(),
        title=_("The board of {game}").format(game=game.name),
        window=(min(columns) - edge, min(rows) - edge, max(columns) + 1 + edge, max(rows) + 1 + edge),
    )


def _map(picture: BoardPicture, layer: SafeString) -> Map:
    assert picture.window is not None
    left, top, right, bottom = picture.window
    return Map(
        mark_safe(draw_board(picture)),  # the drawing escapes what it is given
        layer,
        round((right - left) * SMALLEST_TILE),
        round((bottom - top) * SMALLEST_TILE),
    )


def _in_hand(state: rules.State, game: Game) -> Miniature | None:
    """The tile that somebody else is to place; drawn tiles lie open on the table."""
    return miniature(state.drawn) if state.drawn and game.status == Status.PLAYING else None


def _fitting(played: rules.Game, tile: str) -> tuple[rules.Placement, ...]:
    return played.legal_actions().placements_of(tile)


def _transfers(game: Game, me: Seat | None) -> TransfersForm | None:
    """The form of the standing answer, for whoever may be asked one day."""
    if me is None or me.left or not game.running or "count" not in game.rule_set["sets"]:
        return None
    return TransfersForm(initial={"transfers": me.transfers})


def _headline(
    game: Game, state: rules.State, names: Sequence[str], me: Seat | None, seats: Sequence[Seat]
) -> str:
    """What the game waits for, or how it ended."""
    if game.status == Status.PLAYING:
        assert game.awaited is not None
        if me is not None and me.index == game.awaited and not me.left:
            return asks(state) or _("It is your turn.")
        if seats[game.awaited].bot:
            return _("It is the house bot's turn.")
        if seats[game.awaited].left:
            return _("The house bot is playing for {player}.").format(player=names[game.awaited])
        waits = waiting_for(state, names[game.awaited])
        return waits or _("It is {player}'s turn.").format(player=names[game.awaited])
    if game.status == Status.SCORING:
        return _("The last tile is placed. The final scoring comes in a moment.")
    if game.status == Status.ABORTED:
        return str(ABORTED.get(game.ending, _("The game was ended.")))
    winners = [seat for seat in seats if seat.rank == 1]
    who = ", ".join(names[seat.index] for seat in winners)
    points = words.points(winners[0].score) if winners else ""
    return ngettext(
        "{players} has won with {points}.", "{players} share the first place with {points}.", len(winners)
    ).format(players=who, points=points)


def _clock(game: Game, viewer: Visitor) -> Clock | None:
    """The deadline in the viewer's zone; to strangers, whose zone nobody knows, it is named."""
    if game.status != Status.PLAYING or game.deadline is None:
        return None
    local = timezone.localtime(game.deadline)
    late = game.deadline <= timezone.now()
    return Clock(
        left=_("time is up") if late else _("{time} left").format(time=timeuntil(game.deadline)),
        until=date_format(local, "D j M, H:i" if viewer.is_authenticated else "D j M, H:i T"),
        iso=local.isoformat(timespec="minutes"),
        soon=game.deadline - timezone.now() < DAY,
    )


def _watching(game: Game, seats: Sequence[Seat], *, my_turn: bool) -> str:
    """How often the page looks for news: soon where a program is at work, rarely where a person is."""
    if game.ended:
        return ""
    if my_turn:
        return "every 60s"
    if game.status == Status.SCORING or (game.awaited is not None and seats[game.awaited].played_by_program):
        return "every 3s"
    return "every 25s"


def _rules(game: Game) -> tuple[tuple[str, str], ...]:
    """What this game is played by, in words."""
    days = ngettext("{n} day", "{n} days", game.days_per_move).format(n=game.days_per_move)
    return (
        *words_rules.brief(game.rules),
        (_("Time for each turn"), days),
        (_("Rated"), _("yes") if game.rated else _("no")),
        (_("Who sees it"), str(SEEN_BY[game.visibility])),
    )
