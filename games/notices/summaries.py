"""Short notices for channels that show a line or two and no pictures: a title, a text, and a link."""

from __future__ import annotations

from typing import NamedTuple

from django.template.loader import render_to_string

from core.bidi import isolate_text
from core.outputs import clean_for_line
from games.models import Kind, Notice
from games.notices.letter_writers import speak_to_reader, write_notice_letter
from games.notices.letters import NoticeLetter
from games.notices.reply_letters import build_reply_letter


class NoticeSummary(NamedTuple):
    """A short notice in plain text: the subject of its mail, at most a few lines, and the full address of its
    page."""

    title: str
    text: str
    url: str


def summarise_notice(notice: Notice) -> NoticeSummary:
    """Summarise *notice*, as things stand now, in the language and the time zone of its reader.

    :raises NothingToTell: it need not be sent any more
    """
    with speak_to_reader(notice):
        letter = _write_letter(notice)
        text = render_to_string(f"summaries/{notice.kind}.txt", {**letter.context, "game": notice.game})
    lines = (isolate_text(clean_for_line(line)) for line in text.splitlines())
    return NoticeSummary(
        isolate_text(clean_for_line(letter.subject)),
        "\n".join(line for line in lines if line),
        letter.context["board_url"],
    )


def _write_letter(notice: Notice) -> NoticeLetter:
    # A summary shows no board, so no turn of somebody else stands because it was seen.
    return build_reply_letter(notice) if notice.kind == Kind.REPLY else write_notice_letter(notice)
