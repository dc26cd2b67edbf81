"""The mail that answers a player's mail: the outcome, the state of the game, and the possible replies."""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import play
from games.access import is_on_turn
from games.inbox.envelope import read_envelope
from games.models import InboundMail, MailOutcome, Notice, Status
from games.models.inbound_mail import NOTHING_DONE
from games.notices import notice_facts
from games.notices.letters import NoticeLetter, load_scene, write_game_letter, write_turn_letter
from games.notices.registered_letters import NothingToTell
from games.notices.reply_options import choose_reply_address
from games.pages.parts.status import format_headline

SUBJECTS = {
    MailOutcome.PLAYED: gettext_lazy("Played: {game}"),
    MailOutcome.UNDONE: gettext_lazy("Undone: {game}"),
    MailOutcome.RESIGN_ASKED: gettext_lazy("Do you want to resign {game}?"),
    MailOutcome.RESIGNED: gettext_lazy("You've resigned {game}"),
}
"""Subjects by the outcome of the mail; :func:`_choose_subject` has those of other outcomes."""


def write_reply_letter(notice: Notice) -> NoticeLetter:
    """Write the answer to the mail of *notice*, as the game stands now. As it shows the board, a turn that
    could still be undone becomes final.

    :raises NothingToTell: the mail has been deleted since
    """
    _let_seen_turn_stand(notice)
    return build_reply_letter(notice)


def build_reply_letter(notice: Notice) -> NoticeLetter:
    """Write the same for channels that don't show the board: no turn becomes final.

    :raises NothingToTell: the mail has been deleted since
    """
    mail = InboundMail.objects.filter(answer=notice).first()
    if mail is None:
        raise NothingToTell(notice.key)
    scene = load_scene(notice)
    game, me = scene.game, scene.me
    subject = _choose_subject(MailOutcome(mail.outcome), game.name)
    on_turn = is_on_turn(me, game) and game.status == Status.PLAYING and game.settles is None
    letter = (write_turn_letter if on_turn else write_game_letter)(notice, scene, subject)
    letter.context.update(
        said=mail.said,
        headline=format_headline(scene),
        on_turn=on_turn,
        undo_until=game.settles if _may_undo(notice) else None,
        nothing_done=mail.outcome in NOTHING_DONE,
    )
    asks = mail.outcome == MailOutcome.RESIGN_ASKED
    return replace(
        letter,
        reply_to=choose_reply_address(scene, confirms_resigning=asks),
        answers=read_envelope(bytes(mail.raw)).message_id,
    )


def _choose_subject(outcome: MailOutcome, game: str) -> str:
    if outcome in NOTHING_DONE:
        return _("We couldn't do that in {game}").format(game=game)
    return str(SUBJECTS.get(outcome, gettext_lazy("Your mail about {game}"))).format(game=game)


def _may_undo(notice: Notice) -> bool:
    game, seat = notice.of_game, notice_facts.load_facts(notice).seat
    return bool(game.settles and seat and play.find_last_mover(game) == seat.index)


def _let_seen_turn_stand(notice: Notice) -> None:
    """Make another player's turn final, which the reader will now see, as on the page."""
    game, seat = notice.of_game, notice_facts.load_facts(notice).seat
    if game.settles is None or seat is None:
        return
    if play.settle(game_id=game.pk, now=timezone.now(), seen_by=seat.index):
        game.refresh_from_db()
        vars(notice).pop("facts", None)
