"""A turn in the query string, ``?line=3,-1 r90 city N&version=12``.

It was composed offline and kept on a device. It is checked again here, but not played: the player sends it.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from games import words
from games.access import Visitor, find_seat
from games.exceptions import GameOver, NotYourTurn, Refused
from games.models import Game, Seat, Status
from games.pages.turn.draft import find_meant_tile
from games.play import is_repeat
from games.play.positions import load_position, load_position_at
from games.rules import IllegalAction
from games.rules.notation import MAX_TYPED_LINE, BadNotation, read_any


class Brought(NamedTuple):
    """The part of the turn that is shown on the board again, and a message about it."""

    line: str = ""
    refused: str = ""  # reason why it can't be played
    sent: str = ""  # remark that it has been played already


def check_offline_turn(game: Game, viewer: Visitor, line: str, version: str) -> Brought:
    """Check the turn *line* of *viewer*, composed at *version* of *game*; nothing if they don't play."""
    seat = find_seat(viewer, game)
    line = " ".join(line[:MAX_TYPED_LINE].split())
    if seat is None or not line:
        return Brought()
    then = min(int(version[:9]), game.version) if version.isdecimal() else game.version
    try:
        if then < game.version and _has_played(game, seat, line, then):
            return Brought(
                sent=_("This turn has already been played: {line}").format(line=_strip_tile_name(line))
            )
        if game.status != Status.PLAYING:
            raise GameOver
        if then != game.version:
            return Brought(refused=_moved_on(line))
        if seat.index != game.awaited or seat.left:
            raise NotYourTurn
        now = load_position(game)
        now.legal_actions().check(read_any(line, tile=find_meant_tile(now.state)))
    except BadNotation as error:
        return Brought(refused=words.explain_bad_line(error))
    except IllegalAction as error:
        return Brought(line, _not_played(line, words.explain_refusal(error)))
    except Refused as error:
        return Brought(refused=_not_played(line, error.message))
    return Brought(line)


def _has_played(game: Game, seat: Seat, line: str, version: int) -> bool:
    """Return whether *seat* played *line* right after *version*, and only the response was lost."""
    action = read_any(line, tile=find_meant_tile(load_position_at(game, version).state))
    return is_repeat(game, seat.index, action, version)


def _moved_on(line: str) -> str:
    return _("The game has moved on since you prepared this turn, so we didn't play it: {line}").format(
        line=_strip_tile_name(line)
    )


def _not_played(line: str, why: str) -> str:
    return _("{why} We didn't play this turn: {line}").format(why=why, line=_strip_tile_name(line))


def _strip_tile_name(line: str) -> str:
    return line.rpartition("@")[2]
