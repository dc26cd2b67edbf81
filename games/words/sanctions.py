"""Messages of moderators about warnings, mutes and suspensions, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Template(NamedTuple):
    """A text that is stored by name, so that each reader sees it in their own language."""

    title: StrOrPromise
    text: StrOrPromise


class Text(NamedTuple):
    """A title and a text in one language; both can be empty."""

    title: str
    text: str


TEMPLATES: Mapping[str, Template] = {
    "stalling": Template(
        gettext_lazy("Stalling"),
        gettext_lazy(
            "You've kept others waiting for a long time in games you were losing. Please play "
            "them at the pace of your other games, or resign."
        ),
    ),
    "abandoning": Template(
        gettext_lazy("Abandoned games"),
        gettext_lazy(
            "You've left games without a word. Please only start as many as you can finish. "
            "If you're short of time, take a holiday; and if you resign, the others know at "
            "once."
        ),
    ),
    "insults": Template(
        gettext_lazy("Insults"),
        gettext_lazy("What you wrote hurts others. Please talk to them as you would at a real table."),
    ),
    "name": Template(
        gettext_lazy("Name"),
        gettext_lazy("The name you chose offends others. Please don't use it, or one like it, again."),
    ),
    "collusion": Template(
        gettext_lazy("Playing for somebody else"),
        gettext_lazy(
            "You've played to help another player instead of trying to win yourself. Everyone "
            "plays for themselves, and nobody for two."
        ),
    ),
    "programs": Template(
        gettext_lazy("Programs"),
        gettext_lazy(
            "Your turns look like those of a program. Games between people are played without help by "
            "programs or other people."
        ),
    ),
    "spam": Template(
        gettext_lazy("Advertising and spam"),
        gettext_lazy("You've sent advertising, or a great many messages or invitations. Please don't."),
    ),
}


class SanctionWords(NamedTuple):
    """The words that players read about a kind of sanction."""

    heading: StrOrPromise  # of its page and mail
    rule: StrOrPromise  # its consequences
    line: StrOrPromise  # above the player's games, while it is in force; with a gap for ``until``
    lifted: StrOrPromise  # the subject of a mail; with a gap for ``begun``


SANCTIONS: Mapping[str, SanctionWords] = {
    "suspension": SanctionWords(
        heading=gettext_lazy("Your account is suspended"),
        rule=gettext_lazy(
            "Until then you can sign in, read, resign, get your data, and appeal, but nothing "
            "else. Your clocks keep running; if your time runs out, what happens depends on each "
            "game's settings. Your tables that haven't started are closed, and your future "
            "holidays are cancelled."
        ),
        line=gettext_lazy("Your account is suspended until {until}."),
        lifted=gettext_lazy("Your account is no longer suspended"),
    ),
    "warning": SanctionWords(
        heading=gettext_lazy("A warning"),
        rule=gettext_lazy(
            "Until you've confirmed that you've read this, you can't take a turn, plan one, talk, "
            "or join or set up tables. Your clocks keep running."
        ),
        line=gettext_lazy("A moderator has sent you a warning. Read it before you play on."),
        lifted=gettext_lazy("Your warning of {begun} has been lifted"),
    ),
    "mute": SanctionWords(
        heading=gettext_lazy("You are muted"),
        rule=gettext_lazy(
            "Until then you can't talk at tables, add a message to invitations, or name tables "
            "yourself. You can play, and report others."
        ),
        line=gettext_lazy("You are muted until {until}."),
        lifted=gettext_lazy("You're no longer muted"),
    ),
}
"""Words by kind of sanction, in the order in which those in force are told."""

APPEALS = gettext_lazy(
    "If you think this is wrong, you can appeal once within 30 days. A different moderator "
    "will answer within 7 days."
)


def format_verdict(outcome: str) -> str:
    """Say how an appeal was decided."""
    return {
        "upheld": _("Another moderator has reviewed it: it stands."),
        "shortened": _("Another moderator has reviewed it: it ends earlier."),
        "lifted": _("It has been lifted."),
    }[outcome]


def list_paragraphs(template: str, words: str, texts: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the paragraphs of a moderator's message: the text called *template*, and their own *words*.
    *texts* are the texts by language that were sent, if not the built-in ones.

    >>> list_paragraphs("", "Please stop.")
    ('Please stop.',)
    """
    known = TEMPLATES.get(template)
    text = choose_sent_text(texts) if texts else (known.text if known else "")
    return tuple(str(part) for part in (text, words) if part)


def choose_sent_text(texts: Mapping[str, str]) -> str:
    """Return that of *texts* by language in the reader's language, else in the site's, else any."""
    for language in (get_language() or "", settings.LANGUAGE_CODE, *texts):
        if texts.get(language):
            return texts[language]
    return ""


def choose_text(texts: Mapping[str, Text]) -> Text:
    """Return the title and the text of *texts* by language, each as ``choose_sent_text`` chooses it."""
    return Text(
        choose_sent_text({language: text.title for language, text in texts.items()}),
        choose_sent_text({language: text.text for language, text in texts.items()}),
    )
