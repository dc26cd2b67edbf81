"""Summary of a fault run beside Locust's statistics: a table, broken promises, and what was hardly tried."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.load.postbox import Postbox
from benchmarks.load.swarm import LoadStatistics, TurnLedger

DOUBLES = 0.001  # of all mails
HARDLY = 10  # minimum number of occurrences for a fair trial
FEW_KILLS = 3  # of one part, or of its children
TRACE = re.compile(r"^Traceback \(most recent call last\):$", re.MULTILINE)


class Row(NamedTuple):
    """Line of the table: a name, a number, and a remark."""

    what: str
    number: int
    told: str = ""

    def __str__(self) -> str:
        return f"{self.what:<24}{self.number:>7}  {self.told}".rstrip()


@dataclass(frozen=True)
class FaultRun:
    """Counts from outside of the site, and the audit's findings."""

    figures: LoadStatistics
    ledger: TurnLedger
    box: Postbox
    killed: Counter[str]
    """Number of kills of each part, or of a child of it."""
    parts: Sequence[str]
    found: Mapping[str, Any]
    """Result of ``audit``."""
    left: Mapping[str, int]
    """Work that was still pending after the site had time to rest."""
    logs: Mapping[str, str]
    rested: float
    """Seconds from the return of the last part until nothing was left to do."""

    def counted(self, what: str, name: str) -> int:
        return int(self.found["counted"][what][name])

    @property
    def doubled(self) -> int:
        """The number of mails that came more than once."""
        return sum(count - 1 for count in self.box.ids.values())

    @property
    def traces(self) -> list[str]:
        return [f"{name}: {trace}" for name, log in self.logs.items() for trace in traces_in(log)]

    # ------------------------------------------------------------------------------------ the table

    def table(self) -> list[Row]:
        """Return all counts."""
        return [*self._turns(), *self._mails(), *self._games(), *self._parts()]

    def _turns(self) -> list[Row]:
        count, there = self.ledger.count, self.counted("turns", "unanswered and present")
        return [
            Row("turns sent", len(self.ledger.sent), f"{count('refused')} refused, as others were quicker"),
            Row("turns accepted", count("accepted"), "double clicks and two windows among them"),
            Row("turns present once", self.counted("turns", "accepted and present"), "of those accepted"),
            Row("turns without an answer", count("unknown"), f"{there} of them are there, each once"),
            Row("turns in the rows", self.counted("turns", "stored"), "since all began"),
        ]

    def _mails(self) -> list[Row]:
        share = self.doubled / max(1, self.box.mails)
        stale = self.counted("mails", "stale")
        unmarked = self.counted("mails", "not marked")
        return [
            Row("mails owed", self.counted("mails", "owed"), f"{stale} more were stale before they went out"),
            Row(
                "mails delivered",
                self.counted("mails", "delivered"),
                f"of those owed; {unmarked} besides, whose sender was killed before it could say so",
            ),
            Row("mails doubled", self.doubled, f"{share:.2%} of {self.box.mails} that came; same Message-ID"),
        ]

    def _games(self) -> list[Row]:
        found = self.found["counted"]
        scorings = found["scorings"]
        return [
            Row("games verified", self.counted("games", "verified"), "by verify_games"),
            Row("games finished", self.counted("results", "finished"), "since all began"),
            Row("results replayed", self.counted("results", "replayed"), "by the rules from actions alone"),
            Row("games rated", self.counted("ratings", "rated"), "and again by recompute_ratings --check"),
            Row("league results", self.counted("leagues", "settled"), "the tables again by the oracle"),
            Row(
                "final scorings",
                self.counted("scorings", "scored"),
                f"{scorings['while a part was away']:.0f} while parts were away that score; the latest waited"
                f" {scorings['latest']:.1f} s with all of them there",
            ),
        ]

    def _parts(self) -> list[Row]:
        kills = ", ".join(f"{part} {count}" for part, count in sorted(self.killed.items()))
        return [
            Row("kills", self.killed.total(), kills),
            Row(
                "seconds to rest", round(self.rested), "after the last part was back; a lost claim takes 120"
            ),
            Row("traces", len(self.traces), "in all logs"),
        ]

    # ------------------------------------------------------------------------------------ judgement

    def broken(self) -> list[str]:
        """Return a line for each broken promise."""
        lines = [f"still to do: {count} {what}" for what, count in self.left.items() if count]
        for what, wrong in self.found["wrong"].items():
            lines += [f"{what}: {one}" for one in wrong]
        if self.doubled > DOUBLES * self.box.mails and self.doubled > 1:
            lines.append(f"mails: {self.doubled} of {self.box.mails} came twice")
        lines += [f"exception: {one}" for one in self.figures.exceptions]
        lines += [f"refused without a reason: {one}" for one in self.ledger.find_unreasoned()]
        lines += [f"trace: {one} ({count} times)" for one, count in Counter(self.traces).most_common()]
        if self.ledger.count("accepted") == 0:
            lines.append("nobody played")
        return lines

    def hardly_tried(self) -> list[str]:
        """List what happened so seldom that the absence of faults says little."""
        failures = self.figures.count_failures
        times = {
            "turns whose answer was lost": failures(name="turn") + self.ledger.count("unknown"),
            "turns refused": self.ledger.count("refused"),
            "answers of 500 or 503": failures(error="code=50"),
            "final scorings while a part was away": self.counted("scorings", "while a part was away"),
            "final scorings that waited for the sweep": self.counted("scorings", "after the sweep"),
            "rated games": self.counted("ratings", "rated"),
            "league results": self.counted("leagues", "settled"),
        }
        hardly = {what: count for what, count in times.items() if count < HARDLY}
        kills = {f"kills of {part} or a child of it": self._kills_of(part) for part in self.parts}
        hardly |= {what: count for what, count in kills.items() if count < FEW_KILLS}
        return [f"{what}: {count}" for what, count in hardly.items()]

    def _kills_of(self, part: str) -> int:
        return self.killed[part] + self.killed[f"a child of {part}"]


def traces_in(log: str) -> list[str]:
    """The last line of each traceback in a log: the exception."""
    found = []
    for begin in TRACE.finditer(log):
        rest = log[begin.end() :].lstrip("\n").splitlines()
        found.append(next((line for line in rest if line and not line.startswith((" ", "\t"))), "?"))
    return found
