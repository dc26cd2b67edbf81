"""Acts at the table in words: what players, or the clock, did besides turns, as recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.words.times import format_instant

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    Act = Mapping[str, Any]


def _describe_given_time(act: Act, player: str, names: Sequence[str]) -> str:
    days = ngettext("{n} day", "{n} days", act["days"]).format(n=act["days"])
    to = ", ".join(names[index] for index in act["to"])
    return _("{player} gave time: {days} for {to}.").format(player=player, days=days, to=to)


PROPOSED: Mapping[str, StrOrPromise] = {
    "end": gettext_lazy("{player} proposed ending the game as it stands, without a winner."),
    "pause": gettext_lazy("{player} proposed a pause until {until}."),
    "undo": gettext_lazy("{player} asked to undo the last turn."),
}
"""Sentences by the kind of the proposal."""


def format_proposal(what: str, player: str, until: datetime | None) -> str:
    """Say that *player* proposes *what*, in one sentence."""
    return str(PROPOSED[what]).format(player=player, until=format_instant(until) if until else "")


def _describe_proposal(act: Act, player: str, names: Sequence[str]) -> str:
    return format_proposal(act["what"], player, _until(act))


def _describe_pause(act: Act, player: str, names: Sequence[str]) -> str:
    until = _until(act)
    assert until is not None
    return _("Everyone agreed to a pause until {until}.").format(until=format_instant(until))


def _describe_extension(act: Act, player: str, names: Sequence[str]) -> str:
    until = _until(act)
    assert until is not None
    return _("The organisers moved the end of the game to {until}.").format(until=format_instant(until))


def _describe_hard_end(act: Act, player: str, names: Sequence[str]) -> str:
    if act["by"] == "score":
        return _("The game reached its end, and the board was scored as it stood.")
    return _("The game reached its end. Less time used ranks higher.")


def _until(act: Act) -> datetime | None:
    return datetime.fromisoformat(act["until"]) if act.get("until") else None


_MODERATED: Mapping[str, StrOrPromise] = {
    "pause": gettext_lazy("A moderator has stopped the game. Nobody can play, and no clock is running."),
    "resume": gettext_lazy("A moderator let the game go on. No deadline falls in the next twelve hours."),
    "adjudicate": gettext_lazy("A moderator decided the result."),
    "abort": gettext_lazy("A moderator ended the game early, without a winner."),
    "reopen": gettext_lazy("A moderator let the game go on as it was before it ended."),
    "replace": gettext_lazy("A moderator let {player} take over this seat."),
    "caretaker": gettext_lazy("A moderator let the house bot play on for {player}."),
    "give_back": gettext_lazy("A moderator gave this seat back to {player}."),
    "ladder": gettext_lazy("A moderator ruled that {player} ran out of time."),
    "unrate": gettext_lazy("A moderator made this game unrated."),
    "rate": gettext_lazy("A moderator made this game rated again."),
    "rename": gettext_lazy("A moderator gave the table another name."),
}
"""Sentences for moderators' acts that need no other value than a name."""


def format_moderation_act(act: Act, player: str, names: Sequence[str]) -> str:
    """Say what a moderator has done by *act*, as the record keeps it, without the reason."""
    kind, until = act["act"], _until(act)
    if kind == "pause" and until is not None:
        return _(
            "A moderator has stopped the game until {until}. Nobody can play, and no clock is running."
        ).format(until=format_instant(until))
    if kind == "extend":
        days = ngettext("{n} day", "{n} days", act["days"]).format(n=act["days"])
        to = ", ".join(names[index] for index in act["to"])
        return _("A moderator gave time: {days} for {to}.").format(days=days, to=to)
    if kind == "roll_back" and act["moves"]:
        return _(
            "A moderator rolled the game back to turn {n}. The tiles come again in the same order; planned "
            "turns are gone."
        ).format(n=act["ply"])
    if kind == "roll_back":
        return _("A moderator let the game go on from turn {n}.").format(n=act["ply"])
    return str(_MODERATED[kind]).format(player=player)


def _describe_moderation(act: Act, player: str, names: Sequence[str]) -> str:
    said = format_moderation_act(act, player, names)
    return _("{said} Reason: {reason}").format(said=said, reason=act["reason"])


_SAID: Mapping[str, StrOrPromise] = {
    "resign": gettext_lazy("{player} resigned."),
    "time_out": gettext_lazy("{player} lost on time."),
    "excuse": gettext_lazy("{player} ran out of time. It's excused this once, and the turn starts again."),
    "holiday": gettext_lazy("{player} ran out of time, so a day of holiday started automatically."),
    "claimable": gettext_lazy("{player} ran out of time. The others can claim the win or give more days."),
    "emergency": gettext_lazy("{player} had an emergency and stopped all games."),
    "emergency_over": gettext_lazy("{player} came back after an emergency, and the game goes on."),
    "offered": gettext_lazy("This player ran out of time. The bot is standing in."),
    "take_over": gettext_lazy("{player} took over this seat from the house bot."),
    "hand_over": gettext_lazy("{player}, who played as a guest, now has an account."),
    "come_back": gettext_lazy("{player} came back."),
    "claim_win": gettext_lazy("{player} claimed the win."),
    "agree": gettext_lazy("{player} agreed."),
    "decline": gettext_lazy("{player} declined the proposal."),
    "withdraw": gettext_lazy("{player} cancelled the proposal."),
    "end": gettext_lazy("Everyone agreed to end the game."),
    "undo": gettext_lazy("{player} undid a turn."),
    "abort": gettext_lazy("{player} ended the game early."),
    "call_off": gettext_lazy("The organisers called the game off."),
    "resume": gettext_lazy("{player} ended the pause. No deadline falls in the next twelve hours."),
}
_TOLD: Mapping[str, Callable[[Act, str, Sequence[str]], str]] = {
    "give": _describe_given_time,
    "propose": _describe_proposal,
    "pause": _describe_pause,
    "extend": _describe_extension,
    "hard_end": _describe_hard_end,
    "moderate": _describe_moderation,
}
ACTS = frozenset(_SAID) | frozenset(_TOLD)
"""Names of all acts of a table."""


def format_act(act: Act, seat: int | None, names: Sequence[str]) -> str:
    """Describe *act*, as recorded, of *seat*; organisers have none.

    :raises KeyError: it is no act of the table
    """
    player = "" if seat is None else names[seat]
    sentence = _TOLD.get(act["type"])
    if sentence is not None:
        return sentence(act, player, names)
    return str(_SAID[act["type"]]).format(player=player)
