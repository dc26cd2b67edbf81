"""Results of SPF, DKIM and DMARC, as the mail server in front of the receiver has written them (RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from games.inbox.messages import MailPart, parse_head

METHODS = ("spf", "dkim", "dmarc")
RESULTS = ("pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror")
"""Results of RFC 8601, 2.7. Of several DKIM signatures, the result that comes first here counts."""

MAX_RESULTS = 16 * 1024
"""Maximum number of characters read of a header. Its length is the sender's to choose: a server reports
every signature of the message, and DMARC last."""

_RESULT = re.compile(r"\s*(\w+)\s*(?:/\s*\d+\s*)?=\s*(\w+)", re.ASCII)
_QUOTED_OR_PAREN = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[()]')


@dataclass(frozen=True, slots=True)
class MailAuthentication:
    """A word of ``RESULTS`` for each method; empty if the mail server reports none."""

    spf: str = ""
    dkim: str = ""
    dmarc: str = ""

    def __str__(self) -> str:
        return " ".join(f"{method}={result}" for method, result in asdict(self).items() if result)


def read_authentication(raw: bytes, server: str) -> MailAuthentication:
    """Read the results of the mail server with the authserv-id *server* for the message *raw*.

    Headers with another name are the sender's own, and without a name nothing is read (RFC 8601, 5 and 7.1).
    Servers add theirs above existing headers: for each method the topmost one counts.

    >>> raw = b"Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=a.example; dkim=fail\\n\\n"
    >>> str(read_authentication(raw, "mx.example.org")), str(read_authentication(raw, "mx.example.net"))
    ('spf=pass dkim=fail', '')
    """
    verdicts: dict[str, str] = {}
    for results in _list_results(parse_head(raw), server.lower()):
        for method in METHODS:
            said = [result for named, result in results if named == method and result in RESULTS]
            if said:
                verdicts.setdefault(method, min(said, key=RESULTS.index))
    return MailAuthentication(**verdicts)


def _list_results(message: MailPart, server: str) -> Iterator[list[tuple[str, str]]]:
    """The methods and results of each header of *server*, from the top."""
    for value in message.undecoded("Authentication-Results", MAX_RESULTS):
        name, *statements = _drop_comments(value).lower().split(";")
        if server and name.split()[:1] == [server]:
            yield [match.groups() for statement in statements if (match := _RESULT.match(statement))]  # type: ignore[misc]


def _drop_comments(value: str) -> str:
    """Remove quoted strings and nested comments in parentheses from *value*: neither holds a result."""
    kept, depth, begin = [], 0, 0
    for mark in _QUOTED_OR_PAREN.finditer(value):
        if not depth:
            kept.append(value[begin : mark.start()])
        depth = max(0, depth + {"(": 1, ")": -1}.get(mark[0], 0))
        begin = mark.end()
    return " ".join([*kept, "" if depth else value[begin:]])
