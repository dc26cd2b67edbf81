"""Tests that automatic mail is ignored (REPLY-4), and mail of people is not."""

from __future__ import annotations

import pytest

from games.inbox.machines import is_machine
from games.inbox.messages import parse_message
from games.inbox.replies import read_reply
from tests.cases import for_each
from tests.games.inbox.mails import mail, part, says, several, whole

SIGNS = [
    *({"Auto_Submitted": value} for value in ("auto-replied", "auto-generated", "Auto-Notified; a=b", "yes")),
    *({"Precedence": value} for value in ("bulk", "LIST", "junk", "auto_reply")),
    *({"X_Auto_Response_Suppress": value} for value in ("All", "OOF", "DR, RN, AutoReply", "oof,autoreply")),
    *({name: "yes"} for name in ("X_Autoreply", "X_Autorespond", "X_Autoresponse", "X_Failed_Recipients")),
    *({name: "<x>"} for name in ("List_Id", "LIST_POST", "List_Help", "Mailing_List")),
    *({"Return_Path": value} for value in ("<>", "< >", "<MAILER-DAEMON@example.net>")),
    {"Content-Type": "multipart/report; report-type=delivery-status; boundary=b"},
    *({"From": value} for value in ("MAILER-DAEMON@example.net", "Postmaster <postmaster@example.net>")),
    {"From": "MAILER-DAEMON (Mail Delivery System)"},
    *(
        {"From": value}
        for value in ("", "<>", "Megan", "<token@reply.example.org>", "X <TOKEN@Reply.Example.org>")
    ),
    {"From": "Carcassonne <games@carcassonne.example>"},  # at the host of the letter that is answered
    {"From": "Carcassonne <other@reply.example.org>"},
    {"From": "x@carcassonne.example", "References": ""},
    {"From": "x@carcassonne.example", "In_Reply_To": ""},
    {"Sender": "mailer-daemon@example.net"},
]
SUBJECTS = [
    *("Automatic reply: Your turn", "AUTO: Megan Hall is out", "Autoreply", "Out of Office: x"),
    "out of office Re: x",
    *("Automatische Antwort: x", "Abwesenheitsnotiz: x", "Odpowiedź automatyczna: x", "Autoodpowiedź: x"),
    *("Automatická odpoveď: x", "Automatická odpověď: x", "Автоматический ответ: x", "Автоответ: x"),
    *("Sjálfvirkt svar: x", "Undeliverable: x", "Undelivered Mail Returned to Sender"),
    "Delivery Status Notification",
    *("Mail delivery failed: returning", "Returned mail: see transcript", "Delivery failure", "Read: x"),
    *("Gelesen: x", "Przeczytano: x", "Прочтено: x", "=?utf-8?q?Odpowied=C5=BA?= automatyczna: x"),
    *("=?utf-8?q?Odpowied=C5=BA_auto?=\n =?utf-8?q?matyczna=3A?= x", "Odpowiedz\u0301 automatyczna: x"),
    *("=?koi8-r?b?4dfUz8/U18XU?=", "  Automatic \n reply: x"),
]  # fmt: skip


@for_each("headers", SIGNS)
def test_a_sign_of_a_machine_is_enough(headers: dict[str, str]) -> None:
    assert says("8d\n", **headers) == "ignore"


@for_each("subject", SUBJECTS)
def test_a_machine_is_known_by_its_subject(subject: str) -> None:
    assert says("8d\n", Subject=subject) == "ignore"


@for_each(
    "headers",
    [
        *({"Auto_Submitted": value} for value in ("no", "No", "no (a person)")),
        *({"Precedence": value} for value in ("normal", "first-class", "")),
        *({"X_Auto_Response_Suppress": value} for value in ("None", "DR, RN, NRN")),
        *({"Subject": f"{prefix} Automatic reply: x"} for prefix in ("Re:", "RE:", "AW:", "Odp:", "SV:")),
        *({"Subject": value} for value in ("", "Re: Read: x", "Reading", "Automatically yours", "Re:")),
        {"X_Auto_Reply_To": "x"},
        {"Return_Path": ""},
        {"From": '"mailer-daemon" <megan@example.net>'},
        {"From": "postmaster2@example.net"},
        {"Cc": "bruno@example.net"},
        {"Cc": "Megan <MEGAN@example.net>"},
        {"Bcc": "megan@example.net", "Cc": "megan@example.net"},
        {"References": "<game.x@mail.example.com> <a.b@example.net>"},
        {"Reply_To": "token@reply.example.org"},
    ],
)
def test_a_person_is_no_machine(headers: dict[str, str]) -> None:
    assert says("8d\n", **headers) == "8d"


def test_our_addresses_may_be_named() -> None:
    raw = mail("8d\n")
    assert read_reply(raw, our_addresses=["games@carcassonne.example"]).kind == "play"
    assert read_reply(raw, our_addresses=["Megan@Example.net"]).kind == "ignore"


def test_people_may_live_where_the_message_points_if_our_own_host_is_named() -> None:
    """An operator who plays at the site's own domain, and a reply that only names its sender."""
    for headers in ({"From": "megan@carcassonne.example"}, {"To": "megan@example.net"}):
        raw = mail("8d\n", **headers)
        assert read_reply(raw).kind == "ignore", headers
        assert read_reply(raw, our_addresses=["@Reply.example.org"]).kind == "play", headers
    ours = mail("8d\n", From="token@reply.example.org")
    assert read_reply(ours, our_addresses=["@Reply.example.org"]).kind == "ignore"


def test_a_weak_sign_lets_whole_answers_through() -> None:
    for text, expected in (
        ("8d", "8d"),
        ("undo", "undo"),
        ("8d, please", "ignore"),
        ("8d\n9d", "ignore"),
        ("", "ignore"),
    ):
        assert says(text, List_Unsubscribe="<mailto:u@example.net>") == expected, text


@pytest.mark.parametrize(
    "kind", ["message/delivery-status", "message/disposition-notification", "message/feedback-report"]
)
def test_reports_are_known_by_their_parts(kind: str) -> None:
    report = part("Action: failed\n", kind)
    assert read_reply(whole(several("mixed", part("8d"), report))).kind == "ignore"
    within = several("mixed", part("8d"), several("mixed", report, boundary="c"))
    assert read_reply(whole(within)).kind == "ignore"


def test_a_report_that_a_person_attaches_is_none() -> None:
    report = several(
        "report", part("Failed"), part("Action: failed\n", "message/delivery-status"), boundary="c"
    )
    attached = part(f"From: mailer-daemon@example.net\n{report}", "message/rfc822")
    assert read_reply(whole(several("mixed", part("8d"), attached))).kind == "play"


@pytest.mark.parametrize(
    "raw", [b"", b"\n", b"8d", b"\n\n8d\n", b"\xff\xfe", b"From:\n\n8d\n", b"Subject: x\n\n8d\n"]
)
def test_a_message_of_nobody_is_ignored(raw: bytes) -> None:
    assert is_machine(parse_message(raw))
