"""Sentences in the reader's language for tables: how many seats, who may see it, all in brief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.rules import RuleSet

from . import rule_sets
from .times import MINUTE, format_duration

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MAY_SEE: Mapping[str, StrOrPromise] = {
    "public": gettext_lazy("Anyone can watch and sit down."),
    "link": gettext_lazy("Not listed: anyone with the link can watch and sit down."),
    "private": gettext_lazy("Only its players and people who are invited can see it."),
}
"""Sentences by the visibility of a table."""

MOST_NAMED = 4  # sets; more are counted


class Summary(NamedTuple):
    """A table in a few sentences: the first words, and the rest."""

    lead: str
    rest: str


def format_time_at_hand(bank: timedelta, gain: timedelta) -> str:
    """Format the clock of a seat for a player who takes it over."""
    return _("{bank} in the time bank, {gain} more with each turn").format(
        bank=format_duration(bank), gain=format_duration(gain)
    )


def format_seats(count: int) -> str:
    return ngettext("{n} seat", "{n} seats", count).format(n=count)


def format_seats_and_free(count: int, free: int) -> str:
    """Say how many seats there are, and how many of them anybody may take."""
    left = ngettext("{n} free", "{n} free", free).format(n=free) if free else _("waiting for replies")
    return f"{format_seats(count)}, {left}"


def describe_start(kept: Sequence[str], free: int) -> str:
    """Say what must happen before the game begins: who has been invited (*kept*, names; empty for a person
    without one) and how many seats are *free*."""
    if len(kept) == 1 and kept[0]:
        if not free:
            return _("It starts as soon as {name} accepts.").format(name=kept[0])
        if free == 1:
            said = _("It starts as soon as {name} accepts and someone takes the last seat.")
            return said.format(name=kept[0])
    if not kept:
        said = ngettext(
            "It starts as soon as someone takes the last seat.",
            "It starts as soon as all {n} free seats are taken.",
            free,
        )
        return said.format(n=free)
    if not free:
        return _("It starts as soon as everyone who's invited has accepted.")
    return _("It starts as soon as everyone who's invited has accepted and all seats are taken.")


def format_turns_played(count: int, span: timedelta) -> str:
    """Say how many turns a game had, and how long it took: "89 turns in 5 weeks"."""
    turns = ngettext("{n} turn", "{n} turns", count).format(n=count)
    if span < MINUTE:
        return turns
    weeks, days = span.days // 7, span.days
    if weeks >= 2:
        took = ngettext("{n} week", "{n} weeks", weeks).format(n=weeks)
    elif days:
        took = ngettext("{n} day", "{n} days", days).format(n=days)
    else:
        took = format_duration(span)
    return pgettext("number of turns, time", "{turns} in {time}").format(turns=turns, time=took)


def format_tiles(count: int) -> str:
    return ngettext("{n} tile", "{n} tiles", count).format(n=count)


def format_more_tiles(name: str) -> str:
    """Say how many tiles the set called *name* brings."""
    count = rule_sets.count_own_tiles(name)
    return f"+{format_tiles(count)}" if count else _("no tiles")


def format_more_minutes(name: str) -> str:
    """Say how much longer a game with the set called *name* takes; nothing where it doesn't."""
    count = rule_sets.count_own_tiles(name)
    more = pgettext("how much longer a game takes", "+{n} min")
    return more.format(n=rule_sets.estimate_minutes(count)) if count else ""


def build_summary(
    rules: RuleSet, *, seats: int, bots: int, agreed: str, visibility: str, rated: bool
) -> Summary:
    """Summarise the settings of a table while it is set up. *agreed* is the sentence about time."""
    kind = (
        ngettext("A rated game for {n} player", "A rated game for {n} players", seats)
        if rated
        else ngettext("An unrated game for {n} player", "An unrated game for {n} players", seats)
    )
    count = rule_sets.count_tiles(rules)
    length = ngettext(
        "about {n} minute at a table", "about {n} minutes at a table", rule_sets.estimate_minutes(count)
    )
    sentences = [
        f"{_sets(rules)}, {format_tiles(count)}, {length.format(n=rule_sets.estimate_minutes(count))}.",
        *_house_rules(rules),
        agreed,
    ]
    if bots:
        taken = ngettext("The house bot takes {n} seat.", "The house bot takes {n} seats.", bots)
        sentences.append(taken.format(n=bots))
    if bots == seats - 1:
        sentences.append(_("The game starts at once."))
    sentences.append(str(MAY_SEE[visibility]))
    return Summary(kind.format(n=seats), " ".join(sentences))


def _sets(rules: RuleSet) -> str:
    added = [str(rule_sets.SETS[name]) for name in rule_sets.SETS if name in rules.sets and name != "base"]
    if len(added) > MOST_NAMED:
        return ngettext("{n} expansion", "{n} expansions", len(added)).format(n=len(added))
    return ", ".join(added) or str(rule_sets.SETS["base"])


def _house_rules(rules: RuleSet) -> list[str]:
    """Return the only unusual rule, or the number of several."""
    unusual = rule_sets.list_unusual_rules(rules)
    if len(unusual) > 1:
        count = len(unusual)
        return [ngettext("{n} house rule.", "{n} house rules.", count).format(n=count)]
    return [f"{rule}." for rule in unusual]
