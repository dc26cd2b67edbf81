"""The words of mails about the time for a turn: its length, the deadline, and the explanation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from games.clocks import DAY, HOUR
from games.models import Game, Notice
from games.outbox import NUDGED_BY
from games.pages.parts.hard_end import tell_hard_end
from games.pages.scene import Scene
from games.play.timing import find_running_turn
from games.words import deadlines
from games.words.times import format_when_and_zone


def format_subject(game: Game, *, to_answer: bool) -> str:
    """Return the subject of the mail about a turn, with its time in days or else hours, if a clock runs."""
    time = timedelta()
    if game.deadline is not None and game.turn_began is not None:
        time = game.deadline - game.turn_began
    if time <= timedelta():
        bare = _("{game} is waiting for your answer") if to_answer else _("Your turn in {game}")
        return bare.format(game=game.name)
    unit = DAY if time >= DAY else HOUR
    return str(_SUBJECTS[to_answer, unit].format(game=game.name, n=max(1, time // unit)))


_SUBJECTS: Mapping[tuple[bool, timedelta], Any] = {
    (True, DAY): ngettext_lazy(
        "{game} is waiting for your answer – {n} day left",
        "{game} is waiting for your answer – {n} days left",
        "n",
    ),
    (True, HOUR): ngettext_lazy(
        "{game} is waiting for your answer – {n} hour left",
        "{game} is waiting for your answer – {n} hours left",
        "n",
    ),
    (False, DAY): ngettext_lazy(
        "Your turn in {game} – {n} day to move",
        "Your turn in {game} – {n} days to move",
        "n",
    ),
    (False, HOUR): ngettext_lazy(
        "Your turn in {game} – {n} hour to move",
        "Your turn in {game} – {n} hours to move",
        "n",
    ),
}
"""Subjects by whether an answer is awaited, and by the unit of the time left for it."""


def format_reminder_subject(game: Game, *, to_answer: bool, now: datetime) -> str:
    """Return the subject of a reminder, with the time left *now*, if a clock runs and time is left."""
    left = timedelta() if game.deadline is None else game.deadline - now
    if left <= timedelta():
        bare = _("{game} is still waiting for your answer") if to_answer else _("Still your turn in {game}")
        return bare.format(game=game.name)
    unit = DAY if left >= DAY else HOUR
    return str(_REMINDERS[to_answer, unit].format(game=game.name, n=max(1, left // unit)))


def find_nudger(notice: Notice, scene: Scene) -> str:
    """Return the name of the player who sent the nudge of *notice*; empty for the clock's own reminders."""
    by = notice.about.get(NUDGED_BY)
    return next((scene.names[seat.index] for seat in scene.seats if by and seat.player_id == by), "")


_REMINDERS: Mapping[tuple[bool, timedelta], Any] = {
    (True, DAY): ngettext_lazy(
        "{game} is still waiting for your answer – {n} day left",
        "{game} is still waiting for your answer – {n} days left",
        "n",
    ),
    (True, HOUR): ngettext_lazy(
        "{game} is still waiting for your answer – {n} hour left",
        "{game} is still waiting for your answer – {n} hours left",
        "n",
    ),
    (False, DAY): ngettext_lazy(
        "Still your turn in {game} – {n} day left",
        "Still your turn in {game} – {n} days left",
        "n",
    ),
    (False, HOUR): ngettext_lazy(
        "Still your turn in {game} – {n} hour left",
        "Still your turn in {game} – {n} hours left",
        "n",
    ),
}


def build_deadline_context(scene: Scene) -> dict[str, Any]:
    """Return the deadline, its day, hour and zone in the reader's format, and its explanation."""
    turn, deadline = find_running_turn(scene.game, scene.seats), scene.game.deadline
    facts: dict[str, Any] = {
        "deadline": deadline,
        "why": "" if turn is None else deadlines.summarise_deadline(turn),
    }
    if deadline is None:
        return facts
    there = timezone.localtime(deadline)
    return facts | {
        "day": date_format(there, "DATE_FORMAT"),
        "hour": date_format(there, "TIME_FORMAT"),
        "zone": date_format(there, "T"),
    }


def describe_places_at_hard_end(scene: Scene) -> tuple[str, ...]:
    """Return the hard end, and the places if the game ended now; empty until it is near (CLOCK-24)."""
    return tell_hard_end(scene, timezone.now(), format_when_and_zone)
