"""Outcome of a fault run: what was counted, and which promises are broken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.load.mail_programs import MailPrograms
from benchmarks.load.postbox import Postbox
from benchmarks.load.swarm import LoadStatistics, TurnLedger

DOUBLES = 0.001  # of all mails
TRACE = re.compile(r"^Traceback \(most recent call last\):$", re.MULTILINE)


@dataclass(frozen=True)
class FaultRun:
    """Counts from outside of the site, and the audit's findings."""

    figures: LoadStatistics
    ledger: TurnLedger
    box: Postbox
    programs: MailPrograms
    killed: Counter[str]
    """Number of kills of each part, or of a child of it."""
    found: Mapping[str, Any]
    """Result of ``audit``."""
    left: Mapping[str, int]
    """Work that was still pending after the site had time to rest."""
    logs: Mapping[str, str]
    rested: float
    """Seconds from the return of the last part until nothing was left to do."""

    @property
    def doubled(self) -> int:
        """The number of mails that came more than once."""
        return sum(count - 1 for count in self.box.ids.values())

    @property
    def traces(self) -> list[str]:
        return [f"{name}: {trace}" for name, log in self.logs.items() for trace in traces_in(log)]

    def posted_again(self, channel: str) -> int:
        """Count the posts beyond those that were marked as sent, whose sender was killed."""
        posts = self.found["counted"]["posts"]
        return int(posts[f"{channel} came"] - posts[f"{channel} sent"])

    def count(self) -> dict[str, Mapping[str, float]]:
        """Return all counts, by kind: those of the audit, and those from outside."""
        sent = self.programs.sent
        return {
            "turns sent": Counter(one.said for one in self.ledger.sent),
            **self.found["counted"],
            "mails that came": {"once": len(self.box.ids), "again": self.doubled},
            "replies sent": {"once": len(sent), "again": sent.total() - len(sent)},
            "failed requests": {"500 or 503": self.figures.count_failures("code=50")},
            "kills": self.killed,
            "seconds": {"to rest": round(self.rested)},
            "logs": {"traces": len(self.traces)},
        }

    def list_broken(self) -> Iterator[str]:
        """Yield a line for each broken promise."""
        yield from (f"still to do: {count} {what}" for what, count in self.left.items() if count)
        for what, wrong in self.found["wrong"].items():
            yield from (f"{what}: {one}" for one in wrong)
        mails = self.box.mails
        if self.doubled > DOUBLES * mails and self.doubled > 1:
            yield f"mails: {self.doubled} of {mails} came twice"
        yield from (f"refused reply: {one}" for one in self.programs.refused)
        for channel in ("webhook", "push"):
            if self.posted_again(channel) > self.killed.total():
                yield f"posts: {self.posted_again(channel)} by {channel} came twice or unasked"
        yield from (f"exception: {one}" for one in self.figures.exceptions)
        yield from (f"refused without a reason: {one}" for one in self.ledger.find_unreasoned())
        yield from (f"trace: {one} ({count} times)" for one, count in Counter(self.traces).most_common())
        if self.ledger.count("accepted") == 0:
            yield "nobody played"


def traces_in(log: str) -> list[str]:
    """The last line of each traceback in a log: the exception."""
    found = []
    for begin in TRACE.finditer(log):
        rest = log[begin.end() :].lstrip("\n").splitlines()
        found.append(next((line for line in rest if line and not line.startswith((" ", "\t"))), "?"))
    return found
