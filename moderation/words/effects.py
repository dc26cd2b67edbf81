"""Effects of moderators' acts on games in words: values before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import ModerationAct, SeatState, Status
from games.words.times import format_instant, format_span

Names = Mapping[int | None, str]


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
        yield _format_change(_("Waiting for"), _format_awaited(before, names), _format_awaited(after, names))
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
