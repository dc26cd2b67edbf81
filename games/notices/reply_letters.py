"""The mail that answers a player's mail: the outcome, the state of the game, and the possible replies. A note
has the outcome alone: of a reply from another address, or to an address for replies that has ended."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import access, play
from games.access import is_on_turn
from games.inbox.envelope import read_envelope
from games.models import InboundMail, MailOutcome, Notice
from games.models.inbound_mail import NOTHING_DONE
from games.notices import notice_facts
from games.notices.letters import (
    NothingToTell,
    NoticeLetter,
    load_scene,
    write_game_letter,
    write_turn_letter,
)
from games.notices.reply_address import build_reply_address, read_reply_address
from games.notices.reply_endings import explain_ending
from games.notices.reply_options import choose_reply_address
from games.pages.parts.status import format_headline

SUBJECTS = {
    MailOutcome.PLAYED: gettext_lazy("Played: {game}"),
    MailOutcome.UNDONE: gettext_lazy("Undone: {game}"),
    MailOutcome.RESIGN_ASKED: gettext_lazy("Do you want to resign {game}?"),
    MailOutcome.CONFIRM_ASKED: gettext_lazy("Please confirm: {game}"),
    MailOutcome.RESIGNED: gettext_lazy("You've resigned {game}"),
    MailOutcome.STRANGER: gettext_lazy("Was this you? A reply about {game}"),
}
"""Subjects by the outcome of the mail; :func:`_choose_subject` has those of other outcomes."""


def write_reply_letter(notice: Notice) -> NoticeLetter:
    """Write the answer to the mail of *notice*, as the game stands now. As it shows the board, a turn that
    could still be undone becomes final.

    :raises NothingToTell: the mail has been deleted since
    """
    if not _is_note(_load_mail(notice), notice):
        _let_seen_turn_stand(notice)
    return build_reply_letter(notice)


def build_reply_letter(notice: Notice) -> NoticeLetter:
    """Write the same for channels that don't show the board: no turn becomes final.

    :raises NothingToTell: the mail has been deleted since
    """
    mail = _load_mail(notice)
    if _is_note(mail, notice):
        return _write_note(mail, notice)
    scene = load_scene(notice)
    game, me = scene.game, scene.me
    subject = _choose_subject(MailOutcome(mail.outcome), game.name)
    on_turn = is_on_turn(me, game)
    letter = (write_turn_letter if on_turn else write_game_letter)(notice, scene, subject)
    letter.context.update(
        said=mail.said,
        headline=format_headline(scene),
        on_turn=on_turn,
        nothing_done=mail.outcome in NOTHING_DONE,
    )
    asks = mail.outcome == MailOutcome.RESIGN_ASKED
    return replace(
        letter,
        reply_to=_build_confirming_address(mail) or choose_reply_address(scene, confirms_resigning=asks),
        answers=read_envelope(bytes(mail.raw)).message_id,
    )


def tells_turn(notice: Notice) -> bool:
    """Return whether the answer *notice* has the board and the choices of a turn of its reader."""
    waits = is_on_turn(notice_facts.load_facts(notice).seat, notice.of_game)
    return waits and not _is_note(_load_mail(notice), notice)


def _load_mail(notice: Notice) -> InboundMail:
    """Return the mail that *notice* answers; it is read once.

    :raises NothingToTell: it has been deleted
    """
    try:
        return notice.answered_mail
    except InboundMail.DoesNotExist:
        raise NothingToTell(notice.key) from None


def _is_note(mail: InboundMail, notice: Notice) -> bool:
    seat = notice_facts.load_facts(notice).seat
    return mail.outcome == MailOutcome.STRANGER or bool(explain_ending(notice.of_game, seat, mail.received))


def _write_note(mail: InboundMail, notice: Notice) -> NoticeLetter:
    """Write what came of *mail*, with a link to the game if the reader may see that. The player may answer a
    note about a stranger in the stranger's stead."""
    game, reader = notice.of_game, notice.recipient
    assert reader is not None
    by_stranger = mail.outcome == MailOutcome.STRANGER
    token = read_reply_address(mail.recipient) if by_stranger else None
    shown = access.may_see(reader, game)
    url = settings.SITE_URL + (game.get_absolute_url() if shown else "")
    context = {
        "note": True,
        "said": mail.said,
        "board_url": url,
        "board_shown": shown,
        "confirm_url": settings.SITE_URL + reverse("account_email"),
        "stranger": by_stranger,
    }
    return NoticeLetter(
        _choose_subject(MailOutcome(mail.outcome), game.name),
        context,
        reply_to=""
        if token is None
        else build_reply_address(token._replace(confirms_resigning=False, confirms_mail=0)),
    )


def _build_confirming_address(mail: InboundMail) -> str:
    """Return the address at which a "yes" confirms *mail*, for the version that it was written for; empty if
    it needs no confirmation."""
    token = read_reply_address(mail.recipient) if mail.outcome == MailOutcome.CONFIRM_ASKED else None
    if token is None:
        return ""
    return build_reply_address(token._replace(confirms_resigning=False, confirms_mail=mail.pk))


def _choose_subject(outcome: MailOutcome, game: str) -> str:
    if outcome in NOTHING_DONE:
        return _("We couldn't do that in {game}").format(game=game)
    return str(SUBJECTS.get(outcome, gettext_lazy("Your email about {game}"))).format(game=game)


def _let_seen_turn_stand(notice: Notice) -> None:
    """Make another player's turn final, which the reader will now see, as on the page."""
    game, seat = notice.of_game, notice_facts.load_facts(notice).seat
    if game.settles is None or seat is None:
        return
    if play.settle(game_id=game.pk, now=timezone.now(), seen_by=seat.index):
        game.refresh_from_db()
        vars(notice).pop("facts", None)
