"""Read-only admin of moderation; acts are performed at the moderators' desk."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin import find_by_player
from accounts.admin_lists import LargeTable, find_related
from accounts.references import find_words
from games.admin import ReadOnly, exclude_sealed, find_game
from games.models import Message, Sanction
from moderation import access
from moderation.models import Appeal, ConductAct


@admin.register(Sanction)
class SanctionAdmin(ReadOnly, LargeTable):
    """Warnings, mutes and suspensions."""

    list_display = ["begun", "player", "kind", "ends", "acknowledged", "lifted", "who"]
    list_filter = ["kind"]
    list_select_related = ["player", "who"]
    finders = [find_by_player("player"), find_by_player("who"), find_words("reason"), find_words("about")]


@admin.register(Appeal)
class AppealAdmin(ReadOnly, LargeTable):
    list_display = ["at", "sanction", "due", "outcome", "answered_by"]
    list_filter = ["outcome"]
    list_select_related = ["sanction__player", "answered_by"]
    finders = [find_related("sanction", Sanction, find_by_player("player"))]


@admin.register(ConductAct)
class ConductActAdmin(ReadOnly, LargeTable):
    """The log of moderators' acts on people."""

    list_display = ["at", "player", "kind", "who", "why"]
    list_filter = ["kind"]
    list_select_related = ["player", "who"]
    finders = [find_by_player("player"), find_by_player("who"), find_words("why")]


@admin.register(Message)
class MessageAdmin(ReadOnly, LargeTable):
    list_display = ["game", "author", "text", "at"]
    list_select_related = ["game", "author"]
    finders = [find_game(), find_by_player("author")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return access.filter_talk(exclude_sealed(super().get_queryset(request), request))
