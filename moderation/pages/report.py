"""The pages on which players report."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from games.access import Visitor, find_seat, list_visible_rooms
from games.models import Game, Message
from moderation.acts.named_things import NamedThing
from moderation.models import NamedKind


class ReportPage(NamedTuple):
    """Page with the subject of a report, and a link back."""

    heading: str
    quote: str  # text of the message; empty if there is none, or it is deleted
    author: str  # of the message
    back_url: str
    back: str
    nobody: bool = False  # whether nobody can be reported
    name_url: str = ""  # of the page to report the table's name


def build_player_page(player: Player) -> ReportPage:
    name = player.username
    return ReportPage(
        heading=_("Report {name}").format(name=name),
        quote="",
        author="",
        back_url=reverse("games:player", args=[name]),
        back=name,
        nobody=player.is_bot,
    )


def build_game_page(game: Game, *, nobody: bool) -> ReportPage:
    return ReportPage(
        heading=_("Report someone in {game}").format(game=game.name),
        quote="",
        author="",
        back_url=reverse("games:table", args=[game.code]),
        back=game.name,
        nobody=nobody,
        name_url=reverse("moderation:report_name", args=[NamedKind.TABLE, game.code]),
    )


def build_name_page(thing: NamedThing, viewer: Player) -> ReportPage:
    """Build the page to report the name of *thing*."""
    return ReportPage(
        heading=_("Report a name"),
        quote=thing.name,
        author=thing.owner.username,
        back_url=thing.url,
        back=thing.name,
        nobody=thing.owner == viewer or thing.owner.closed is not None,
    )


def build_message_page(game: Game, message: Message) -> ReportPage:
    """Build the page to report *message*, loaded with its author."""
    return ReportPage(
        heading=_("Report a message"),
        quote=message.text,
        author=message.author.username,
        back_url=reverse("games:table", args=[game.code]) + f"#{message.room}",
        back=game.name,
    )


def build_deletion_page(game: Game, message: Message) -> ReportPage:
    return build_message_page(game, message)._replace(heading=_("Delete your message?"))


def format_thanks() -> str:
    """Thank a reporter, and explain the next steps."""
    return _(
        "Thank you. Moderators will look into it. We'll mail you when they have decided, but "
        "not what it means for the other player."
    )


def load_reportable_players(game: Game, viewer: Player) -> dict[int, Player]:
    """Return the players of *game* whom *viewer* can report, by key in the order of seats; one query."""
    seats = game.seats.filter(player__is_bot=False, player__closed=None).exclude(player=viewer)
    players = (seat.player for seat in seats.select_related("player").order_by("index"))
    return {player.pk: player for player in players if player is not None}


def find_audible_message(game: Game, viewer: Visitor, pk: int) -> Message | None:
    """Return the message with this key, with its author, if *viewer* may read it."""
    rooms = list_visible_rooms(game, seated=find_seat(viewer, game) is not None)
    return game.talk.filter(pk=pk, room__in=rooms).select_related("author").first()
