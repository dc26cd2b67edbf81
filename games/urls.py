"""Addresses of the games' pages."""

from django.urls import path

from games.notices import unsubscribe
from games.views import lists, pages, tables

app_name = "games"
urlpatterns = [
    path("", pages.home, name="home"),
    path("rules/", pages.rules, name="rules"),
    path("games/", lists.mine, name="mine"),
    path("games/next/", lists.next_game, name="next"),
    path("lobby/", lists.lobby, name="lobby"),
    path("archive/", lists.archive, name="archive"),
    path("players/<str:username>/", lists.player, name="player"),
    path("new/", tables.new, name="new"),
    path("new/bot/", tables.play_bot, name="play_bot"),
    path("g/<str:code>/", tables.table, name="table"),
    path("g/<str:code>/sit/", tables.sit, name="sit"),
    path("g/<str:code>/leave/", tables.leave, name="leave"),
    path("g/<str:code>/cancel/", tables.cancel, name="cancel"),
    path("g/<str:code>/bot/", tables.add_bot, name="add_bot"),
    path("g/<str:code>/invite/", tables.invite, name="invite"),
    path("g/<str:code>/invitations/<int:pk>/withdraw/", tables.withdraw, name="withdraw"),
    path("g/<str:code>/rematch/", tables.rematch, name="rematch"),
    path("i/<str:token>/", tables.invitation, name="invitation"),
    path("mail/stop/<str:token>/", unsubscribe.stop, name="unsubscribe"),
]
