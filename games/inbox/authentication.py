"""Results of SPF, DKIM and DMARC, as the mail server before the receiver has written them (RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from games.inbox.messages import MailPart, TooManyParts, parse_message

METHODS = ("spf", "dkim", "dmarc")
RESULTS = ("pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror")
"""Of RFC 8601, 2.7. With several DKIM signatures the first of these counts that any of them has."""

_RESULT = re.compile(r"\s*(\w+)\s*(?:/\s*\d+\s*)?=\s*(\w+)", re.ASCII)
_QUOTED_OR_PAREN = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[()]')


@dataclass(frozen=True, slots=True)
class MailAuthentication:
    """A word of ``RESULTS`` for each method; empty where the mail server says nothing."""

    spf: str = ""
    dkim: str = ""
    dmarc: str = ""

    def __str__(self) -> str:
        return " ".join(f"{method}={result}" for method, result in asdict(self).items() if result)


def read_authentication(raw: bytes, server: str) -> MailAuthentication:
    """Read what the mail server whose authserv-id is *server* has found out about the message *raw*.

    Headers in another name are the sender's own, and nothing is read without a name (RFC 8601, 5 and 7.1). A
    server writes above what is there: of each method the topmost header counts.

    >>> raw = b"Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=a.example; dkim=fail\\n\\n"
    >>> str(read_authentication(raw, "mx.example.org")), str(read_authentication(raw, "mx.example.net"))
    ('spf=pass dkim=fail', '')
    """
    try:
        message = parse_message(raw)
    except TooManyParts:
        return MailAuthentication()
    found: dict[str, str] = {}
    for results in _list_results(message, server.lower()):
        for method in METHODS:
            said = [result for named, result in results if named == method and result in RESULTS]
            if said:
                found.setdefault(method, min(said, key=RESULTS.index))
    return MailAuthentication(**found)


def _list_results(message: MailPart, server: str) -> Iterator[list[tuple[str, str]]]:
    """The methods and results of each header of *server*, from the top."""
    for value in message.texts("Authentication-Results"):
        name, *statements = _drop_comments(value).lower().split(";")
        if server and name.split()[:1] == [server]:
            yield [found.groups() for one in statements if (found := _RESULT.match(one))]  # type: ignore[misc]


def _drop_comments(value: str) -> str:
    """*value* without quoted strings and what stands in parentheses, which nest: no result is one."""
    kept, depth, begin = [], 0, 0
    for mark in _QUOTED_OR_PAREN.finditer(value):
        if not depth:
            kept.append(value[begin : mark.start()])
        depth = max(0, depth + {"(": 1, ")": -1}.get(mark[0], 0))
        begin = mark.end()
    return " ".join([*kept, "" if depth else value[begin:]])
