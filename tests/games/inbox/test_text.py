"""Tests of the choice of parts, and their decoding (REPLY-2, 5, 6, 8)."""

from __future__ import annotations

import base64
import quopri

import pytest

from games.inbox.replies import read_reply
from tests.cases import for_each
from tests.games.inbox.mails import FLOWED, HTML, PLAIN, mail, outcome, part, says, several, whole


def says_whole(parts: str) -> str:
    return outcome(read_reply(whole(parts)))


class TestParts:
    """Choice of parts (REPLY-5)."""

    def test_of_alternatives_the_plain_one_is_read(self) -> None:
        plain, html = part("8d\n"), part("<p>9d</p>", HTML)
        assert says_whole(several("alternative", plain, html)) == "8d"
        assert says_whole(several("alternative", html, plain)) == "8d"

    @pytest.mark.parametrize("empty", ["", " \n\n", "\u00a0\n", "\ufeff", "\u200b \n"])
    def test_html_is_read_where_the_plain_one_is_empty(self, empty: str) -> None:
        assert says_whole(several("alternative", part(empty), part("<p>9d</p>", HTML))) == "9d"
        assert says_whole(several("alternative", part("<p>9d</p>", HTML))) == "9d"

    def test_of_related_parts_the_first_is_read(self) -> None:
        related = several("related", part("<p>8d</p>", HTML), part("undo"), boundary="c")
        assert says_whole(related) == "8d"
        assert says_whole(several("alternative", part(""), related)) == "8d"
        assert (
            says_whole(several("related", several("alternative", part("8d"), boundary="c"), part("undo")))
            == "8d"
        )

    def test_texts_of_a_mixed_part_are_one_text(self) -> None:
        assert says_whole(several("mixed", part("8d"), part("Thanks"))) == "8d"
        assert says_whole(several("mixed", part("8d"), part("undo"))) == "explain"
        assert says_whole(several("mixed", part(""), part("8d"))) == "8d"
        assert says_whole(several("mixed", part("Hi"), part("8d"))) == "explain"
        assert says_whole(several("mixed", part("> quoted"), part("8d"))) == "8d"
        assert says_whole(several("mixed", part("-----Original Message-----"), part("8d"))) == "explain"

    @pytest.mark.parametrize(
        "headers",
        [
            {"Content_Disposition": "attachment"},
            {"Content_Disposition": "ATTACHMENT; filename=a.txt"},
            {"Content_Disposition": "inline; filename=a.txt"},
            {"Content_Disposition": "inline; filename*=utf-8''a.txt"},
            {"Content_Disposition": "inline; filename*0=a.txt"},
        ],
    )
    def test_attached_text_is_not_read(self, headers: dict[str, str]) -> None:
        assert says_whole(several("mixed", part("8d"), part("undo", PLAIN, **headers))) == "8d"
        assert says_whole(several("mixed", part(""), part("8d", PLAIN, **headers))) == "explain"
        assert says("8d", PLAIN, **headers) == "explain"

    def test_text_with_a_name_is_attached(self) -> None:
        assert says_whole(several("mixed", part("8d", 'text/plain; name="turn.txt"'))) == "explain"
        assert says_whole(several("mixed", part("<p>8d</p>", 'text/html; name="turn.html"'))) == "explain"
        assert says_whole(several("mixed", part("8d", PLAIN, Content_Disposition="inline"))) == "8d"

    @for_each(
        "kind",
        [
            *(
                "text/calendar; method=REPLY",
                "text/rfc822-headers",
                "text/enriched",
                "text/x-amp-html",
                "text/csv",
            ),
            *(
                "application/ms-tnef; name=winmail.dat",
                "application/octet-stream",
                "image/png",
                "message/rfc822",
            ),
            *("message/external-body", "text/markdown", "application/pgp-keys"),
        ],
    )
    def test_nothing_else_is_read(self, kind: str) -> None:
        assert says_whole(several("mixed", part("8d"), part("undo", kind))) == "8d"
        assert says_whole(several("mixed", part("undo", kind))) == "explain"
        assert says("8d", kind) == "explain"

    def test_a_text_within_an_attached_message_is_not_read(self) -> None:
        message = part("From: a@example.org\n\n8d\n", "message/rfc822")
        assert says_whole(several("mixed", part("Look"), message)) == "explain"
        assert says_whole(several("mixed", message)) == "explain"
        assert says_whole(several("digest", "\nFrom: a@example.org\n\n8d\n", part("8d"))) == "explain"

    def test_nested_as_programs_nest_them(self) -> None:
        texts = several(
            "alternative", part("8d"), several("related", part("<p>8d</p>", HTML), boundary="d"), boundary="c"
        )
        picture = part("iVBORw0KGgo=", "image/png; name=a.png", Content_Transfer_Encoding="base64")
        assert says_whole(several("mixed", texts, picture)) == "8d"
        assert (
            says_whole(several("signed", several("mixed", texts, picture, boundary="e"), part("undo")))
            == "8d"
        )

    def test_headers_say_nothing(self) -> None:
        assert says("", Subject="8d") == "explain"
        assert says("", Comments="8d", Subject="pass", X_Turn="undo") == "explain"

    def test_a_missing_end_or_preamble_changes_nothing(self) -> None:
        kind = "multipart/mixed; boundary=b"
        assert says("undo\n--b\n\n8d\n", kind) == "8d"
        assert says("--b\n\n8d\n--b--\nundo\n", kind) == "8d"
        assert says("--b \t\n\n8d\n--bb\nThanks", kind) == "8d"
        assert says("8d\n", kind) == "explain"
        assert says("--b\n\n8d\n", "multipart/mixed") == "explain"


class TestBytes:
    """Character sets and encodings (REPLY-6)."""

    @for_each("charset", ["utf-8", "iso-8859-2", "windows-1250", "utf-16", "utf-16le", "utf-32", "utf-8-sig"])
    @for_each("encoding", ["8bit", "base64", "quoted-printable", "Base64 "])
    def test_declared_encodings_are_undone(self, charset: str, encoding: str) -> None:
        data = "talk Ďakujem, žltý kôň\n".encode(charset)
        if encoding.lower().startswith("base64"):
            data = base64.encodebytes(data)
        elif encoding == "quoted-printable":
            data = quopri.encodestring(data)
        kind = f"text/plain; charset={charset}"
        assert says(data, kind, Content_Transfer_Encoding=encoding) == "talk Ďakujem, žltý kôň"

    @for_each(
        "charset",
        [
            *(
                "",
                "x-unknown",
                "us-ascii",
                "utf-16",
                "unicode_escape",
                "idna",
                "punycode",
                "base64",
                "rot13",
                "utf-7",
            ),
            *("a" * 3000, "\u0105", "8bit", "undefined", "zlib"),
        ],
    )
    def test_a_wrong_charset_is_read_as_utf8(self, charset: str) -> None:
        text = "talk Þú átt leik\n".encode()
        assert says(text, f'text/plain; charset="{charset}"') == "talk Þú átt leik"
        assert says(text, "text/plain") == "talk Þú átt leik"

    def test_the_notation_survives_any_bytes(self) -> None:
        assert says(b"8d\n\nD\xecky \xff\xfe\n", "text/plain") == "8d"
        assert says(b"8d\n\nD\xecky \xff\xfe\n", PLAIN) == "8d"
        assert says(b"talk D\xecky\n", PLAIN) == "talk D\ufffdky"

    def test_broken_transfer_encodings_are_read_as_far_as_they_go(self) -> None:
        assert says("OGQK\n", Content_Transfer_Encoding="base64") == "8d"
        assert says("OGQ\n", Content_Transfer_Encoding="base64") == "8d"
        assert says("O-G=Q", Content_Transfer_Encoding="base64") == "8d"
        assert says("8=64=\n\n", Content_Transfer_Encoding="quoted-printable") == "8d"
        assert (
            says("2,-3 r180 =\ncity E=\n", Content_Transfer_Encoding="quoted-printable") == "2,-3 r180 city E"
        )
        assert says("8d =zz\n", Content_Transfer_Encoding="quoted-printable") == "explain"

    @for_each("nothing", "\ufeff\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\u00ad\u061c")
    def test_what_can_not_be_seen_is_nothing(self, nothing: str) -> None:
        assert says(f"{nothing}4,1{nothing} r270 mon{nothing}astery{nothing}\n") == "4,1 r270 monastery"

    @pytest.mark.parametrize("space", "\u00a0\u2000\u2003\u2009\u202f\u205f\u3000\t\x0b\x0c")
    def test_every_space_is_a_space(self, space: str) -> None:
        assert says(f"{space}4,1{space}r270{space}{space}monastery{space}\n") == "4,1 r270 monastery"

    @pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
    def test_line_ends(self, ending: str) -> None:
        assert says(f"8d{ending}{ending}undo{ending}") == "explain"
        encoded = base64.encodebytes(f"8d{ending}Thanks{ending}".encode())
        assert says(encoded, Content_Transfer_Encoding="base64") == "8d"


class TestFlowed:
    """Flowed text of RFC 3676 (REPLY-6)."""

    @for_each(
        ("text", "expected"),
        [
            ("2,-3 r180 \ncity E\n", "2,-3 r180 city E"),
            ("8d \n\nMegan\n", "8d"),
            ("8d \nMegan\n", "explain"),
            (" 8d\n", "8d"),
            (" >8d\n", "explain"),
            (" -- \n8d\n", "explain"),
            ("8d \n-- \nundo\n", "8d"),
            ("8d\n-- \nundo\n", "8d"),
            ("talk a \nb \nc\n", "talk a b c"),
            ("talk a \nb\nc \n\nd\n", "talk a b c"),
            ("8d \n> undo\n", "8d"),
            ("> a \n8d\n", "8d"),
            (">> a \n> b \n\n8d\n", "8d"),
            ("> 8d \n> pass\n", "explain"),
            ("8d\u00a0\nMegan\n", "8d"),
        ],
    )
    def test_soft_breaks_are_joined(self, text: str, expected: str) -> None:
        assert says(text, FLOWED) == expected

    def test_delsp_takes_the_space(self) -> None:
        assert says("talk a \nb\n", FLOWED + "; delsp=yes") == "talk ab"
        assert says("monast \nery", FLOWED + "; DelSp=No") == "explain"
        assert says("2,-3 r180 monast \nery", FLOWED + "; DelSp=Yes") == "2,-3 r180 monastery"

    def test_without_it_every_line_is_one(self) -> None:
        assert says("2,-3 r180 \ncity E\n") == "2,-3 r180"


SIGNED = (
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{}\n"
    "-----BEGIN PGP SIGNATURE-----\n\niHU\nundo\n-----END PGP SIGNATURE-----\n"
)


class TestCryptography:
    """Signed and encrypted messages (REPLY-8)."""

    @pytest.mark.parametrize(
        ("signed", "expected"),
        [
            ("8d", "8d"),
            ("- -2,0 r270", "-2,0 r270"),
            ("8d\n\n- -- \nundo", "8d"),
            ("Hi\n8d", "explain"),
            ("> 8d", "explain"),
            ("", "explain"),
        ],
    )
    def test_armour_of_pgp_goes(self, signed: str, expected: str) -> None:
        assert says(SIGNED.format(signed)) == expected
        assert says(SIGNED.format(signed), FLOWED) == expected

    def test_quoted_armour_is_a_quote(self) -> None:
        quoted = "".join(f"> {line}\n" for line in SIGNED.format("pass").splitlines())
        assert says(f"8d\n\n{quoted}") == "8d"
        assert says(f"{quoted}\n8d\n") == "8d"

    def test_a_key_below_the_turn_changes_nothing(self) -> None:
        assert (
            says("8d\n\n-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ\n-----END PGP PUBLIC KEY BLOCK-----\n")
            == "8d"
        )

    def test_signed_mail_is_its_first_part(self) -> None:
        signature = part("iHU", "application/pgp-signature; name=signature.asc")
        assert says_whole(several("signed", part("8d"), signature)) == "8d"
        assert says_whole(several("signed", part("8d"), part("undo"))) == "8d"

    @pytest.mark.parametrize(
        "kind",
        ["application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "application/x-pkcs7-mime"],
    )
    def test_mail_in_one_block_can_not_be_read(self, kind: str) -> None:
        assert says("8d\n", kind) == "explain"
        assert read_reply(mail("8d\n", kind)).kind == "explain"

    def test_encrypted_mail_can_not_be_read(self) -> None:
        assert (
            says_whole(several("encrypted", part("Version: 1", "application/pgp-encrypted"), part("8d")))
            == "explain"
        )
        assert says("-----BEGIN PGP MESSAGE-----\n\n8d\n-----END PGP MESSAGE-----\n") == "explain"
        assert says("8d\n-----BEGIN PGP MESSAGE-----\n\nhQ\n-----END PGP MESSAGE-----\n") == "explain"
