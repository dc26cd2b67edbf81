"""Mail backend that keeps mails as files, and pages to read and answer them, for machines that send none."""

import email
import smtplib
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage as ParsedMail
from email.policy import SMTP
from email.policy import default as policy
from email.utils import format_datetime, formatdate, make_msgid, parseaddr, parsedate_to_datetime
from functools import wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import EmailMessage
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST

from carcassonne.local_only import is_on_this_machine

LISTED = 200


class EmailBackend(BaseEmailBackend):
    """Backend that writes each mail, as it would be sent, to a file in ``OUTBOX_DIR``."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        settings.OUTBOX_DIR.mkdir(parents=True, exist_ok=True)
        for mail in email_messages:
            name = f"{time.time_ns():020}-{uuid.uuid4().hex[:8]}"
            written = settings.OUTBOX_DIR / f"{name}.part"
            written.write_bytes(mail.message().as_bytes())
            written.rename(settings.OUTBOX_DIR / f"{name}.eml")  # a page never reads half a mail
        return len(email_messages)


@dataclass(frozen=True)
class Mail:
    """Kept mail, with its parts as a mail program shows them."""

    name: str
    parsed: ParsedMail

    @property
    def sent(self) -> datetime:
        return parsedate_to_datetime(self.parsed["Date"])

    @property
    def headers(self) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.parsed.items()]

    @property
    def to(self) -> str:
        return str(self.parsed["To"])

    @property
    def reply_to(self) -> str:
        return str(self.parsed["Reply-To"] or "")

    @property
    def subject(self) -> str:
        return str(self.parsed["Subject"])

    @property
    def text(self) -> str:
        part = self.parsed.get_body(("plain",))
        return part.get_content() if part else ""

    @property
    def has_html(self) -> bool:
        return self.parsed.get_body(("html",)) is not None

    def html(self) -> str:
        """Return the HTML part, with ``cid:`` pictures replaced by URLs."""
        part = self.parsed.get_body(("html",))
        if part is None:
            raise Http404
        body: str = part.get_content()
        for number, picture in enumerate(self.pictures()):
            if identity := picture["Content-ID"]:
                url = reverse("mailbox-picture", args=[self.name, number])
                body = body.replace(f"cid:{identity.strip('<> ')}", url)
        return body

    def pictures(self) -> Iterator[ParsedMail]:
        return (part for part in self.parsed.walk() if part.get_content_maintype() == "image")


def build_reply(mail: Mail, text: str) -> ParsedMail:
    """Build the answer to *mail* that its reader's mail program would send: *text* above a quote."""
    reply = ParsedMail(policy=SMTP)
    reply["From"], reply["To"] = mail.to, mail.reply_to
    reply["Subject"] = mail.subject if mail.subject.startswith("Re: ") else f"Re: {mail.subject}"
    reply["Date"] = formatdate()
    reply["Message-ID"] = make_msgid(domain=parseaddr(mail.to)[1].rpartition("@")[2])
    identity = str(mail.parsed["Message-ID"])
    reply["In-Reply-To"] = identity
    reply["References"] = f"{mail.parsed['References'] or ''} {identity}".strip()
    sender = parseaddr(str(mail.parsed["From"]))[1]
    quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    reply.set_content(f"{text}\n\nOn {format_datetime(mail.sent)}, {sender} wrote:\n{quoted}\n")
    return reply


def send_to_receiver(reply: ParsedMail) -> None:
    """Send *reply* by SMTP to the receiver of this machine.

    :raises OSError: the receiver doesn't run, or refuses the mail
    """
    with smtplib.SMTP("127.0.0.1", settings.RECEIVE_MAIL_PORT, timeout=settings.EMAIL_TIMEOUT) as connection:
        connection.send_message(reply)


def kept_mails() -> list[Mail]:
    """The kept mails, newest first, at most ``LISTED`` of them."""
    if not settings.OUTBOX_DIR.exists():
        return []
    files = sorted(settings.OUTBOX_DIR.glob("*.eml"), reverse=True)[:LISTED]
    return [_read(file) for file in files]


def _read(file: Path) -> Mail:
    return Mail(file.stem, email.message_from_bytes(file.read_bytes(), policy=policy))


def _mail_or_404(name: str) -> Mail:
    file = settings.OUTBOX_DIR / f"{name}.eml"
    if not file.exists():
        raise Http404
    return _read(file)


def _from_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine, under a local host name, and through no proxy."""
    name = split_domain_port(request.get_host())[0]
    passed_on = {"X-Forwarded-For", "Forwarded"} & set(request.headers)
    return (
        is_on_this_machine(name) and is_on_this_machine(request.META.get("REMOTE_ADDR", "")) and not passed_on
    )


def only_where_mails_are_kept(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Restrict *view* to debug mode and to requests from this machine, as mails hold codes and names."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        kept = settings.DEBUG and settings.EMAIL_URL == settings.KEEP_MAILS
        if not (kept and _from_this_machine(request)):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@only_where_mails_are_kept
def mails(request: HttpRequest) -> HttpResponse:
    """List all kept mails."""
    return render(request, "mailbox/mails.html", {"mails": kept_mails()})


@only_where_mails_are_kept
def mail(request: HttpRequest, name: str) -> HttpResponse:
    """Show a mail: its headers, its text, and its HTML in a frame."""
    return render(request, "mailbox/mail.html", {"mail": _mail_or_404(name)})


@only_where_mails_are_kept
@require_POST
def reply(request: HttpRequest, name: str) -> HttpResponse:
    """Send a reply to a kept mail to the receiver of mails."""
    mail = _mail_or_404(name)
    if not mail.reply_to:
        raise Http404
    try:
        send_to_receiver(build_reply(mail, request.POST.get("text", "")))
    except OSError as error:  # smtplib's errors are
        messages.error(request, _("Your reply couldn't be sent: {error}").format(error=error))
        return redirect("mailbox-mail", name)
    messages.success(request, _("Your reply has been sent. The answer will be there in a moment."))
    return redirect("mailbox")


@only_where_mails_are_kept
@xframe_options_sameorigin
def html(request: HttpRequest, name: str) -> HttpResponse:
    """Return the HTML part by itself. Mails have inline styles and no scripts."""
    response = HttpResponse(_mail_or_404(name).html().replace("<head>", '<head><base target="_top">', 1))
    response["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'"
    )
    return response


@only_where_mails_are_kept
def picture(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Return a picture that is part of the mail."""
    for index, part in enumerate(_mail_or_404(name).pictures()):
        if index == number:
            return HttpResponse(part.get_content(), content_type=part.get_content_type())
    raise Http404


urlpatterns = [
    path("", mails, name="mailbox"),
    path("<slug:name>/", mail, name="mailbox-mail"),
    path("<slug:name>/reply/", reply, name="mailbox-reply"),
    path("<slug:name>/html/", html, name="mailbox-html"),
    path("<slug:name>/picture/<int:number>/", picture, name="mailbox-picture"),
]
