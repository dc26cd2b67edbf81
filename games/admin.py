"""Games in the admin: to be looked at and searched.

Nothing here corrupts a game: what it is made of can only be read, nothing is deleted, the bag is nowhere.
"""

from typing import TypeVar

from django.contrib import admin, messages
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import Player
from games import access
from games.models import (
    Appeal,
    ConductAct,
    Emergency,
    Game,
    Heartbeat,
    Holiday,
    Invitation,
    Message,
    ModerationAct,
    Move,
    Notice,
    Sanction,
    Seat,
    SilentAddress,
    Status,
    Tile,
)
from games.notices import delivery
from games.pages.parts.running_turn import running_turn
from games.selectors.lists import agreement
from games.selectors.seats import seats_of
from games.words import deadlines

HIDDEN_HANDS = Q(
    game__rule_set__options__hand="three_hidden", game__status__in=[Status.PLAYING, Status.SCORING]
)
"""Of games in which hands are for their owners' eyes only (HR-3), and which are not over."""


Row = TypeVar("Row", bound=Model)


def _unsealed(rows: QuerySet[Row], request: HttpRequest) -> QuerySet[Row]:
    """Those of *rows* whose game does not tell whoever looks what comes next in their own."""
    assert isinstance(request.user, Player)  # the admin lets nobody else in
    return rows.filter(access.unsealed(request.user, "game"))


class ReadOnly:
    """Rows that services alone write."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class SeatsOfGame(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ["index", "player", "bot", "colour", "state", "score", "meeples", "bank", "rank", "result"]


@admin.register(Game)
class GameAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["code", "name", "status", "places", "ply", "deadline", "visibility", "created", "desk"]
    list_filter = ["status", "ending", "visibility", "rated", "places"]
    search_fields = ["code", "name", "host__username", "seats__player__username"]
    date_hierarchy = "created"
    inlines = [SeatsOfGame]
    readonly_fields = ["desk", "agreed", "why_until_then"]
    list_display_links = ["code", "name"]

    @admin.display(description=_("moderators' desk"))
    def desk(self, game: Game) -> SafeString:
        url = reverse("games:desk_game", args=[game.code])
        return format_html('<a href="{}">{}</a>', url, _("Moderate this game"))

    @admin.display(description=_("time, in words"))
    def agreed(self, game: Game) -> str:
        return agreement(game).text

    @admin.display(description=_("why until then"))
    def why_until_then(self, game: Game) -> str:
        turn = running_turn(game, seats_of(game))
        return "" if turn is None else deadlines.in_one_sentence(turn)


@admin.register(Seat)
class SeatAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["game", "index", "player", "bot", "colour", "state", "score", "rank"]
    list_filter = ["state", "result", "bot"]
    list_select_related = ["game", "player"]
    search_fields = ["game__code", "game__name", "player__username"]


@admin.register(Move)
class MoveAdmin(ReadOnly, admin.ModelAdmin):
    """Draws into hands that only their owners may see are shown when the game is over."""

    list_display = ["game", "version", "ply", "seat", "how", "at", "withdrawn"]
    list_filter = ["how"]
    list_select_related = ["game"]
    search_fields = ["game__code", "game__name"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        return _unsealed(super().get_queryset(request), request).exclude(HIDDEN_HANDS, action__type="draw")


@admin.register(Tile)
class TileAdmin(ReadOnly, admin.ModelAdmin):
    """What is in a hand that only its owner may see is shown when the game is over."""

    list_display = ["game", "draw", "kind", "x", "y", "rotation", "discarded"]
    list_select_related = ["game"]
    search_fields = ["game__code", "kind"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tile]:
        return _unsealed(super().get_queryset(request), request).exclude(
            HIDDEN_HANDS, x=None, discarded=False
        )


@admin.register(ModerationAct)
class ModerationActAdmin(ReadOnly, admin.ModelAdmin):
    """The log of what moderators did in games; what they can do is at their desk."""

    list_display = ["at", "game", "kind", "who", "reason"]
    list_filter = ["kind"]
    list_select_related = ["game", "who"]
    search_fields = ["game__code", "game__name", "who__username", "reason"]
    date_hierarchy = "at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationAct]:
        return _unsealed(super().get_queryset(request), request)


@admin.register(Sanction)
class SanctionAdmin(ReadOnly, admin.ModelAdmin):
    """Warnings, mutes and suspensions; what can be done about them is at the desk."""

    list_display = ["begun", "player", "kind", "ends", "acknowledged", "lifted", "who"]
    list_filter = ["kind"]
    list_select_related = ["player", "who"]
    search_fields = ["player__username", "who__username", "reason", "about"]
    date_hierarchy = "begun"


@admin.register(Appeal)
class AppealAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["at", "sanction", "due", "outcome", "answered_by"]
    list_filter = ["outcome"]
    list_select_related = ["sanction__player", "answered_by"]
    search_fields = ["sanction__player__username"]


@admin.register(ConductAct)
class ConductActAdmin(ReadOnly, admin.ModelAdmin):
    """The log of what moderators did to people."""

    list_display = ["at", "player", "kind", "who", "why"]
    list_filter = ["kind"]
    list_select_related = ["player", "who"]
    search_fields = ["player__username", "who__username", "why"]
    date_hierarchy = "at"


@admin.register(Invitation)
class InvitationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["game", "inviter", "player", "address", "answer", "created"]
    list_filter = ["answer"]
    list_select_related = ["game", "inviter", "player"]
    search_fields = ["game__code", "inviter__username", "player__username", "address"]
    exclude = ["token"]  # whoever has it can sit down


@admin.register(Message)
class MessageAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["game", "author", "text", "at"]
    list_select_related = ["game", "author"]
    search_fields = ["game__code", "author__username", "text"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return access.talk_for_moderators(_unsealed(super().get_queryset(request), request))


@admin.register(Notice)
class NoticeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["key", "kind", "recipient", "address", "due", "sent", "dropped", "attempts", "last_error"]
    list_filter = ["kind", "channel", ("sent", admin.EmptyFieldListFilter), "why_dropped"]
    list_select_related = ["recipient"]
    search_fields = ["key", "game__code", "game__name", "recipient__username", "address", "last_error"]
    date_hierarchy = "due"
    actions = ["send_again"]

    def has_send_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_notice")

    @admin.action(description=_("Send again"), permissions=["send"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Notice]) -> None:
        count = queryset.count()
        delivery.send_again(notices=queryset, now=timezone.now())
        told = ngettext("%d notice waits to be sent.", "%d notices wait to be sent.", count) % count
        self.message_user(request, told, messages.SUCCESS)


@admin.register(Holiday)
class HolidayAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["player", "begin", "end", "entered", "automatic"]
    list_filter = ["automatic"]
    list_select_related = ["player"]
    search_fields = ["player__username"]
    date_hierarchy = "begin"


@admin.register(Emergency)
class EmergencyAdmin(ReadOnly, admin.ModelAdmin):
    """Who has stopped all their games, and for how long."""

    list_display = ["player", "begin", "end"]
    list_select_related = ["player"]
    search_fields = ["player__username"]
    date_hierarchy = "begin"
    exclude = ["games"]


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "at"]


@admin.register(SilentAddress)
class SilentAddressAdmin(admin.ModelAdmin):
    list_display = ["address", "since"]
    search_fields = ["address"]
