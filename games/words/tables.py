"""Sentences in the reader's language for tables: time for each turn, who may see it, all in brief."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from games.rules import RuleSet

from . import rule_sets
from .times import duration

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

CLOCKS: Mapping[int, StrOrPromise] = {
    1: pgettext_lazy("a clock", "Brisk"),
    3: pgettext_lazy("a clock", "Steady"),
    7: pgettext_lazy("a clock", "Relaxed"),
    14: pgettext_lazy("a clock", "Slow"),
}
"""The clocks that have a name, by their days for each turn."""

MAY_SEE: Mapping[str, StrOrPromise] = {
    "public": gettext_lazy("Anybody may watch and sit down."),
    "link": gettext_lazy("In no list: whoever has the link may watch and sit down."),
    "private": gettext_lazy("Only those who sit here or are invited see it."),
}
"""By the visibility of a table."""

MOST_NAMED = 4  # sets; more are counted


class Summary(NamedTuple):
    """A table in a few sentences: the first words of them, and the rest."""

    lead: str
    rest: str


def days(count: int) -> str:
    """A time for each turn in words."""
    return ngettext("{n} day", "{n} days", count).format(n=count)


def each_turn(count: int) -> str:
    """The same as half a sentence."""
    return ngettext("{n} day for each turn", "{n} days for each turn", count).format(n=count)


def seats(count: int) -> str:
    return ngettext("{n} seat", "{n} seats", count).format(n=count)


def seats_and_free(count: int, free: int) -> str:
    """How many seats there are, and how many of them anybody may take."""
    left = ngettext("{n} free", "{n} free", free).format(n=free) if free else _("waiting for answers")
    return f"{seats(count)}, {left}"


def usual_speed(length: timedelta | None) -> str:
    """How long a player usually takes for a turn; nothing where it is not known."""
    return "" if length is None else _("about {time} a turn").format(time=duration(length))


def tiles(count: int) -> str:
    return ngettext("{n} tile", "{n} tiles", count).format(n=count)


def more_tiles(name: str) -> str:
    """How many tiles the set called *name* brings."""
    count = rule_sets.own_tiles(name)
    return f"+{tiles(count)}" if count else _("no tiles")


def more_minutes(name: str) -> str:
    """How much longer a game with the set called *name* takes; nothing where it doesn't."""
    count = rule_sets.own_tiles(name)
    more = pgettext("how much longer a game takes", "+{n} min")
    return more.format(n=rule_sets.minutes(count)) if count else ""


def summary(
    rules: RuleSet, *, seats: int, bots: int, days_per_move: int, visibility: str, rated: bool
) -> Summary:
    """What is set up, while it is chosen."""
    kind = (
        ngettext("A rated game for {n} player", "A rated game for {n} players", seats)
        if rated
        else ngettext("A friendly game for {n} player", "A friendly game for {n} players", seats)
    )
    count = rule_sets.tiles_in(rules)
    length = ngettext("about {n} minute at a table", "about {n} minutes at a table", rule_sets.minutes(count))
    sentences = [
        f"{_sets(rules)}, {tiles(count)}, {length.format(n=rule_sets.minutes(count))}.",
        *_house_rules(rules),
        f"{each_turn(days_per_move)}.",
    ]
    if bots:
        taken = ngettext("The house bot takes {n} seat.", "The house bot takes {n} seats.", bots)
        sentences.append(taken.format(n=bots))
    if bots == seats - 1:
        sentences.append(_("The game begins at once."))
    sentences.append(str(MAY_SEE[visibility]))
    return Summary(kind.format(n=seats), " ".join(sentences))


def _sets(rules: RuleSet) -> str:
    added = [str(rule_sets.SETS[name]) for name in rule_sets.SETS if name in rules.sets and name != "base"]
    if len(added) > MOST_NAMED:
        return ngettext("{n} expansion", "{n} expansions", len(added)).format(n=len(added))
    return ", ".join(added) or str(rule_sets.SETS["base"])


def _house_rules(rules: RuleSet) -> list[str]:
    """The only thing that is not as printed; of more their number."""
    unusual = rule_sets.unusual(rules)
    if len(unusual) > 1:
        count = len(unusual)
        return [ngettext("{n} house rule.", "{n} house rules.", count).format(n=count)]
    return [f"{one}." for one in unusual]
