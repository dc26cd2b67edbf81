"""Games in the admin, to be viewed and searched.

Nothing here can corrupt a game: its parts are read-only, nothing can be deleted, and the bag is not shown.
"""

from typing import TypeVar

from django.contrib import admin, messages
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.address_hashes import hash_address
from accounts.admin import find_by_player
from accounts.admin_addresses import ShowsAddress, build_masked_column
from accounts.admin_lists import Finder, LargeTable, find_exact, find_related
from accounts.models import Player
from accounts.references import find_words
from core.numerals import parse_key
from games import access
from games.models import (
    GIVEN_UP,
    Emergency,
    Game,
    Heartbeat,
    Holiday,
    Invitation,
    ModerationAct,
    Move,
    Notice,
    Seat,
    SilentAddress,
    Status,
    Tile,
)
from games.notices import delivery
from games.play.timing import find_running_turn
from games.rules.ruleset import MAX_SEATS
from games.selectors.lists import build_table_agreement
from games.selectors.seats import load_seats_of
from games.words import deadlines

HIDDEN_HANDS = Q(
    game__rule_set__options__hand="three_hidden", game__status__in=[Status.PLAYING, Status.SCORING]
)
"""Filter for rows of unfinished games with hands that only their owners may see (HR-3)."""


Row = TypeVar("Row", bound=Model)


def find_game(path: str = "game") -> Finder:
    """Return a finder of rows of the game with the code searched for."""
    return find_related(path, Game, lambda text: Q(code=text.lower()))


def _with_address(path: str) -> Finder:
    """Return a finder of rows with the hash of the address searched for in the column *path*."""
    return lambda text: Q((path, hash_address(text)))


def exclude_sealed(rows: QuerySet[Row], request: HttpRequest) -> QuerySet[Row]:
    """Exclude *rows* of games whose draw must stay hidden from the user."""
    assert isinstance(request.user, Player)  # the admin lets nobody else in
    return rows.filter(access.build_unsealed_filter(request.user, "game"))


class ReadOnly:
    """Rows written only by services."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class SeatsOfGame(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ["index", "player", "bot", "colour", "state", "score", "meeples", "bank", "rank", "result"]


class SeatCountFilter(admin.SimpleListFilter):
    """A filter by number of seats. Django would query all games for the numbers that occur."""

    title = _("seats")
    parameter_name = "places"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(str(n), str(n)) for n in range(2, MAX_SEATS + 1)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        places = parse_key(self.value())
        return queryset.filter(places=places) if places else queryset


@admin.register(Game)
class GameAdmin(ReadOnly, LargeTable):
    list_display = ["code", "name", "status", "places", "ply", "deadline", "visibility", "created", "desk"]
    list_filter = ["status", "ending", "visibility", "rated", SeatCountFilter]
    finders = [
        find_exact("code"),
        find_related("pk", Seat, find_by_player("player"), key="game"),
    ]
    inlines = [SeatsOfGame]
    readonly_fields = ["desk", "agreed", "why_until_then"]
    list_display_links = ["code", "name"]

    @admin.display(description=_("moderators' desk"))
    def desk(self, game: Game) -> SafeString:
        return format_html('<a href="{}">{}</a>', game.get_desk_url(), _("Moderate this game"))

    @admin.display(description=_("time, in words"))
    def agreed(self, game: Game) -> str:
        return build_table_agreement(game).text

    @admin.display(description=_("why until then"))
    def why_until_then(self, game: Game) -> str:
        turn = find_running_turn(game, load_seats_of(game))
        return "" if turn is None else deadlines.summarise_deadline(turn)


@admin.register(Seat)
class SeatAdmin(ReadOnly, LargeTable):
    list_display = ["game", "index", "player", "bot", "colour", "state", "score", "rank"]
    list_filter = ["state", "result", ("bot", admin.EmptyFieldListFilter)]
    list_select_related = ["game", "player"]
    finders = [find_game(), find_by_player("player")]


@admin.register(Move)
class MoveAdmin(ReadOnly, LargeTable):
    """Moves. Draws into hidden hands are shown when the game is over."""

    list_display = ["game", "version", "ply", "seat", "how", "at", "withdrawn"]
    list_filter = ["how"]
    list_select_related = ["game"]
    finders = [find_game()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        return exclude_sealed(super().get_queryset(request), request).exclude(
            HIDDEN_HANDS, action__type="draw"
        )


@admin.register(Tile)
class TileAdmin(ReadOnly, LargeTable):
    """Tiles of games. Hidden hands are shown when the game is over."""

    list_display = ["game", "draw", "kind", "x", "y", "rotation", "discarded"]
    list_select_related = ["game"]
    finders = [find_game()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tile]:
        return exclude_sealed(super().get_queryset(request), request).exclude(
            HIDDEN_HANDS, x=None, discarded=False
        )


@admin.register(ModerationAct)
class ModerationActAdmin(ReadOnly, LargeTable):
    """The log of moderators' acts in games; they act at their desk."""

    list_display = ["at", "game", "kind", "who", "reason"]
    list_filter = ["kind"]
    list_select_related = ["game", "who"]
    finders = [find_game(), find_by_player("who"), find_words("reason")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationAct]:
        return exclude_sealed(super().get_queryset(request), request)


@admin.register(Invitation)
class InvitationAdmin(ReadOnly, ShowsAddress, LargeTable):
    list_display = ["game", "inviter", "player", build_masked_column("address"), "answer", "created"]
    list_filter = ["answer"]
    list_select_related = ["game", "inviter", "player"]
    finders = [
        find_game(),
        find_by_player("inviter"),
        find_by_player("player"),
        _with_address("address_mark"),
    ]
    exclude = ["token"]  # whoever has it can sit down


class GivenUp(admin.SimpleListFilter):
    """Notices that killed their workers."""

    title = _("given up")
    parameter_name = "given_up"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", str(_("given up")))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Notice]) -> QuerySet[Notice]:
        return queryset.filter(why_dropped=GIVEN_UP) if self.value() else queryset


@admin.register(Notice)
class NoticeAdmin(ReadOnly, ShowsAddress, LargeTable):
    list_display = [
        "key",
        "kind",
        "recipient",
        build_masked_column("address"),
        "due",
        "sent",
        "dropped",
        "why_dropped",
        "fate",
        "attempts",
        "lost",
        "last_error",
    ]
    list_filter = [
        GivenUp,
        "kind",
        "channel",
        "fate",
        ("sent", admin.EmptyFieldListFilter),
        ("dropped", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["recipient"]
    finders = [find_exact("key"), find_game(), find_by_player("recipient")]
    actions = ["send_again"]

    def has_send_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_notice")

    @admin.action(description=_("Send again"), permissions=["send"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Notice]) -> None:
        count = queryset.count()
        delivery.send_again(notices=queryset, now=timezone.now())
        said = ngettext("%d notice is waiting to be sent.", "%d notices are waiting to be sent.", count)
        self.message_user(request, said % count, messages.SUCCESS)


@admin.register(Holiday)
class HolidayAdmin(ReadOnly, LargeTable):
    list_display = ["player", "begin", "end", "entered", "automatic"]
    list_filter = ["automatic"]
    list_select_related = ["player"]
    finders = [find_by_player("player")]


@admin.register(Emergency)
class EmergencyAdmin(ReadOnly, LargeTable):
    """Emergencies, in which players have stopped all their games."""

    list_display = ["player", "begin", "end"]
    list_select_related = ["player"]
    finders = [find_by_player("player")]
    exclude = ["games"]


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly, LargeTable):
    list_display = ["name", "at"]


@admin.register(SilentAddress)
class SilentAddressAdmin(ReadOnly, LargeTable):
    """Addresses that want no mail; to let mail through again, find one by its address and delete it."""

    list_display = ["__str__", "since"]
    finders = [_with_address("mark")]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)
