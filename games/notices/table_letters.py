"""What a mail says about an act of a table: seats that change hands, time that is over or given."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.references import show_text
from games.models import Kind, Move, Notice, Proposal, Seat
from games.notices.letters import Letter, about_game, scene_of
from games.pages.parts.at_table import MEANS
from games.play import consent
from games.words.acts import act_sentence

SUBJECTS = {
    "offered": gettext_lazy("The house bot keeps a seat in {game}"),
    "take_over": gettext_lazy("{player} has taken a seat over in {game}"),
    "come_back": gettext_lazy("{player} is back in {game}"),
    "claimable": gettext_lazy("{player}'s time is over in {game}"),
    "give": gettext_lazy("{player} gives you time in {game}"),
    "decline": gettext_lazy("{player} declines your proposal in {game}"),
    "pause": gettext_lazy("{game} is paused"),
    "resume": gettext_lazy("{game} goes on"),
    "undo": gettext_lazy("{player} has taken a turn back in {game}"),
}
"""By the act, to those who sit at the table."""
PROPOSED = {
    Proposal.END: gettext_lazy("{player} proposes to end {game}"),
    Proposal.PAUSE: gettext_lazy("{player} proposes a pause of {game}"),
    Proposal.UNDO: gettext_lazy("{player} asks to take a turn back in {game}"),
}


class Advice(NamedTuple):
    """What whom an act concerns most is told besides."""

    subject: str
    sentence: str
    button: str


def about_act(notice: Notice) -> Letter:
    """The mail about the act of the table that was written down as the notice's version."""
    assert notice.kind == Kind.TABLE
    move, scene = _move(notice), scene_of(notice)
    assert move.seat is not None
    player = scene.names[move.seat]
    kind = move.action["type"]
    advice = _advice(move, scene.me)
    subject = advice.subject if advice else SUBJECTS[kind]
    context = about_game(scene) | {
        "said": show_text(act_sentence(move.action, move.seat, scene.names)),
        "advice": advice.sentence if advice else "",
        "button": advice.button if advice else _("Look at the board"),
    }
    return Letter(str(subject).format(player=player, game=notice.of_game.name), context)


def about_keeping(notice: Notice) -> Letter:
    """The mail to the host of an open table that is soon to be closed."""
    game = notice.of_game
    assert game.expires is not None
    context = {
        "free": game.seats.filter(player=None, bot="").count(),
        "until": date_format(timezone.localtime(game.expires), "DATE_FORMAT"),
        "board_url": settings.SITE_URL + reverse("games:keep", args=[game.code]),
    }
    return Letter(_("Keep the table {game}?").format(game=game.name), context)


def still_matters(notice: Notice, seat: Seat | None) -> bool:
    """Whether what *notice* tells still asks something of its reader, who sits at *seat*, or asks nothing."""
    move = _move(notice)
    assert move.seat is not None
    if seat is None:
        return bool(move.action.get("gone") == notice.recipient_id)
    if move.action["type"] == "offered":
        return notice.of_game.seats.get(index=move.seat).offered
    if move.action["type"] == "propose":
        stands = consent.open_offers(notice.of_game, timezone.now())
        return stands.filter(kind=move.action["what"], seat=move.seat, made=move.at).exists()
    if move.action["type"] == "claimable":
        return notice.of_game.claimable is not None
    return True


def _advice(move: Move, me: Seat | None) -> Advice | None:
    kind = move.action["type"]
    if kind == "take_over" and me is None:
        return Advice(
            _("{player} has taken your seat over in {game}"),
            _("You have lost this game on time. What becomes of the seat is no longer yours."),
            _("Look at the board"),
        )
    mine = me is not None and me.index == move.seat
    if kind == "offered" and mine:
        return Advice(
            _("The house bot keeps your seat in {game}"),
            _("You can come back until somebody else has taken it over: one click on the board will do."),
            _("To the board, to come back"),
        )
    if kind == "propose":
        what = Proposal(move.action["what"])
        return Advice(str(PROPOSED[what]), str(MEANS[what]), _("To the board, to answer"))
    if kind == "claimable":
        return Advice(
            _("Your time is over in {game}") if mine else str(SUBJECTS[kind]),
            _("Until you play, the others may claim the win. After seven days the game is lost by itself.")
            if mine
            else _("You may claim the win, or give days. After seven days the win is yours by itself."),
            _("To the board"),
        )
    return None


def _move(notice: Notice) -> Move:
    return notice.of_game.moves.get(version=notice.version)
