"""The decision on the player's own words (REPLY-14 to 18)."""

from __future__ import annotations

from games.inbox.replies import MailReply, read_reply
from games.inbox.vocabulary import read_turn
from tests.cases import for_each
from tests.games.inbox.mails import LETTER, mail, says


@for_each(
    ("line", "expected"),
    [
        ("14b k", "14b k"),
        ("14B  K", "14b k"),
        ("  9 c ", "9c"),
        ("999d z", "999d z"),
        ("1a", "1a"),
        ("2 , -3  180   CITY e", "2,-3 r180 city E"),
        ("BASE.D @ 0,2 R90 road n", "base.D@0,2 r90 road N"),
        ("Pass", "pass"),
        ("ENTER large castle  count market", "enter large castle count market"),
        ("move 2 castle city 2,0 n", "move 2 castle city 2,0 N"),
        ("gingerbread 1,-2 w", "gingerbread 1,-2 W"),
        ("5,0 180 recall 1,2", "5,0 r180 recall 1,2"),
        ("-2,0 r270", "-2,0 r270"),
        ("\u20102,\u20113 r270 recall \u22121,\u20132", "-2,-3 r270 recall -1,-2"),
        ("14bk", "14b k"),
        ("14 BK.", "14b k"),
        ("pass.", "pass"),
        ("0,0 r0 field ii", "0,0 r0 field II"),
        ("RESIGN", "resign"),
        (" Status ", "status"),
        ("undo", "undo"),
        ("talk  Hi   there ", "talk Hi there"),
        ("NOTE x", "note x"),
        ("talk pass", "talk pass"),
        ("talk > really?", "talk > really?"),
    ],
)
def test_a_whole_line_is_a_turn_or_a_command(line: str, expected: str) -> None:
    """REPLY-15, REPLY-16."""
    assert says(f"\n\n{line}\n\nSee you,\nMegan\n") == expected
    assert says(line) == expected


@for_each(
    "line",
    [
        *("0a", "1000a", "014b", "14e", "14", "b", "14b kk", "14bkk", "14b 3", "a14", "14b k..", "14b, k"),
        "#14b",
        *("* 14b k", "- 14b k", "1. 14b k", '"14b k"', "*14b k*", "`14b k`", "_pass_", "(pass)", "pass!"),
        "pass, sorry",
        *("I pass", "my turn: 14b k", "turn 14b k", "play 14b k", "14b k please", "Re: 14b k"),
        *("\u201314b k", "１４b k", "14b \u212a", "14b k\u3002", "resign.", "undo."),
        *("4,1 r100", "4,1 r270 monastary", "4,1 r270 city", "4,1 r270 city X", "4,1", "4;1 r270", "4,1r270"),
        *("\u20142,0 r270", "\u2212 2,0 r270", "-2, r270", "moon.Q@4,1 r270", "2,-3 r180 mesto E"),
        "2,-3 r180 city E N",
        *("undo it", "undo!", "resign?", "I resign", "status report", "talk", "note", "talk:", "talk: hi"),
        "talking to you",
        *("notes x", "yes", "no", "ok", "field", "city N", "N", "help", "stop", "?", "пас", "раss"),
        *("Ｐass", "рass", "unďo"),
        *("enter", "enter the castle", "enter moon", "move castle", "move 1 castle garden 0,0"),
        "gingerbread N",
        *("\u2022 pass", "\u201cpass\u201d", "pass\u00a0\u00a0now", "👍", "pass 👍", "pass\u0000"),
        "p\u0301ass",
    ],
)  # fmt: skip
def test_anything_else_is_explained(line: str) -> None:
    """REPLY-15, REPLY-18."""
    assert says(f"{line}\n") == "explain"
    assert says(f"{line}\n\n8d\n") == "explain"  # no line is skipped (REPLY-14)
    assert read_turn(line) is None


def test_the_explanation_knows_the_line_that_was_read() -> None:
    assert read_reply(mail("\n Is 8d  free?\n\nMegan\n")) == MailReply("explain", line="Is 8d free?")
    assert read_reply(mail("")) == MailReply("explain")


@for_each(
    ("text", "expected"),
    [
        ("talk Well\nplayed!\n\nMegan", "talk Well played!"),
        ("talk a\nb\n \nc\n", "talk a b"),
        ("talk a\nundo\n8d", "explain"),
        ("talk a\n8d.", "explain"),
        ("note a\nb\nresign", "explain"),
        ("talk I thought of\n8d, not for long", "talk I thought of 8d, not for long"),
        ("talk a\nstatus", "talk a status"),
        ("talk a\n> quoted\nb", "talk a"),
        ("talk a\n-- \nb", "talk a"),
        ("talk a\ntalk b", "talk a talk b"),
        ("talk a\n\ntalk b", "talk a"),
        ("note a\n\nresign now?", "note a"),
        ("talk a\n\nundo", "explain"),
        ("talk a\n\n8d", "explain"),
        ("talk\na", "explain"),
        ("talk \n\na", "explain"),
    ],
)
def test_a_text_goes_to_the_end_of_its_paragraph(text: str, expected: str) -> None:
    """REPLY-16."""
    assert says(text) == expected


@for_each("between", ["\n", "\n\n", "\n\nor\n\n", "\n-----\n"])
@for_each(
    ("first", "second", "expected"),
    [
        ("8d", "9d", "explain"),
        ("8d", "8D", "8d"),
        ("8d", "8 d", "8d"),
        ("8d", "8d k", "explain"),
        ("4,1 r270", "4,1 270", "4,1 r270"),
        ("4,1 r270", " 4 , 1  R270", "4,1 r270"),
        ("4,1 r270", "4,1 r90", "explain"),
        ("4,1 r270", "8d", "explain"),
        ("4,1 r270", "base.P@4,1 r270", "explain"),
        ("8d", "pass", "explain"),
        ("pass", "PASS", "pass"),
        ("pass", "pass.", "pass"),
        ("8d", "undo", "explain"),
        ("8d", "Resign", "explain"),
        ("8d", "undo that", "8d"),
        ("8d", "status", "8d"),
        ("8d", "talk Hi", "8d"),
        ("8d", "note pass", "8d"),
        ("8d", "4,1 r100", "8d"),
        ("undo", "undo", "undo"),
        ("undo", "resign", "explain"),
        ("undo", "8d", "explain"),
        ("resign", "RESIGN", "resign"),
        ("resign", "enter castle", "explain"),
        ("status", "8d", "explain"),
        ("status", "status", "status"),
        ("status", "undo", "explain"),
    ],
)
def test_two_answers_must_agree(first: str, second: str, expected: str, between: str) -> None:
    """REPLY-17."""
    assert says(f"{first}{between}{second}\n") == expected


def test_an_answer_behind_the_bound_of_what_is_read_may_contradict() -> None:
    assert says("8d\n" + "word\n" * 4000) == "8d"
    assert says("8d\n" + "word\n" * 20_000) == "explain"
    assert says("8d\n" + "word " * 100_000) == "explain"
    quoted = "-----Original Message-----\n"
    assert says(f"8d\n\n{quoted}{LETTER}\n" + "word\n" * 20_000) == "8d"  # all that is left is a quote
