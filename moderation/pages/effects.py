"""Descriptions of the effects of moderators' acts: values before and after, and boards of a roll-back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.access import Visitor
from games.models import Game, ModerationAct, SeatState, Status
from games.pages.history.ply import load_scene
from games.pages.scene.picture import draw_svg
from games.play.moderation.base import Preview
from games.words.times import format_instant, format_span

Names = Mapping[int | None, str]


def load_names(acts: Iterable[ModerationAct]) -> Names:
    """Load the names of the players in *acts*, by primary key; one query."""
    told = {seat["player"] for act in acts for kept in (act.before, act.after) for seat in kept["seats"]}
    found = Player.objects.filter(pk__in=told - {None}).values_list("pk", "username")
    return {None: _("House bot"), **dict(found)}


class Effect(NamedTuple):
    """Effects of an act, and the players who would be notified."""

    sentences: tuple[str, ...]
    told: tuple[str, ...]


def describe_preview(preview: Preview) -> Effect:
    """Describe the *preview* of an act; one query."""
    sentences = describe_act(preview.act, load_names([preview.act]))
    return Effect(sentences, tuple(player.username for player in preview.told))


def describe_act(act: ModerationAct, names: Names) -> tuple[str, ...]:
    """Describe the changes of *act*, a sentence for each."""
    return tuple((*_of_game(act.before, act.after, names), *_of_seats(act.before, act.after, names)))


def _of_game(before: Mapping[str, Any], after: Mapping[str, Any], names: Names) -> Iterator[str]:
    if before["status"] != after["status"]:
        yield _format_change(_("Game"), Status(before["status"]).label, Status(after["status"]).label)
    if before["ply"] != after["ply"]:
        yield _format_change(_("Turns played"), before["ply"], after["ply"])
    back = after["tiles_left"] - before["tiles_left"]
    if back > 0:
        yield ngettext(
            "{n} tile goes back to the front of the bag and comes again.",
            "{n} tiles go back to the front of the bag and come again in the same order.",
            back,
        ).format(n=back)
    if before["awaited"] != after["awaited"]:
        yield _format_change(_("It waits for"), _format_awaited(before, names), _format_awaited(after, names))
    if before["deadline"] != after["deadline"]:
        yield _format_change(_("Deadline"), _at(before["deadline"]), _at(after["deadline"]))
    if before["held"] != after["held"]:
        yield (
            _("Nobody can play, and no clock is running.") if after["held"] else _("The game can be played.")
        )
    if before["rated"] != after["rated"]:
        yield _("The game is rated.") if after["rated"] else _("The game is unrated.")


def _of_seats(before: Mapping[str, Any], after: Mapping[str, Any], names: Names) -> Iterator[str]:
    for was, now in zip(before["seats"], after["seats"], strict=True):
        who = names.get(now["player"], "?")
        if was["player"] != now["player"]:
            yield _format_change(_("Seat"), names.get(was["player"], "?"), who)
        if was["state"] != now["state"]:
            yield _format_change(who, SeatState(was["state"]).label, SeatState(now["state"]).label)
        if was["score"] != now["score"]:
            yield _format_change(_("Points of {player}").format(player=who), was["score"], now["score"])
        if was["rank"] != now["rank"]:
            none = _("none")
            yield _format_change(
                _("Rank of {player}").format(player=who), was["rank"] or none, now["rank"] or none
            )
        if was["bank"] != now["bank"]:
            yield _format_change(
                _("Time of {player}").format(player=who), _span(was["bank"]), _span(now["bank"])
            )


def _format_change(what: object, before: object, after: object) -> str:
    return _("{what}: {before}, then {after}.").format(what=what, before=before, after=after)


def _format_awaited(kept: Mapping[str, Any], names: Names) -> str:
    index = kept["awaited"]
    return _("nobody") if index is None else names.get(kept["seats"][index]["player"], "?")


def _at(stored: str | None) -> str:
    return _("none") if stored is None else format_instant(datetime.fromisoformat(stored))


def _span(seconds: float) -> str:
    return format_span(timedelta(seconds=seconds)) if seconds else _("none")


class BoardThen(NamedTuple):
    """A board and scores at some turn."""

    title: str
    board: SafeString
    scores: tuple[tuple[str, int], ...]


def build_two_boards(game: Game, viewer: Visitor, ply: int) -> tuple[BoardThen, BoardThen]:
    """The board of *game* for *viewer* now, and after *ply*, which has been played; 0 is before any."""
    return (
        _draw_board(game, viewer, None, _("Now, after turn {n}").format(n=game.ply)),
        _draw_board(game, viewer, ply, _("After it, at turn {n}").format(n=ply)),
    )


def _draw_board(game: Game, viewer: Visitor, ply: int | None, title: str) -> BoardThen:
    scene = load_scene(game, viewer, ply)
    return BoardThen(title, draw_svg(scene.picture), tuple(zip(scene.names, scene.state.scores, strict=True)))
