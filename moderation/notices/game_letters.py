"""Mails about an act of a moderator."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.references import show_text
from games.models import Notice
from games.notices.letters import NoticeLetter, build_game_context, load_scene
from games.words.acts import format_act
from moderation.models import NameChange


def compose_act_letter(notice: Notice) -> NoticeLetter:
    """The mail about what a moderator did, which was written down as the notice's version; or as a change of
    the name, if the game has not begun."""
    if "change" in notice.about:
        return _write_renamed(notice)
    scene = load_scene(notice)
    move = notice.of_game.moves.get(version=notice.version)
    context = build_game_context(scene) | {
        "said": show_text(format_act(move.action, move.seat, scene.names)),
        "log_url": settings.SITE_URL + reverse("moderation:moderation", args=[notice.of_game.code]),
    }
    return NoticeLetter(_("A moderator has acted in {game}").format(game=notice.of_game.name), context)


def _write_renamed(notice: Notice) -> NoticeLetter:
    """To the host of a table that has not begun: what it is called now, and why."""
    game, change = notice.of_game, NameChange.objects.get(pk=notice.about["change"])
    said = _("A moderator has renamed your table: it's now called {name}. Reason: {reason}")
    context = {
        "said": said.format(name=change.after, reason=show_text(change.reason)),
        "board_url": settings.SITE_URL + reverse("games:table", args=[game.code]),
    }
    return NoticeLetter(_("A moderator has renamed your table {game}").format(game=game.name), context)
