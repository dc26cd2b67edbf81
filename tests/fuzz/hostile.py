"""Generator of hostile requests. The same seed makes the same requests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import quote, quote_from_bytes

from tests.hostile_texts import HOSTILE

Fields = Mapping[str, Sequence[str]]

VALUES: tuple[bytes, ...] = tuple(
    value if isinstance(value, bytes) else value.encode(errors="replace")
    for value in (
        *("", " ", "\t", "\0", "a\0b", "\x1f", "\x7f", "a\r\nSet-Cookie: theme=x"),
        "Anna\nBcc: a@example.org",
        *("0", "-0", "1", "-1", "+1", "01", "1.5", "1e3", "1e999", "NaN", "Infinity", "-inf"),
        *("0x10", "1_000"),
        *("2147483647", "2147483648", "-2147483649", "9223372036854775808", "-9223372036854775809"),
        *("9" * 40, "-" + "9" * 400, "9" * 5000, "١٢٣", "²", "½", "１", "1,000", "1;2", "1\u00a0000"),
        *("é", "e\u0301", "ß", "İ", "ﬃ", "𝕏", "\u202eanna", "\ufeff", "\u200b", "\U000e0001"),
        ("Z\u0335" * 200),
        *("A" * 31, "A" * 151, "A" * 256, "ж" * 300, "𝕏" * 3000, "A " * 5000, "A" * 60_000, "\n" * 5000),
        *(b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf", b"%", b"%zz", b"%u0041", b"+", b"&", b"=", b"#", b"?"),
        *HOSTILE,
        *("null", "true", "false", "None", "undefined", "on", "[]", "{}", "[1]", '{"a": 1}', '"', "'", "\\"),
        *("[" * 20_000, '{"a":' * 5000, "[[]]", '["\\ud800"]', '{"__class__": 1}', "1e400", "[1, null, {}]"),
        *("0000-00-00", "0001-01-01", "9999-12-31", "10000-01-01", "2024-02-30", "2040-01-01", "2040-W53-7"),
        *("2040-01-01T25:61", "9999-12-31T23:59", "0001-01-01T00:00", "24:00", "00:00", "23:59:60", "P1D"),
        *("999999999 days", "-1 day, 23:59:59", "10675199.02:48:05", "1 1:1:1", "P999999999999D"),
        *("Europe/Atlantis", "../../../etc/passwd", "/etc/localtime", "..", ".", "C:\\", "CON", "~root"),
        *("a@b", "@", "a@@b", "x@" + "a" * 300 + ".org", "a@xn--a.org", "a@[::1]", '"a b"@example.org'),
        *("//evil.example", "/\\evil.example", "http://[", "http://[::1", "https://a:b@c:99999/"),
        "javascript:1",
        *("http://\u2100.example", "///", "http:///x", "data:,x", "?next=//evil.example"),
        *("/g/\0/", "http://a:x/"),
        *("' OR 1=1 --", '"; DROP TABLE x; --', "%s%n%d", "{{ 7|add:7 }}", "{% now %}", "${7*7}"),
        "{0.__class__}",
        *("<script>alert(1)</script>", "</textarea>", "<![CDATA[", "&#0;", "](javascript:1)"),
        *("$(id)", "*", "?*["),
        *("en", "xx", "zz-" + "a" * 500, "C", "de@euro", "en_US.UTF-8", "-" * 300, "en;q=" + "9" * 400),
        *("0,0", "0,1", "-1,-1", "99999999999999999999,0", "0,", ",", "0,0,0", "a,b", "1e9,1"),
        *("0;0", "\u0660,0"),
        *("N", "n", "NNW", "city", "road", "castle", "abbot", "0 0 N", "pass", "decline"),
        *("accept", "yes", "end"),
        *("base", "bot", "__all__", "action_checkbox", "_selected_action", "select_across", "-pk"),
        "1.-2.3.x",
        *("pk__in", "password__startswith", "player__password__regex", "(", "[a-", "(?P<"),
        *("((((a+)+)+)+$", "a" * 99),
    )
)  # fmt: skip
METHODS = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "get", "\xdf")
HEADERS = [
    "HTTP_HX_REQUEST", "HTTP_HX_CURRENT_URL", "HTTP_HX_TARGET", "HTTP_HX_TRIGGER", "HTTP_HX_TRIGGER_NAME",
    "HTTP_HX_PROMPT", "HTTP_HX_BOOSTED", "HTTP_HX_HISTORY_RESTORE_REQUEST",
    "HTTP_HX_CURRENT_URL_URI_AUTOENCODED", "HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT_ENCODING",
    "HTTP_REFERER", "HTTP_ORIGIN", "HTTP_USER_AGENT", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO", "HTTP_HOST", "HTTP_AUTHORIZATION", "HTTP_IF_NONE_MATCH",
    "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_RANGE",
    "HTTP_X_REQUESTED_WITH", "HTTP_X_CSRFTOKEN", "HTTP_X_METHOD_OVERRIDE", "HTTP_PURPOSE",
    "HTTP_SEC_FETCH_SITE", "HTTP_COOKIE", "CONTENT_TYPE", "CONTENT_LENGTH", "REMOTE_ADDR", "SERVER_PORT",
    "HTTP_TRANSFER_ENCODING",
]  # fmt: skip
BODIES = (
    ("multipart/form-data", b"--x\r\n"),
    ("multipart/form-data; boundary=", b"--\r\n\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--"),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="version'),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="line"; filename="../\0"\r\n\r\n\0\r\n--x--\r\n',
    ),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\n@\r\n--x--",
    ),
    ("multipart/form-data; boundary=x; charset=klingon", b"--x--\r\n"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--" + b"x" * 300 + b"--\r\n"),
    ("application/x-www-form-urlencoded; charset=utf-16", b"line=%00&version=1"),
    ("application/x-www-form-urlencoded; charset=klingon", b"line=1"),
    ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % n for n in range(1200))),
    ("application/x-www-form-urlencoded", b"=&=&&;=%&%=%ff"),
    ("application/json", b"{"),
    ("application/json", b'{"line": null, "version": [1], "text": {"a": "\\ud800"}}'),
    ("application/json", b"[" * 50_000),
    ("text/plain", b"line=1"),
    ("", b"line=1"),
    ("\xff/\xff; a=b; =", b"\xff\xfe\0"),
)


@dataclass(frozen=True, slots=True)
class Material:
    """Facts about the site for the generator.

    ``addresses`` are existing paths. ``routes`` are the URL patterns, with ``{}`` for each part. A form is
    its path and its fields as a browser would send them. ``names`` are those of fields and parameters that
    some view reads; ``cookies`` those of cookies.
    """

    roles: Sequence[str]
    addresses: Sequence[str]
    routes: Sequence[str]
    forms: Sequence[tuple[str, Fields]]
    names: Sequence[str]
    cookies: Sequence[str]


@dataclass(frozen=True, slots=True)
class Request:
    """Generated request. *path* and *query* are percent-encoded; *environ* are WSGI headers."""

    role: str
    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)
    cookies: str = ""


def make(chance: Random, material: Material) -> Request:
    """Generate the next request."""
    role = chance.choice(material.roles)
    way = chance.random()
    if way < 0.45 and material.forms:
        path, fields = chance.choice(material.forms)
        content_type, body = _encoded(chance, _spoilt(chance, material, fields))
        return Request(
            role, "POST", path, _query(chance, material), body, content_type, *_around(chance, material)
        )
    path = chance.choice(material.addresses) if way < 0.7 else _strange_path(chance, material)
    method = chance.choice(("GET", "GET", "GET", "POST", "POST", chance.choice(METHODS)))
    content_type, body = "", b""
    if method != "GET" and chance.random() < 0.8:
        content_type, body = (
            chance.choice(BODIES)
            if chance.random() < 0.3
            else _encoded(chance, _spoilt(chance, material, {}))
        )
    query = _query(chance, material, likely=0.7)
    return Request(role, method, path, query, body, content_type, *_around(chance, material))


def _value(chance: Random) -> bytes:
    value = chance.choice(VALUES)
    if chance.random() < 0.1:
        value += chance.choice(VALUES)
    if chance.random() < 0.05:
        value = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 40)))
    return value


def _spoilt(chance: Random, material: Material, fields: Fields) -> list[tuple[str, bytes]]:
    """*fields* as pairs, some of them with unexpected values, repeated, missing, or unknown."""
    pairs = [(name, value.encode()) for name, values in fields.items() for value in values]
    for _ in range(chance.choice((1, 1, 2, 4))):
        strange = _value(chance)
        at = chance.randrange(len(pairs)) if pairs else None
        what = chance.random()
        if at is None or what < 0.2:
            pairs.append((chance.choice(material.names) if material.names else "a", strange))
        elif what < 0.75:
            pairs[at] = (pairs[at][0], strange)
        elif what < 0.85:
            pairs.append((pairs[at][0], strange))
        elif what < 0.95:
            del pairs[at]
        else:
            pairs[at] = (pairs[at][0] + chance.choice(("[]", "\0", "-0", "__in", ".x")), strange)
    return pairs


def _encoded(chance: Random, pairs: Sequence[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Encode *pairs* as a content type and a body: mostly as browsers do."""
    way = chance.random()
    if way < 0.8:
        return "application/x-www-form-urlencoded", _urlencoded(pairs).encode()
    if way < 0.95:
        parts = b"".join(
            b'--limit\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
            % (name.encode(), chance.choice((b"", b"", b'; filename="a.txt"')), value)
            for name, value in pairs
        )
        return "multipart/form-data; boundary=limit", parts + b"--limit--\r\n"
    return "application/json", json.dumps({name: value.decode("latin-1") for name, value in pairs}).encode()


def _urlencoded(pairs: Sequence[tuple[str, bytes]]) -> str:
    return "&".join(f"{quote(name, safe='')}={quote_from_bytes(value, safe='')}" for name, value in pairs)


def _query(chance: Random, material: Material, likely: float = 0.1) -> str:
    if chance.random() > likely or not material.names:
        return ""
    if chance.random() < 0.05:
        return chance.choice(
            ("%", "&&&", "=", "a" * 5000, "%00=%00", "a[]=1&a[b]=2", "&".join(["a=1"] * 1200))
        )
    names = chance.choices(material.names, k=chance.choice((1, 1, 2, 3)))
    return _urlencoded([(name, _value(chance)) for name in names])


def _strange_path(chance: Random, material: Material) -> str:
    """A route with valid or invalid values; or a path with a part of it replaced."""
    if chance.random() < 0.5:
        route = chance.choice(material.routes)
        while "{}" in route:
            route = route.replace("{}", quote_from_bytes(_value(chance)[:2000], safe=""), 1)
        return route
    parts = chance.choice(material.addresses).split("/")
    parts[chance.randrange(1, len(parts))] = quote_from_bytes(_value(chance)[:2000], safe="")
    return "/".join(parts)


def _around(chance: Random, material: Material) -> tuple[Mapping[str, str], str]:
    """Headers and cookies: mostly none besides the session, often those of htmx."""
    environ: dict[str, str] = {}
    if chance.random() < 0.25:
        environ["HTTP_HX_REQUEST"] = "true"
    if chance.random() < 0.2:
        for name in chance.choices(HEADERS, k=chance.choice((1, 1, 2, 4))):
            environ[name] = _header(chance)
    cookies = ""
    if chance.random() < 0.1:
        cookies = "; ".join(f"{name}={_header(chance)}" for name in chance.choices(material.cookies, k=2))
    return environ, cookies


def _header(chance: Random) -> str:
    """A value that a web server lets through: one line, octet by octet."""
    return "".join(letter for letter in _value(chance)[:8000].decode("latin-1") if letter >= " ")
