"""Tests of HTML as lines, with mail programs' quotes and signatures (REPLY-7)."""

from __future__ import annotations

import pytest

from games.inbox.html_text import read_html
from tests.cases import for_each
from tests.games.inbox.mails import HTML, LETTER_HTML, says

INTRODUCTION = "On Sat, Nov 21, 2026 at 10:00 AM Carcassonne &lt;games@carcassonne.example&gt; wrote:<br>"
HEADERS = (
    "<b>From:</b> Carcassonne &lt;games@carcassonne.example&gt;<br><b>Sent:</b> 21 November 2026 10:00<br>\n"
    "<b>To:</b> Megan<br><b>Subject:</b> Your turn"
)

ENDED = {
    "blockquote": f"<blockquote>{LETTER_HTML}</blockquote>",
    "apple": f'<div>{INTRODUCTION}</div><blockquote type="cite"><div>{LETTER_HTML}</div></blockquote>',
    "gmail": f'<div class="gmail_quote"><div class="gmail_attr">{INTRODUCTION}</div>'
    f'<blockquote class="gmail_quote">{LETTER_HTML}</blockquote></div>',
    "gmail-container": f'<div class="gmail_quote gmail_quote_container">{LETTER_HTML}</div>',
    "yahoo": f'<div id="yahoo_quoted_4711" class="yahoo_quoted"><div>{LETTER_HTML}</div></div>',
    "yahoo-mangled": f'<div id="ydp2e0cd1a9yahoo_q" class="ydp2e0cd1a9yahoo_quoted">{LETTER_HTML}</div>',
    "proton": f'<div class="protonmail_quote">{INTRODUCTION}<blockquote>{LETTER_HTML}</blockquote><br></div>',
    "thunderbird": f'<div class="moz-cite-prefix">{INTRODUCTION}</div><blockquote type="cite" cite="mid:a@b">'
    f"{LETTER_HTML}</blockquote>",
    "gmx": f'<div name="quote" style="margin:10px"><div><b>Von:</b> C</div>{LETTER_HTML}</div>',
    "outlook-mobile": f'<div id="mail-editor-reference-message-container">{HEADERS}{LETTER_HTML}</div>',
    "outlook-mac": f'<span id="OLK_SRC_BODY_SECTION"><div>{HEADERS}</div>{LETTER_HTML}</span>',
    "outlook-web-in-outlook-web": f'<div class="x_gmail_quote">{LETTER_HTML}</div>',
    "yandex": f"<div>{INTRODUCTION}</div><blockquote>{LETTER_HTML}</blockquote>",
    "mail.ru": f'<blockquote style="border-left:1px solid #0857A6">{INTRODUCTION}{LETTER_HTML}</blockquote>',
    "marked": "<p>&gt; 14b k<br>&gt; pass</p>",
}
TO_THE_END = {
    "outlook-web": f'<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">{HEADERS}</div>{LETTER_HTML}',
    "outlook": '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p>'
    f"{HEADERS}</p></div></div>{LETTER_HTML}",
    "outlook-2010": f"<div style='border:none;BORDER-TOP: solid #B5C4DF 1.0pt'>{HEADERS}</div>{LETTER_HTML}",
    "outlook-rgb": '<div style="border-width: 1pt medium medium; border-style: solid none none; border-color:'
    f' rgb(181, 196, 223) currentcolor">{HEADERS}</div>{LETTER_HTML}',
    "outlook-web-mangled": f'<div id="x_divRplyFwdMsg">{HEADERS}</div>{LETTER_HTML}',
    "zimbra": f'<hr id="zwchr">{LETTER_HTML}',
    "hotmail": f'<hr id="stopSpelling">{LETTER_HTML}',
    "headers-only": f"<div>{HEADERS}</div>{LETTER_HTML}",
    "seznam": f"<p>---------- Původní e-mail ----------<br>Od: C<br>{LETTER_HTML}</p>",
    "samsung": f"<div>-------- Original message --------</div><div>From: C</div>{LETTER_HTML}",
    "introduction-only": f"<div>{INTRODUCTION}</div><div>{LETTER_HTML}</div>",
    "unended": f"<div>{INTRODUCTION}<blockquote>{LETTER_HTML}</div>",
}


@for_each("quote", [*ENDED.values(), *TO_THE_END.values()])
def test_words_above_a_quote_count(quote: str) -> None:
    assert says(f"<html><body><div>8d</div><div><br></div>{quote}</body></html>", HTML) == "8d"
    assert says(f"<div dir=ltr>8d<br></div>{quote}", HTML) == "8d"
    assert says(f"8d{quote}", HTML) == "8d"
    assert says(f"<div>talk Hi</div>{quote}", HTML) == "talk Hi"
    assert says(quote, HTML) == "explain"
    assert says(f"<p>Hello</p>{quote}", HTML) == "explain"


@for_each("quote", ENDED.values())
def test_words_below_a_quote_that_ends_count(quote: str) -> None:
    assert says(f"<html><body>{quote}<p>8d</p></body></html>", HTML) == "8d"
    assert says(f"<div>{quote}</div><div>8d</div>", HTML) == "8d"
    assert says(f"<p>8d</p>{quote}<p>undo</p>", HTML) == "explain"
    assert says(f"{quote}<p>fine</p>{quote}<p>8d</p>", HTML) == "explain"


@for_each("quote", TO_THE_END.values())
def test_nothing_below_a_quote_without_an_end_counts(quote: str) -> None:
    assert says(f"<html><body>{quote}<p>8d</p></body></html>", HTML) == "explain"


@pytest.mark.parametrize(
    "signature",
    [
        '<div class="gmail_signature">Megan<br>undo</div>',
        '<span class="gmail_signature_prefix">-- </span><br><div class="gmail_signature">undo</div>',
        '<div class="moz-signature">-- <br>undo</div>',
        '<div class="protonmail_signature_block"><div>undo</div></div>',
        '<div id="Signature"><p>undo</p></div>',
        '<div id="x_Signature"><p>undo</p></div>',
        '<div id="ms-outlook-mobile-signature">undo</div>',
    ],
)
def test_signatures_are_dropped(signature: str) -> None:
    assert says(f"<div>8d</div>{signature}", HTML) == "8d"
    assert says(f"<div>talk Hi</div>{signature}", HTML) == "talk Hi"
    assert says(signature, HTML) == "explain"


@for_each(
    "hidden",
    [
        *("<head><title>undo</title></head>", "<style>undo</style>", "<script>undo</script>"),
        "<!-- undo -->",
        *('<div style="display:none">undo</div>', "<div style='color:red; DISPLAY : none'>undo</div>"),
        *("<p hidden>undo</p>", '<span style="display:none">undo</span>'),
        '<div style="display&#58;none">undo</div>',
        *("<!--[if mso]><p>undo</p><![endif]-->", '<p title="a > undo"></p>', '<img alt="undo">', "<!-->"),
        *("<head><meta charset=utf-8>", "<![if !mso]>", "<?xml undo ?>", "<o:p></o:p>"),
        "<textarea>undo</textarea>",
    ],
)  # fmt: skip
def test_what_is_no_text_is_not_read(hidden: str) -> None:
    assert says(f"{hidden}<div>8d</div>", HTML) == "8d"


@for_each(
    ("source", "lines"),
    [
        ("2,-3\nr180\n  city&nbsp;E", ["2,-3 r180 city E"]),
        ("<b>8</b>d", ["8d"]),
        ("a<br>b<br/>c<BR CLEAR=all>d", ["a", "b", "c", "d"]),
        ("<div>a</div><div>b</div>", ["a", "b"]),
        ("<div>a<div>b</div>c</div>d", ["a", "b", "c", "d"]),
        ("<div>a<br></div><div><br></div><div>b</div>", ["a", "", "b"]),
        ("<div>a</div><div>&nbsp;</div><div>b</div>", ["a", "", "b"]),
        ("<p>a</p><p>b</p>", ["a", "", "b", ""]),
        ("<p>a<p>b", ["a", "", "b"]),
        ("<p class=MsoNormal>a</p><p class=MsoNormal>b</p>", ["a", "b"]),
        ('<p style="margin: 0px">a</p><p style="margin:0">b</p>', ["a", "b"]),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", ["a b", "c"]),
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("<pre>a\nb</pre>c", ["a", "b", "c"]),
        ("a &lt; b &amp; c < d", ["a < b & c < d"]),
        ("<a href='x>y'>a</a> b", ["a b"]),
        ("a<wbr>b<span>c</span>", ["abc"]),
        ("a</nothing>b</p>c", ["ab", "c"]),
        ("8d<!-- open", ["8d"]),
        ("8d<a href=", ["8d"]),
        ("8d</", ["8d"]),
        ("&#" + "9" * 5000 + ";", ["&#" + "9" * 5000 + ";"]),
    ],
)
def test_html_becomes_lines(source: str, lines: list[str]) -> None:
    assert [line.text for line in read_html(source, 1000)[0]] == lines


@pytest.mark.parametrize(
    "source",
    [
        "<blockquote><div></blockquote></div><p>pass</p>",
        "<blockquote><b></blockquote>8d</b>",
    ],
)
def test_a_quote_ends_where_its_end_tag_stands(source: str) -> None:
    assert says(source, HTML) in ("pass", "8d")


@pytest.mark.parametrize(
    "source",
    [
        "<blockquote>a<p>8d",
        "<blockquote>a</div>8d",
        "<div><blockquote>a</div>8d",
        "<b><blockquote>a</b>8d",
        "<table><tr><td><blockquote>a</td></tr></table>8d",
        "<blockquote><blockquote>a</blockquote>8d",
        '<div class="gmail_quote"><blockquote>a</blockquote><div>8d</div></div>',
    ],
)
def test_in_doubt_a_quote_has_not_ended(source: str) -> None:
    assert says(source, HTML) == "explain"
