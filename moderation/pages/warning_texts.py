"""The warning texts, with their changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.conf import settings

from games.words.sanctions import Text, choose_sent_text
from moderation.acts import warning_templates
from moderation.models import WarningTemplate

CHANGES = 20
"""Maximum number of changes of a text on its page, the newest ones."""


class TemplateLine(NamedTuple):
    """A text in the list."""

    name: str
    title: str
    text: str


class TextChange(NamedTuple):
    """Version of a text in one language."""

    at: datetime
    who: str
    language: str
    title: str  # empty if the text was withdrawn
    text: str


class TemplatePage(NamedTuple):
    """A text in every language, and its changes."""

    name: str  # empty for a new one
    title: str
    texts: Mapping[str, Text]
    seen: int  # key of the last change that was seen
    changes: tuple[TextChange, ...]


def build_templates_page() -> tuple[TemplateLine, ...]:
    """All texts, in the reader's language; one query."""
    return tuple(
        TemplateLine(
            name,
            choose_sent_text({language: text.title for language, text in texts.items()}),
            choose_sent_text({language: text.text for language, text in texts.items()}),
        )
        for name, texts in warning_templates.load_templates().items()
    )


def build_template_page(name: str) -> TemplatePage | None:
    """Build the page of the text called *name*, or an empty page for a new one; ``None`` if it is unknown."""
    if not name:
        return TemplatePage("", "", {}, 0, ())
    if not warning_templates.has_template(name):
        return None
    texts = warning_templates.load_templates().get(name, {})
    spoken = dict(settings.LANGUAGES)
    rows = WarningTemplate.objects.filter(name=name).select_related("who").order_by("-pk")[:CHANGES]
    return TemplatePage(
        name=name,
        title=choose_sent_text({language: text.title for language, text in texts.items()}) or name,
        texts=texts,
        seen=warning_templates.find_last_change(name),
        changes=tuple(
            TextChange(row.at, row.who.username, str(spoken[row.language]), row.title, row.text)
            for row in rows
        ),
    )
