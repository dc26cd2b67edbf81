"""The page of a signal of unfair play: the finding in words, the data as a table, its base rate among honest
people, and its limits. The formulas are in docs/fair-play.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from accounts.references import show_text
from games.models import Game
from moderation.fair_play import signals
from moderation.models import Signal, SignalKind, SignalVerdict
from moderation.selectors.desk import SHOWN, QueueEntry

THOUSAND, MILLION = 1_000, 1_000_000


class SignalPerson(NamedTuple):
    """A subject of the signal, with a link to all their games at the desk."""

    name: str
    url: str
    desk_url: str


class SignalRow(NamedTuple):
    """A game and its counts."""

    name: str
    url: str
    cells: tuple[str, ...]


class Beside(NamedTuple):
    """Another signal about one of the people."""

    what: str
    found: datetime
    url: str


class SignalExplanation(NamedTuple):
    """Explanation of the data of a kind."""

    found: str
    base_rate: str
    cannot_tell: str
    facts: tuple[tuple[str, str], ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # the code of a game, and the cells of its row


@dataclass(frozen=True, slots=True)
class SignalPage:
    """The page of a signal."""

    heading: str
    people: tuple[SignalPerson, ...]
    found: datetime
    explained: SignalExplanation
    rows: tuple[SignalRow, ...]
    beside: tuple[Beside, ...]
    verdict: str  # empty until it is settled
    why: str
    settled_by: str
    own_matter: bool


def find_waiting(now: datetime) -> Sequence[QueueEntry]:
    """Return the queue at the desk. Without names, as moderators also see entries about themselves."""
    rows = signals.find_waiting().values_list("pk", "kind", "found")[: SHOWN + 1]
    return [QueueEntry(title(kind, pk), found, url=url_of(pk)) for pk, kind, found in rows]


def url_of(pk: int) -> str:
    return reverse("moderation:signal", args=[pk])


def title(kind: str, pk: int) -> str:
    """Name a signal without naming people."""
    return _("{what} (no. {n})").format(what=SignalKind(kind).label, n=pk)


def build_signal_page(signal: Signal) -> SignalPage:
    """The page of *signal*; two queries."""
    people = [one for one in (signal.subject, signal.other) if one is not None]
    explained = EXPLAIN[signal.kind](signal, *(one.username for one in people))
    called = dict(
        Game.objects.filter(code__in=[code for code, _cells in explained.rows]).values_list("code", "name")
    )
    return SignalPage(
        heading=str(SignalKind(signal.kind).label),
        people=tuple(_person(one) for one in people),
        found=signal.found,
        explained=explained,
        rows=tuple(
            SignalRow(called[code], reverse("moderation:desk_game", args=[code]), cells)
            for code, cells in explained.rows
            if code in called
        ),
        beside=tuple(_beside(signal, people)),
        verdict=str(SignalVerdict(signal.verdict).label) if signal.verdict else "",
        why=show_text(signal.why),
        settled_by=signal.settled_by.username if signal.settled_by else "",
        own_matter=bool(signal.own_matter),
    )


def _person(player: Player) -> SignalPerson:
    name = player.username
    return SignalPerson(
        name, reverse("games:player", args=[name]), reverse("moderation:desk_person", args=[name])
    )


def _beside(signal: Signal, people: Sequence[Player]) -> list[Beside]:
    theirs = Signal.objects.filter(Q(subject__in=people) | Q(other__in=people)).exclude(pk=signal.pk)
    rows = theirs.order_by("-found", "-pk").values_list("pk", "kind", "found")[:SHOWN]
    return [Beside(title(kind, pk), found, url_of(pk)) for pk, kind, found in rows]


def _number(value: float, places: int = 0) -> str:
    return str(number_format(round(value, places), places, force_grouping=True))


def _percent(share: float) -> str:
    return _("{n} %").format(n=_number(100 * share))


def of_pairs(rate: float) -> str:
    """Say how often honest pairs look like that by chance, at a *rate* from 0 to 1."""
    if rate * MILLION < 0.5:
        return _("Of a million honest pairs not even one looks like this by chance.")
    if rate * THOUSAND < 0.5:
        n = round(rate * MILLION)
        return ngettext(
            "Of a million honest pairs about {n} looks like this by chance.",
            "Of a million honest pairs about {n} look like this by chance.",
            n,
        ).format(n=_number(n))
    n = round(rate * THOUSAND)
    return ngettext(
        "Of 1,000 honest pairs about {n} looks like this by chance.",
        "Of 1,000 honest pairs about {n} look like this by chance.",
        n,
    ).format(n=_number(n))


def of_people(rate: float) -> str:
    """Say how often honest people look like that by chance, at a *rate* from 0 to 1."""
    if rate * MILLION < 0.5:
        return _("Of a million honest people not even one looks like this by chance.")
    if rate * THOUSAND < 0.5:
        n = round(rate * MILLION)
        return ngettext(
            "Of a million honest people about {n} looks like this by chance.",
            "Of a million honest people about {n} look like this by chance.",
            n,
        ).format(n=_number(n))
    n = round(rate * THOUSAND)
    return ngettext(
        "Of 1,000 honest people about {n} looks like this by chance.",
        "Of 1,000 honest people about {n} look like this by chance.",
        n,
    ).format(n=_number(n))


def _pairs_tested(data: Mapping[str, Any]) -> tuple[str, str]:
    return _("Pairs tested alike on this site"), _number(data["tested"])


def _people_tested(data: Mapping[str, Any]) -> tuple[str, str]:
    return _("People tested alike on this site"), _number(data["tested"])


def _of_shared(found: str, cannot_tell: str, signal: Signal) -> SignalExplanation:
    data = signal.data
    everybody = data["accounts"] * (data["accounts"] - 1) // 2
    base = ngettext(
        "Of {all} pairs of accounts that were here in the last sixty days {n} shares as much.",
        "Of {all} pairs of accounts that were here in the last sixty days {n} share as much.",
        data["pairs_sharing"],
    ).format(all=_number(everybody), n=_number(data["pairs_sharing"]))
    facts = (
        (_("Rated games together"), _number(data["together"])),
        (_("Accounts that were here in the last sixty days"), _number(data["accounts"])),
    )
    rows = tuple((code, ()) for code in data["games"])
    return SignalExplanation(found, base, cannot_tell, facts, (_("Game"),), rows)


def _device(signal: Signal, one: str, other: str) -> SignalExplanation:
    found = _("{one} and {other} have signed in with the same browser, and play against each other.")
    cannot = _("Families and couples share devices. It says nothing of how they play.")
    return _of_shared(found.format(one=one, other=other), cannot, signal)


def _mailbox(signal: Signal, one: str, other: str) -> SignalExplanation:
    found = _(
        "The addresses of {one} and {other} are spellings of one mailbox, and they play against each other."
    )
    cannot = _("Two people may share a mailbox, and some providers give each spelling to somebody else.")
    return _of_shared(found.format(one=one, other=other), cannot, signal)


def _network(signal: Signal, one: str, other: str) -> SignalExplanation:
    days = signal.data["shared"]
    found = ngettext(
        "On {n} of the last sixty days {one} and {other} were in one network that few others use, "
        "and they play against each other.",
        "On {n} of the last sixty days {one} and {other} were in one network that few others use, "
        "and they play against each other.",
        days,
    ).format(n=days, one=one, other=other)
    cannot = _("People who live or work together share a network, and so do neighbours with some providers.")
    return _of_shared(found, cannot, signal)


def _helping(signal: Signal, one: str, other: str) -> SignalExplanation:
    data = signal.data
    found = ngettext(
        "In {games} game with others at the table, turns of {one} brought {other} {given} points; "
        "about {expected} were to be expected.",
        "In {games} games with others at the table, turns of {one} brought {other} {given} points; "
        "about {expected} were to be expected.",
        data["games"],
    ).format(
        games=data["games"], one=one, other=other, given=data["given"], expected=_number(data["expected"])
    )
    facts = (
        (_("Standard deviations above what is expected (z)"), _number(data["z"], 1)),
        (_("Points a game that others give {name} more").format(name=other), _number(data["popularity"], 1)),
        _pairs_tested(data),
    )
    head = (_("Game"), _("Given to {name}").format(name=other), _("Given to each other opponent"))
    rows = tuple(
        (code, (_number(given), ", ".join(_number(one) for one in others)))
        for code, given, *others in data["rows"]
    )
    cannot = _(
        "What is given may be given by mistake, or against a third player who is ahead. "
        "Look at the turns that gave most."
    )
    return SignalExplanation(found, of_pairs(signal.base_rate), cannot, facts, head, rows)


def _stalling(signal: Signal, one: str) -> SignalExplanation:
    data = signal.data
    found = _(
        "When {one} is clearly behind at half-time, turns of the second half take {factor} times as long, "
        "beside what they take in other games."
    ).format(one=one, factor=_number(data["factor"], 1))
    facts = (
        (_("Games clearly behind"), _number(data["behind"])),
        (_("Other games"), _number(data["others"])),
        (_("Second half to first half when behind"), _number(data["factor_behind"], 1)),
        (_("Second half to first half otherwise"), _number(data["factor_otherwise"], 1)),
        _people_tested(data),
    )
    rows = tuple(
        (code, (_number(slowed, 1), _("behind") if behind else "")) for code, slowed, behind in data["rows"]
    )
    cannot = _(
        "Nobody likes to look at a lost game, and hard positions take thought: many honest people are a "
        "little slower then. The base rate knows chance only."
    )
    head = (_("Game"), _("Second half to first half"), _("At half-time"))
    return SignalExplanation(found, of_people(signal.base_rate), cannot, facts, head, rows)


def _throwing(signal: Signal, one: str, other: str) -> SignalExplanation:
    data = signal.data
    found = ngettext(
        "{thrown} of {together} games of {one} with {other} looks thrown; of all {games} games it is {all}.",
        "{thrown} of {together} games of {one} with {other} look thrown; of all {games} games it is {all}.",
        data["thrown"],
    ).format(
        thrown=data["thrown"],
        together=data["together"],
        one=one,
        other=other,
        games=data["games"],
        all=data["thrown_in_all"],
    )
    head = (_("Game"), _("Points of {name}").format(name=one), _("Left with a lead of"), _("Looks thrown"))
    rows = tuple(
        (code, (_number(score), "" if lead is None else _number(lead), _("yes") if thrown else ""))
        for code, score, lead, thrown in data["rows"]
    )
    cannot = _(
        "Players who lose to a much stronger opponent play poor games there. People also "
        "leave games for reasons that have nothing to do with the board."
    )
    return SignalExplanation(found, of_pairs(signal.base_rate), cannot, (_pairs_tested(data),), head, rows)


def _program(signal: Signal, one: str) -> SignalExplanation:
    data, own = signal.data, signal.data["own"]
    found = _("Of {turns} turns of {one} with many choices, the house bot would have played {same}, too.")
    facts = (
        (_("Agreement of {name}").format(name=one), _percent(own["same"] / own["turns"])),
        (_("Agreement of the others"), _percent(data["rate"])),
        (_("Others in the sample"), _number(data["people"])),
        _people_tested(data),
    )
    cannot = _(
        "We only compared with the house bot, and only in a sample of games. Good players "
        "agree with it more, and other programs may agree less."
    )
    said = found.format(turns=own["turns"], one=one, same=own["same"])
    return SignalExplanation(said, of_people(signal.base_rate), cannot, facts, (), ())


EXPLAIN: Mapping[str, Callable[..., SignalExplanation]] = {
    SignalKind.DEVICE: _device,
    SignalKind.NETWORK: _network,
    SignalKind.MAILBOX: _mailbox,
    SignalKind.HELPING: _helping,
    SignalKind.STALLING: _stalling,
    SignalKind.THROWING: _throwing,
    SignalKind.PROGRAM: _program,
}
