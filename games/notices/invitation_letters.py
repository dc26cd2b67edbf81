"""The mails about invitations."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Notice
from games.notices.letters import NoticeLetter
from games.pages.scene import Scene
from games.selectors.invitation_recipients import build_mailed_link, find_invited_name
from games.selectors.lists import build_table_agreement
from games.words import rule_sets


def write_invitation_letter(notice: Notice) -> NoticeLetter:
    """Write to the player or address that is invited."""
    game, asked = notice.of_game, notice.invitation
    assert asked is not None
    scene = Scene.of(game, asked.inviter)
    # A mail that went to an account proves no address: that of the account may have changed.
    path = reverse("games:invitation", args=[asked.token]) if notice.recipient else build_mailed_link(asked)
    context = {
        "inviter": asked.inviter.username,
        "greeting": asked.greeting,
        "seated": [scene.names[seat.index] for seat in scene.seats if not seat.free],
        "agreed": build_table_agreement(game).brief,
        "rules": rule_sets.list_rules_in_brief(game.rules),
        "board_url": settings.SITE_URL + path,
    }
    subject = _("{player} invites you to a game of Carcassonne: {game}")
    return NoticeLetter(subject.format(player=asked.inviter.username, game=game.name), context)


def write_declined_letter(notice: Notice) -> NoticeLetter:
    """Write to the inviter, or to the host."""
    game, asked = notice.of_game, notice.invitation
    assert asked is not None
    who = find_invited_name(asked, notice.recipient)
    context = {"who": who, "board_url": settings.SITE_URL + reverse("games:table", args=[game.code])}
    if who:
        return NoticeLetter(_("{player} won't be joining {game}").format(player=who, game=game.name), context)
    return NoticeLetter(_("A guest won't be joining {game}").format(game=game.name), context)


def write_removed_letter(notice: Notice) -> NoticeLetter:
    """Write to a guest whom the host removed, who may no longer see the table."""
    game = notice.of_game
    context = {"board_url": settings.SITE_URL + reverse("games:lobby")}
    return NoticeLetter(_("You've been removed from {game}").format(game=game.name), context)
