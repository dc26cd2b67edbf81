"""The mails about acts of a table: seats that change hands, time that is over or given."""

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
from games.notices.letters import NoticeLetter, build_game_context, load_scene
from games.pages.parts.game_actions import MEANS
from games.play import consent
from games.words.acts import format_act

SUBJECTS = {
    "offered": gettext_lazy("The bot is standing in for a player in {game}"),
    "take_over": gettext_lazy("{player} has taken over a seat in {game}"),
    "come_back": gettext_lazy("{player} is back in {game}"),
    "claimable": gettext_lazy("{player} has run out of time in {game}"),
    "give": gettext_lazy("{player} has given you time in {game}"),
    "decline": gettext_lazy("{player} has declined your proposal in {game}"),
    "pause": gettext_lazy("{game} is paused"),
    "resume": gettext_lazy("{game} continues"),
    "undo": gettext_lazy("{player} has undone a turn in {game}"),
}
"""Subjects by the act, for those who sit at the table."""
PROPOSED = {
    Proposal.END: gettext_lazy("{player} proposes to end {game}"),
    Proposal.PAUSE: gettext_lazy("{player} proposes to pause {game}"),
    Proposal.UNDO: gettext_lazy("{player} asks to undo a turn in {game}"),
}


class Advice(NamedTuple):
    """Advice for the player most concerned by an act."""

    subject: str
    sentence: str
    button: str


def write_act_letter(notice: Notice) -> NoticeLetter:
    """Write the letter about an act at the table, whose move has the notice's version."""
    assert notice.kind == Kind.TABLE
    move, scene = _move(notice), load_scene(notice)
    assert move.seat is not None
    player = scene.names[move.seat]
    kind = move.action["type"]
    advice = _advice(move, scene.me)
    subject = advice.subject if advice else SUBJECTS[kind]
    context = build_game_context(scene) | {
        "said": show_text(format_act(move.action, move.seat, scene.names)),
        "advice": advice.sentence if advice else "",
        "button": advice.button if advice else _("Look at the board"),
    }
    return NoticeLetter(str(subject).format(player=player, game=notice.of_game.name), context)


def write_keeping_letter(notice: Notice) -> NoticeLetter:
    """Write the letter to the host of an open table that expires soon."""
    game = notice.of_game
    assert game.expires is not None
    context = {
        "free": game.seats.filter(player=None, bot="").count(),
        "until": date_format(timezone.localtime(game.expires), "DATE_FORMAT"),
        "board_url": settings.SITE_URL + reverse("games:keep", args=[game.code]),
    }
    return NoticeLetter(_("Keep {game} open?").format(game=game.name), context)


def still_matters(notice: Notice, seat: Seat | None) -> bool:
    """Return whether *notice* is still relevant to its reader, who sits at *seat*: its act can still be
    answered, or needs no answer."""
    move = _move(notice)
    assert move.seat is not None
    if seat is None:
        return bool(move.action.get("gone") == notice.recipient_id)
    if move.action["type"] == "offered":
        return notice.of_game.seats.get(index=move.seat).offered
    if move.action["type"] == "propose":
        stands = consent.list_open_offers(notice.of_game, timezone.now())
        return stands.filter(kind=move.action["what"], seat=move.seat, made=move.at).exists()
    if move.action["type"] == "claimable":
        return notice.of_game.claimable is not None
    return True


def _advice(move: Move, me: Seat | None) -> Advice | None:
    kind = move.action["type"]
    if kind == "take_over" and me is None:
        return Advice(
            _("{player} has taken over your seat in {game}"),
            _("You lost this game on time. What happens to the seat now doesn't affect you."),
            _("Look at the board"),
        )
    mine = me is not None and me.index == move.seat
    if kind == "offered" and mine:
        return Advice(
            _("The bot is standing in for you in {game}"),
            _("You can come back until someone else takes your seat: just one click on the board."),
            _("Open the board and come back"),
        )
    if kind == "propose":
        what = Proposal(move.action["what"])
        return Advice(str(PROPOSED[what]), str(MEANS[what]), _("Open the board and answer"))
    if kind == "claimable":
        return Advice(
            _("Your time has run out in {game}") if mine else str(SUBJECTS[kind]),
            _(
                "Until you play, the others can claim the win. After seven days you lose the game "
                "automatically."
            )
            if mine
            else _("You can claim the win or give more days. After seven days you win automatically."),
            _("Open the board"),
        )
    return None


def _move(notice: Notice) -> Move:
    return notice.of_game.moves.get(version=notice.version)
