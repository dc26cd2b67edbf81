"""The mails about invitations."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player, PlayerPhoto
from games.drawing.portraits import render_photo_png, render_portrait_png, render_set_png
from games.models import Game, Notice
from games.notices.letters import LetterPictures, NoticeLetter
from games.selectors.invitation_recipients import build_mailed_link, find_invited_name
from games.selectors.lists import build_table_agreement, seat_players
from games.words.rule_sets import name_sets

PORTRAIT_WIDTH, SET_WIDTH = 48, 72
"""Widths in pixels at which the mail shows pictures."""
MOST_SETS = 4
"""Number of sets that are shown as pictures; the others are named."""


def write_invitation_letter(notice: Notice) -> NoticeLetter:
    """Write to the player or address that is invited."""
    game, asked = notice.of_game, notice.invitation
    assert asked is not None
    seat_players([game], notice.recipient or AnonymousUser())
    # A mail that went to an account proves no address: that of the account may have changed.
    path = asked.get_absolute_url() if notice.recipient else build_mailed_link(asked)
    context = {
        "inviter": asked.inviter.username,
        "greeting": asked.greeting,
        "seated": [seat.name for seat in game.seated if not seat.free],
        "free": game.free_seats,
        "agreed": build_table_agreement(game).brief,
        "sets": name_sets(game.rules.sets),
        "board_url": settings.SITE_URL + path,
        "set_width": SET_WIDTH,
    }
    subject = _("{player} has invited you to a game of Carcassonne").format(player=asked.inviter.username)
    return NoticeLetter(subject, context, partial(_draw_card, asked.inviter, game))


def _draw_card(inviter: Player, game: Game) -> LetterPictures:
    """Draw the picture of *inviter* and those of the sets of *game*, twice as large as the mail shows."""
    stored = PlayerPhoto.objects.filter(player=inviter).first() if inviter.photo else None
    if stored is None:
        drawn = render_portrait_png(inviter.shown_picture, 2 * PORTRAIT_WIDTH)
    else:
        drawn = render_photo_png(bytes(stored.jpeg), 2 * PORTRAIT_WIDTH)
    pictures = {"inviter": (drawn, inviter.username)}
    shown = name_sets(game.rules.sets)[:MOST_SETS]
    return pictures | {slug: (render_set_png(slug, 2 * SET_WIDTH), str(name)) for slug, name in shown}


def write_declined_letter(notice: Notice) -> NoticeLetter:
    """Write to the inviter, or to the host."""
    game, asked = notice.of_game, notice.invitation
    assert asked is not None
    who = find_invited_name(asked, notice.recipient)
    context = {"who": who, "board_url": settings.SITE_URL + game.get_absolute_url()}
    if who:
        return NoticeLetter(_("{player} won't be joining {game}").format(player=who, game=game.name), context)
    return NoticeLetter(_("A guest won't be joining {game}").format(game=game.name), context)


def write_removed_letter(notice: Notice) -> NoticeLetter:
    """Write to a guest whom the host removed, who may no longer see the table."""
    game = notice.of_game
    context = {"board_url": settings.SITE_URL + reverse("games:lobby")}
    return NoticeLetter(_("You've been removed from {game}").format(game=game.name), context)
