"""Texts that are meant to break a page, a file, a mail, a log line, or to deceive a reader."""

from __future__ import annotations

import re
import unicodedata

MARK = "lorem"
"""Word in everything that would be run, opened or shown as something else."""

HOSTILE = (
    # markup
    "<script>lorem()</script>",
    "\"><img src=x onerror='lorem()'>",
    "</title></textarea><svg/onload=lorem()>",
    "{{ lorem }}{% lorem %}",
    "]]><!ENTITY lorem SYSTEM 'file:///etc/passwd'>",
    "&lt;lorem&gt; &amp;#x3c;",
    "javascript:lorem()",
    # links
    "https://lorem.example/",
    "www.lorem.example",
    "lorem.example",
    "t.co/lorem",
    "lorem\u3002example",
    "lorem@lorem.example",
    # encoded words, headers and lines
    "=?utf-8?q?lorem=2Eexample?=",
    "=?utf-8?b?aHR0cHM6Ly9sb3JlbS5leGFtcGxl?=",
    "Cup =?utf-8?q?lorem=2Eexample?=",
    "lorem\r\nBcc: lorem@lorem.example",
    "lorem\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:lorem",
    "lorem\n2026-01-01 00:00:00,000 INFO    security: forged",
    "lorem\u2028lorem\u2029lorem\x85lorem",
    # control, invisible and direction characters
    "Wil\bki",
    "Cup\x0b of Lorem",
    "A\x1b[31mB",
    "lo\u200brem\u200d\ufeff\u00ad",
    "\u202egnp.merol",
    "\u2066lorem\u2069\u200f",
    "\u3164\u115f\u2800",
    "\U000e0061\U000e0062lorem",
    "lorem\ufffe\uffff",
    # formulas
    "=1+1",
    '=HYPERLINK("https://lorem.example")',
    "+49 lorem",
    "-minus lorem",
    "@home lorem",
    "\t=lorem",
    "lorem,\";'|=cmd",
    # look-alikes, alphabets, marks
    "L\u0335\u0321\u0334\u0322\u0337o\u0336\u0328\u0319\u0347rem",
    "\u0301\u0301\u0301lorem",
    "Adm\u0131n",
    "l\u043erem",
    "\u24b6\u24b9\u24c2\u24be\u24c3",
    "\U0001d400dmin",
    "House Bot",
    # sizes and pictures
    "lorem" * 1000,
    "\n" * 500 + "lorem",
    "\U0001f469\u200d\U0001f467 lorem \u2764\ufe0f",
    "' OR 1=1 -- lorem",
    "../../../lorem",
    "%s %(lorem)s {lorem} {0}",
    "\x00lorem",
)

UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
PILE = re.compile("[\u0300-\u036f]{3}")


def is_inert(text: str) -> bool:
    """Return whether *text* is in normal form: composed, visible, without piles of combining marks."""
    seen = all(unicodedata.category(one) not in UNSEEN or one in "\n\u200d" for one in text)
    return seen and unicodedata.normalize("NFC", text) == text and not PILE.search(text)
