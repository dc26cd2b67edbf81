"""Tests of quotes, signatures and added texts in many languages (REPLY-9 to 13)."""

from __future__ import annotations

import pytest

from tests.cases import for_each
from tests.games.inbox.mails import FLOWED, LETTER, MARKED, says
from tests.games.inbox.quote_helpers import HEADER_BLOCKS, INTRODUCTIONS

TURN = "-2,0 r270 city S"


class TestIntroduction:
    """Introductions of quotes (REPLY-10)."""

    @for_each("introduction", INTRODUCTIONS)
    def test_turn_above_a_marked_quote_counts(self, introduction: str) -> None:
        assert says(f"{TURN}\n\n{introduction}\n{MARKED}\n") == TURN
        assert says(f"{TURN}\n\n{introduction}\n\n{MARKED}\n") == TURN
        assert says(f"{TURN}\n{introduction}\n{MARKED}\n") == TURN

    @for_each("introduction", INTRODUCTIONS)
    def test_turn_above_an_unmarked_quote_counts(self, introduction: str) -> None:
        assert says(f"{TURN}\n\n{introduction}\n\n{LETTER}\n") == TURN
        assert says(f"{TURN}\n{introduction}\n{LETTER}\n") == TURN

    @for_each("introduction", INTRODUCTIONS)
    def test_turn_below_a_marked_quote_counts(self, introduction: str) -> None:
        assert says(f"{introduction}\n{MARKED}\n\n{TURN}\n") == TURN
        assert says(f"\n\n{introduction}\n\n{MARKED}\n\n\n{TURN}\n\n-- \nMegan\npass\n") == TURN

    @for_each("introduction", INTRODUCTIONS)
    def test_turn_below_an_unmarked_quote_is_not_played(self, introduction: str) -> None:
        assert says(f"{introduction}\n\n{LETTER}\n\n{TURN}\n") == "explain"

    @for_each("introduction", INTRODUCTIONS)
    def test_quote_alone_is_explained(self, introduction: str) -> None:
        assert says(f"{introduction}\n{MARKED}\n") == "explain"
        assert says(f"{introduction}\n\n{LETTER}\n") == "explain"

    @for_each("introduction", INTRODUCTIONS)
    def test_text_of_talk_ends_there(self, introduction: str) -> None:
        assert says(f"talk Hi\nthere\n{introduction}\n{MARKED}\n") == "talk Hi there"

    @for_each("introduction", INTRODUCTIONS)
    def test_words_between_it_and_an_earlier_quote_are_found(self, introduction: str) -> None:
        assert says(f"{introduction}\n{MARKED}\nundo\n{MARKED}\n\n{TURN}\n") == "explain"
        assert says(f"{TURN}\n\n{introduction}\n{MARKED}\n\nundo\n\n{MARKED}\n") == "explain"


RULES = ["", "_" * 32 + "\n", "-" * 30 + "\n", "=" * 20 + "\n"]


@for_each("rule", RULES)
@for_each("block", HEADER_BLOCKS)
def test_header_block_begins_a_quote_to_the_end(block: str, rule: str) -> None:
    """REPLY-11."""
    assert says(f"{TURN}\n\n{rule}{block}\n\n{LETTER}\n") == TURN
    assert says(f"{TURN}\n{rule}{block}\n{LETTER}\n") == TURN
    assert says(f"{rule}{block}\n\n{LETTER}\n\n{TURN}\n") == "explain"
    assert says(f"{rule}{block}\n\n{LETTER}\n") == "explain"
    assert says(f"talk Hi\n{rule}{block}\n\n{LETTER}\n") == "talk Hi"
    assert says(f"See below\n\n{rule}{block}\n\n{LETTER}\n") == "explain"


@for_each(
    "line",
    [
        *("-----Original Message-----", "-----Ursprüngliche Nachricht-----", "-----Pôvodná správa-----"),
        *("---------- Forwarded message ---------", "---------- Weitergeleitete Nachricht ---------"),
        *("-------- Původní e-mail --------", "-----Wiadomość oryginalna-----"),
        "-----Исходное сообщение-----",
        *("-----Message d'origine-----", "-----Upprunaleg skilaboð-----", "------- Original Message -------"),
        "---- On Sat, 21 Nov 2026 10:00:00 +0100 Carcassonne <games@carcassonne.example> wrote ----",
        "---- On Sat, 21 Nov 2026 10:00:00 +0100 Carcassonne\n<games@carcassonne.example> wrote ----",
        *("--------- Przekazana wiadomość ---------", "-------- Пересылаемое сообщение --------"),
        *("------------------ 原始邮件 ------------------", "Begin forwarded message:", "——— Original ———"),
        *("Anfang der weitergeleiteten Nachricht:", "Początek przekazanej wiadomości:"),
        *("Начало переадресованного сообщения:", "Début du message réexpédié :"),
        "Inizio messaggio inoltrato:",
    ],
)  # fmt: skip
def test_line_between_dashes_begins_a_quote_to_the_end(line: str) -> None:
    """REPLY-11."""
    assert says(f"{TURN}\n\n{line}\n\n{LETTER}\n") == TURN
    assert says(f"{TURN}\n{line}\n{LETTER}\n") == TURN
    assert says(f"{line}\n\n{LETTER}\n\n{TURN}\n") == "explain"
    assert says(f"talk Hi\n{line}\n{LETTER}\n") == "talk Hi"


@for_each(
    "text",
    [
        *("---", "-----", "- 8d", "--2,0 r270", "-2,0", "a: b\nc: d", "Hi: 1\nYou: 2\nThey: 3"),
        *("at 10:00 we play", "mail me: a@example.org", "I wrote it down", "On Monday", "Date: 1"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_quote_hides_nothing(text: str) -> None:
    assert says(f"{TURN}\n{text}\nundo\n") == "explain"


ADDED = [
    *("Sent from my iPhone", "Sent from my Galaxy", "Sent from Yahoo Mail on Android"),
    "Sent from Outlook for iOS",
    *("Get Outlook for Android", "Get Outlook for iOS<https://aka.ms/o0ukef>"),
    "Sent with Proton Mail secure email.",
    *("Von meinem iPhone gesendet", "Von meinem Samsung Galaxy Smartphone gesendet."),
    "Gesendet mit der GMX Mail App",
    "Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
    "Outlook für iOS beziehen",
    *("Wysłane z iPhone’a", "Wysłano z programu Outlook dla systemu Android"),
    "Wysłane z aplikacji Poczta Onet",
    *("Odoslané z iPhonu", "Odoslané zo zariadenia Samsung Galaxy", "Získať Outlook pre Android"),
    "Odesláno z iPhonu",
    *("Odoslané z môjho zariadenia Android pomocou aplikácie K-9 Mail.", "Poslané z môjho iPhonu"),
    *("Отправлено с iPhone", "Отправлено из Почты Mail", "Отправлено из мобильной Яндекс Почты"),
    "Надіслано з iPhone",
    *("Sent úr iPhone", "Sendt fra min iPhone", "Skickat från min iPhone", "Lähetetty iPhonesta"),
    "Enviado do meu iPhone",
    *("Envoyé de mon iPhone", "Envoyé d’un iPad", "Inviato da iPhone", "Enviado desde mi iPhone"),
    "Verstuurd vanaf mijn iPad",
    *("iPhone'umdan gönderildi", "iPhoneから送信", "发自我的iPhone", "Virus-free.www.avast.com"),
]  # fmt: skip


@for_each("line", ADDED)
def test_what_a_program_adds_is_dropped_wherever_it_stands(line: str) -> None:
    """REPLY-12."""
    assert says(f"{TURN}\n\n{line}\n") == TURN
    assert says(f"{line}\n\n{TURN}\n") == TURN
    assert says(f"{line}\n") == "explain"
    assert says(f"talk Hi\n{line}\n") == "talk Hi"
    assert says(f"{line}\n\nOn 21/11/2026 10:00, Carcassonne wrote:\n{MARKED}\n\n{TURN}\n") == TURN


PROSE = [
    *("Sending you my turn", "Get well soon", "Enviado", "Fáðu þér kaffi", "Von mir auch eine Mail"),
    *("Von meinem Zug bin ich überzeugt", "Ich habe dir eine Mail gesendet", "Mit Android spiele ich gern"),
    *("Sent", "Wysłane", "Odoslané", "Outlook", "On my iPhone"),
]


@for_each("line", PROSE)
def test_prose_is_not_what_a_program_adds(line: str) -> None:
    assert says(f"{line}\n{TURN}\n") == "explain"


@pytest.mark.parametrize("dashes", ["--", "-- ", "--\u00a0", "  -- "])
def test_signature_goes_to_the_quote_or_the_end(dashes: str) -> None:
    """REPLY-12."""
    assert says(f"{TURN}\n\n{dashes}\nMegan\nundo\n") == TURN
    assert says(f"{dashes}\n{TURN}\n") == "explain"
    assert says(f"talk Hi\n{dashes}\nMegan\n") == "talk Hi"
    assert says(f"{TURN}\n{dashes}\nundo\n\nOn 21/11/2026 10:00, Carcassonne wrote:\n{MARKED}\n") == TURN
    below = f"{dashes}\nMegan\n\nOn 21/11/2026 10:00, Carcassonne wrote:\n{MARKED}\n\n{TURN}\n"
    assert says(below) == TURN


def test_signature_with_numbers_and_addresses_is_no_header_block() -> None:
    signature = "-- \nTel.: 555 0187\nMail: megan@example.net\nWeb: example.net\n"
    assert says(f"On 21/11/2026 10:00, Carcassonne wrote:\n{MARKED}\n\n{TURN}\n{signature}") == TURN


@pytest.mark.parametrize("quote", [">", "> ", ">> ", " > ", "\u00a0> ", "\ufeff>", "\u200b> "])
def test_marked_lines_are_never_ones_own(quote: str) -> None:
    """REPLY-9."""
    assert says(f"{quote}{TURN}\n") == "explain"
    assert says(f"{TURN}\n\n{quote}undo\n") == TURN
    assert says(f"{quote}pass\n\n{TURN}\n") == TURN


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_rule_above_a_marked_quote_is_part_of_it(gap: str) -> None:
    """As Centrum and Atlas write it."""
    quote = f"{'_' * 62}\n{gap}> Od: Carcassonne\n{MARKED}\n"
    assert says(f"{quote}\n{TURN}\n") == TURN
    assert says(f"{TURN}\n{quote}") == TURN
    assert says(f"talk Hi\n{quote}") == "talk Hi"


class TestBelow:
    """Words below a quote (REPLY-13)."""

    def test_words_above_decide_where_there_are_any(self) -> None:
        assert says(f"Hi\n\n{MARKED}\n\n{TURN}\n") == "explain"
        assert says(f"{TURN}\n\n{MARKED}\n\nThank you\n") == TURN
        assert says(f"{TURN}\n\n{MARKED}\n\nundo\n") == "explain"

    def test_words_between_quoted_lines_forbid_those_below(self) -> None:
        assert says(f"{MARKED}\n\nfine\n\n{MARKED}\n\n{TURN}\n") == "explain"
        assert says(f"{MARKED}\n\n\n{MARKED}\n\n{TURN}\n") == TURN

    def test_an_empty_line_parts_them_from_the_quote(self) -> None:
        assert says(f"{MARKED}\n{TURN}\n") == "explain"
        assert says(f"{MARKED}\n>\n{TURN}\n") == "explain"
        assert says(f"{MARKED}\nSent from my iPhone\n{TURN}\n") == "explain"
        assert says(f"{MARKED}\n \u00a0 \n{TURN}\n") == TURN

    def test_format_flowed_needs_none(self) -> None:
        assert says(f"{MARKED}\n{TURN}\n", FLOWED) == TURN

    def test_an_unmarked_quote_anywhere_forbids_them(self) -> None:
        assert says(f"{MARKED}\n\n-----Original Message-----\n\n{TURN}\n") == "explain"
        assert says(f"{MARKED}\n\n{TURN}\n\n-----Original Message-----\n\n{LETTER}\n") == "explain"
