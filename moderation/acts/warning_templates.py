"""Texts that moderators can send: built-in ones, and those that moderators have changed or added.

A change affects only later sanctions: each keeps the text that was sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import translation

from accounts.models import Player
from games import access
from games.exceptions import Refused
from games.words.sanctions import TEMPLATES, Text, choose_text
from moderation.models import WarningTemplate

LONGEST_NAME, LONGEST_TITLE, LONGEST_TEXT = 20, 60, 1000

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NONE = Text("", "")


def load_templates() -> dict[str, dict[str, Text]]:
    """Load all texts, by name and language: the built-in ones, overridden by moderators'; one query."""
    templates = {name: _built_in(name) for name in TEMPLATES}
    last = WarningTemplate.objects.order_by().values("name", "language").annotate(last=Max("pk"))
    for row in WarningTemplate.objects.filter(pk__in=last.values("last")).order_by("name"):
        texts = templates.setdefault(row.name, {})
        if row.text:
            texts[row.language] = Text(row.title, row.text)
    return {name: texts for name, texts in templates.items() if texts}


def list_titles() -> list[tuple[str, str]]:
    """List the name of each text, with its title in the reader's language; one query."""
    return [(name, choose_text(texts).title) for name, texts in load_templates().items()]


def load_texts(name: str) -> dict[str, str]:
    """Return the current text called *name*, by language; empty if there is none; one query."""
    return {language: text.text for language, text in load_templates().get(name, {}).items()}


def has_template(name: str) -> bool:
    return name in TEMPLATES or WarningTemplate.objects.filter(name=name).exists()


def find_last_change(name: str) -> int:
    """Return the key of the last change of the text called *name*; 0 if there was none."""
    return WarningTemplate.objects.filter(name=name).aggregate(last=Max("pk"))["last"] or 0


@transaction.atomic
def save(*, name: str, texts: Mapping[str, Text], who: Player, seen: int, now: datetime) -> None:
    """Save *texts* by language as the text called *name*. An empty one restores the built-in text, if any.

    :param seen: the last change that *who* has seen
    :raises Refused: *who* is no moderator, somebody has changed it since, or a text is incomplete or too long
    """
    if not access.is_moderator(who):
        raise Refused("may_not_moderate")
    if not 0 < len(name) <= LONGEST_NAME or not NAME.fullmatch(name):
        raise Refused("template_name")
    if find_last_change(name) != seen:
        raise Refused("template_changed")
    current, built_in = load_templates().get(name, {}), _built_in(name)
    versions = dict(_versions(name))
    changed = []
    for language, _spoken in settings.LANGUAGES:
        given = _clean_text(texts.get(language, NONE))
        if given == current.get(language, NONE):
            continue
        kept = NONE if given == built_in.get(language) else given
        version = versions.get(language, 0) + 1
        changed.append(
            WarningTemplate(
                name=name,
                language=language,
                version=version,
                title=kept.title,
                text=kept.text,
                who=who,
                at=now,
            )
        )
    try:
        with transaction.atomic():
            WarningTemplate.objects.bulk_create(changed)
    except IntegrityError as overtaken:  # another moderator was quicker
        raise Refused("template_changed") from overtaken


def _versions(name: str) -> Iterable[tuple[str, int]]:
    rows = WarningTemplate.objects.filter(name=name).order_by().values("language")
    return rows.annotate(last=Max("version")).values_list("language", "last")


def _clean_text(given: Text) -> Text:
    """*given* without surrounding whitespace.

    :raises Refused: it has only a title or only a text, or is too long
    """
    text = Text(" ".join(given.title.split()), "\n".join(given.text.strip().splitlines()))
    if bool(text.title) != bool(text.text):
        raise Refused("template_text")
    if len(text.title) > LONGEST_TITLE or len(text.text) > LONGEST_TEXT:
        raise Refused("template_text")
    return text


def _built_in(name: str) -> dict[str, Text]:
    """The built-in text called *name*, by language; empty if there is none."""
    known = TEMPLATES.get(name)
    if known is None:
        return {}
    texts = {}
    for language, _spoken in settings.LANGUAGES:
        with translation.override(language):
            texts[language] = Text(str(known.title), str(known.text))
    return texts
