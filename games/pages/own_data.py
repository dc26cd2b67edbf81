"""The data that games keep about a player, for the file of all their data (``accounts.export``)."""

from collections.abc import Iterator
from typing import Any

from accounts.export import list_rows
from accounts.models import Player
from games.models import (
    Block,
    Contact,
    Emergency,
    FollowedGame,
    FollowedPlayer,
    Game,
    Holiday,
    InboundMail,
    Invitation,
    MailState,
    Message,
    Note,
    Notice,
    PersonalTime,
    Plan,
    PrunedNotice,
    PushSubscription,
    Removal,
    Seat,
    Visit,
    Webhook,
)
from games.pages.history.downloads import build_record

AT_ONCE = 100  # games in memory


def export_files(player: Player) -> Iterator[tuple[str, Any]]:
    """Yield the archive's files: every game of *player* as a record, and what they have written and chosen.

    It holds nothing that others wrote, and no addresses of guests whom they invited.
    """
    code = "game__code"
    yield (
        "games.json",
        {
            "seats": list_rows(
                Seat.objects.filter(player=player).order_by("pk"),
                code, "index", "colour", "state", "result", "rank", "score", "notice_timing",
            ),
            "hosted": list_rows(Game.objects.filter(host=player).order_by("pk"), "code", "name", "created"),
            "plans": list_rows(
                Plan.objects.filter(seat__player=player).order_by("pk"),
                "seat__game__code", "tile", "action", "created", "played", "dropped",
            ),
            "visits": list_rows(Visit.objects.filter(player=player), code, "since", "seen", "at"),
            "followed_games": list_rows(FollowedGame.objects.filter(player=player), code),
            "followed_players": list_rows(FollowedPlayer.objects.filter(player=player), "followed__username"),
            "seats_taken_back": list_rows(Removal.objects.filter(player=player), code, "at"),
            "blocked_players": list_rows(Block.objects.filter(player=player), "blocked__username", "since"),
            "written_to_others": list_rows(Contact.objects.filter(sender=player).order_by("pk"), "act", "at"),
        },
    )  # fmt: skip
    said = Message.objects.filter(author=player).order_by("pk")
    yield "messages.json", list_rows(said, code, "room", "text", "at")
    yield (
        "notes.json",
        list_rows(Note.objects.filter(player=player).order_by("pk"), code, "ply", "text", "at"),
    )
    notices = Notice.objects.filter(recipient=player).order_by("pk")
    yield (
        "notices.json",
        list_rows(
            notices,
            code, "kind", "channel", "created", "due", "sent", "dropped", "why_dropped", "fate", "fate_at",
        ),
    )  # fmt: skip
    pruned = PrunedNotice.objects.filter(recipient=player).order_by("pk")
    yield "old_notices.json", list_rows(pruned, code, "kind", "sent")
    devices = PushSubscription.objects.filter(player=player).order_by("pk")
    yield "devices.json", list_rows(devices, "endpoint", "browser", "device", "since", "last_success")
    mails = InboundMail.objects.filter(player=player, state=MailState.DONE).order_by("pk")
    yield "mails_to_us.json", list_rows(mails, "received", "outcome", "said")
    # Without their addresses, which are secrets: anybody who has the file could post there.
    webhooks = Webhook.objects.filter(player=player).order_by("pk")
    yield (
        "webhooks.json",
        list_rows(webhooks, "shape", "since", "last_sent", "last_error", "failed", "off", "why_off"),
    )
    invited, got = (Invitation.objects.filter(**who) for who in ({"inviter": player}, {"player": player}))
    # An inviter must never learn whose account an address belongs to.
    by_name, by_address = invited.filter(address_mark=""), invited.exclude(address_mark="")
    yield (
        "invitations.json",
        {
            "sent": [
                *list_rows(by_name, code, "player__username", "greeting", "answer", "created", "answered"),
                *list_rows(by_address, code, "address", "greeting", "answer", "created", "answered"),
            ],
            "received": list_rows(got, code, "inviter__username", "answer", "created", "answered"),
        },
    )
    yield (
        "time.json",
        {
            "holidays": list_rows(
                Holiday.objects.filter(player=player), "begin", "end", "entered", "automatic"
            ),
            "emergencies": list_rows(Emergency.objects.filter(player=player), "begin", "end"),
            "turns_in_time": list_rows(PersonalTime.objects.filter(player=player)),
        },
    )
    played = Game.objects.filter(seats__player=player).exclude(started=None).order_by("pk").distinct()
    for game in played.iterator(chunk_size=AT_ONCE):
        yield f"games/{game.code}.json", build_record(game)
