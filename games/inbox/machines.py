"""Detection of automatic messages (REPLY-4), which are ignored whatever they say."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from email.utils import getaddresses

from games.inbox.messages import MailPart

_PRESENT = (
    *("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Failed-Recipients"),
    *("List-Id", "List-Post", "List-Help", "Mailing-List"),
)
_PRECEDENCES = {"bulk", "list", "junk", "auto_reply"}
_SUPPRESSED = {"all", "oof", "autoreply"}
_REPORTS = {"message/delivery-status", "message/disposition-notification", "message/feedback-report"}
_DAEMONS = {"mailer-daemon", "postmaster"}
_SUBJECTS = tuple(
    unicodedata.normalize("NFC", subject).casefold()
    for subject in (
        *("Automatic reply", "Auto:", "Autoreply", "Out of Office", "Automatische Antwort"),
        *("Abwesenheitsnotiz", "Odpowiedź automatyczna", "Autoodpowiedź", "Automatická odpoveď"),
        *("Automatická odpověď", "Автоматический ответ", "Автоответ", "Sjálfvirkt svar", "Undeliverable"),
        *("Undelivered Mail", "Delivery Status Notification", "Mail delivery failed", "Returned mail"),
        *("Delivery failure", "Read:", "Gelesen:", "Przeczytano:", "Прочтено:"),
    )
)
_OUR_LETTER = re.compile(r"<(?:game\.[\w-]+|[a-z_]+\.[\w-]+\.\d+\.\d+)@([^<>@\s]+)>")
"""The ``Message-ID`` of a letter about a turn, and the one that all letters of a game refer to."""


def is_machine(message: MailPart, our_addresses: Collection[str] = ()) -> bool:
    """Return whether *message* shows any sign of an automatic message (REPLY-4).

    A sender is our own if its address is in *our_addresses*, in which ``@host`` stands for all at a host.
    Where no host is named, those at the host of the letter that is answered are ours, too, and those at the
    host of every recipient, since one of them is the address for replies.
    """
    return (
        _is_declared(message)
        or _is_report(message)
        or _is_automatic_subject(" ".join(message.texts("Subject")[:1]))
        or _is_no_person(message, our_addresses)
    )


def is_perhaps_machine(message: MailPart) -> bool:
    """Return whether *message* has the weak sign: many automatic messages have it, but some services add it
    to those of people."""
    return bool(message.texts("List-Unsubscribe"))


def _is_declared(message: MailPart) -> bool:
    if any(message.texts(name) for name in _PRESENT):
        return True
    if any(_first_word(value) != "no" for value in message.texts("Auto-Submitted")):
        return True
    if any(_first_word(value) in _PRECEDENCES for value in message.texts("Precedence")):
        return True
    suppressed = ",".join(message.texts("X-Auto-Response-Suppress")).lower()
    return not _SUPPRESSED.isdisjoint(re.split(r"[,;\s]+", suppressed))


def _first_word(value: str) -> str:
    return re.split(r"[;(]", value, maxsplit=1)[0].strip().lower()


def _is_report(message: MailPart) -> bool:
    return any(part.kind == "multipart/report" or part.kind in _REPORTS for part in message.walk())


def _is_automatic_subject(subject: str) -> bool:
    return unicodedata.normalize("NFC", subject).casefold().startswith(_SUBJECTS)


def _is_no_person(message: MailPart, our_addresses: Collection[str]) -> bool:
    senders = set(list_addresses(message, "From"))
    paths = message.texts("Return-Path")
    if not senders or any(path.replace(" ", "") in ("", "<>") for path in paths):
        return True
    return_path = {path.strip("<> ").lower() for path in paths}
    for address in senders | return_path | set(list_addresses(message, "Sender")):
        if address.partition("@")[0] in _DAEMONS:
            return True
    ours = {address.lower() for address in our_addresses}
    our_hosts = {our_address[1:] for our_address in ours if our_address.startswith("@")} or _guess_our_hosts(
        message
    )
    return any(sender in ours or _host(sender) in our_hosts for sender in senders)


def _guess_our_hosts(message: MailPart) -> set[str]:
    letters = {host.lower() for value in _references(message) for host in _OUR_LETTER.findall(value)}
    recipients = {_host(address) for address in list_addresses(message, "To", "Cc", "Bcc")}
    return letters | (recipients if len(recipients) == 1 else set())


def _references(message: MailPart) -> list[str]:
    return message.texts("In-Reply-To") + message.texts("References")


def list_addresses(message: MailPart, *names: str) -> Iterator[str]:
    """Yield the addresses in the headers *names*, in lower case."""
    for name in names:
        try:
            addresses = getaddresses(message.texts(name))
        except Exception:  # the library calls itself for each comment within a comment
            continue
        for _, address in addresses:
            address = address.strip().lower()
            if "@" in address or address in _DAEMONS:
                yield address


def _host(address: str) -> str:
    return address.rpartition("@")[2]
