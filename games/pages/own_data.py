"""What games keep about a player, for the file of all their data (``accounts.export``)."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from accounts.export import rows
from accounts.models import Player
from accounts.references import show_values
from games.models import (
    Appeal,
    Block,
    Contact,
    Emergency,
    FollowedGame,
    FollowedPlayer,
    Game,
    Holiday,
    Invitation,
    Message,
    Note,
    Notice,
    PersonalTime,
    Plan,
    PrunedNotice,
    Removal,
    Report,
    Sanction,
    Seat,
    Signal,
    Visit,
)
from games.pages.history.downloads import record_of

AT_ONCE = 100  # games in memory


def files(player: Player) -> Iterator[tuple[str, Any]]:
    """The files of the archive: every game of *player* as a record, and what they have written and chosen.

    Only what is theirs: of what others wrote nothing, and of guests whom they invited no address.
    """
    code = "game__code"
    yield (
        "games.json",
        {
            "seats": rows(
                Seat.objects.filter(player=player).order_by("pk"),
                code, "index", "colour", "state", "result", "rank", "score", "mails",
            ),
            "hosted": rows(Game.objects.filter(host=player).order_by("pk"), "code", "name", "created"),
            "plans": rows(
                Plan.objects.filter(seat__player=player).order_by("pk"),
                "seat__game__code", "tile", "action", "created", "played", "dropped",
            ),
            "visits": rows(Visit.objects.filter(player=player), code, "since", "seen", "at"),
            "followed_games": rows(FollowedGame.objects.filter(player=player), code),
            "followed_players": rows(FollowedPlayer.objects.filter(player=player), "followed__username"),
            "seats_taken_back": rows(Removal.objects.filter(player=player), code, "at"),
            "blocked_players": rows(Block.objects.filter(player=player), "blocked__username", "since"),
            "written_to_others": rows(Contact.objects.filter(sender=player).order_by("pk"), "act", "at"),
        },
    )  # fmt: skip
    said = Message.objects.filter(author=player).order_by("pk")
    yield "messages.json", rows(said, code, "room", "text", "at")
    reported = Report.objects.filter(reporter=player).order_by("pk")
    about = ("incident__about__username", "incident__game__code", "ply", "incident__closed")
    yield "reports.json", show_values(rows(reported, *about, "category", "words", "at"), "words")
    yield "notes.json", rows(Note.objects.filter(player=player).order_by("pk"), code, "ply", "text", "at")
    notices = Notice.objects.filter(recipient=player).order_by("pk")
    yield "notices.json", rows(notices, code, "kind", "channel", "created", "due", "sent", "why_dropped")
    pruned = PrunedNotice.objects.filter(recipient=player).order_by("pk")
    yield "old_notices.json", rows(pruned, code, "kind", "sent")
    invited, got = (Invitation.objects.filter(**who) for who in ({"inviter": player}, {"player": player}))
    # Whose the address is, the inviter is told nowhere.
    by_name, by_address = invited.filter(address_mark=""), invited.exclude(address_mark="")
    yield (
        "invitations.json",
        {
            "sent": [
                *rows(by_name, code, "player__username", "greeting", "answer", "created", "answered"),
                *rows(by_address, code, "address", "greeting", "answer", "created", "answered"),
            ],
            "received": rows(got, code, "inviter__username", "answer", "created", "answered"),
        },
    )
    yield (
        "time.json",
        {
            "holidays": rows(Holiday.objects.filter(player=player), "begin", "end", "entered", "automatic"),
            "emergencies": rows(Emergency.objects.filter(player=player), "begin", "end"),
            "turns_in_time": rows(PersonalTime.objects.filter(player=player)),
        },
    )
    yield (
        "conduct.json",
        {
            "sanctions": show_values(rows(
                Sanction.objects.filter(player=player).order_by("pk"),
                "kind", "template", "texts", "words", "begun", "ends", "acknowledged", "lifted",
            ), "words"),
            "appeals": show_values(rows(
                Appeal.objects.filter(sanction__player=player).order_by("pk"),
                "sanction__kind", "words", "at", "due", "answer", "answered", "outcome",
            ), "words", "answer"),
        },
    )  # fmt: skip
    signals = Signal.objects.filter(Q(subject=player) | Q(other=player)).order_by("pk")
    yield "fair_play.json", rows(signals, "kind", "found", "refreshed", "settled", "verdict")
    played = Game.objects.filter(seats__player=player).exclude(started=None).order_by("pk").distinct()
    for game in played.iterator(chunk_size=AT_ONCE):
        yield f"games/{game.code}.json", record_of(game)
