"""Addresses of the games' pages."""

from django.urls import path

from games.notices import unsubscribe
from games.views import board, lists, pages, tables

app_name = "games"
urlpatterns = [
    path("", pages.home, name="home"),
    path("rules/", pages.rules, name="rules"),
    path("rules/<slug:slug>/", pages.rules_page, name="rules_page"),
    path("icon/<int:count>.svg", pages.icon, name="icon"),
    path("games/", lists.mine, name="mine"),
    path("games/next/", lists.next_game, name="next"),
    path("lobby/", lists.lobby, name="lobby"),
    path("archive/", lists.archive, name="archive"),
    path("players/<str:username>/", lists.player, name="player"),
    path("new/", tables.new, name="new"),
    path("new/rules/", tables.spread_out, name="spread_out"),
    path("new/bot/", tables.play_bot, name="play_bot"),
    path("g/<str:code>/", tables.table, name="table"),
    path("g/<str:code>/sit/", tables.sit, name="sit"),
    path("g/<str:code>/leave/", tables.leave, name="leave"),
    path("g/<str:code>/cancel/", tables.cancel, name="cancel"),
    path("g/<str:code>/bot/", tables.add_bot, name="add_bot"),
    path("g/<str:code>/invite/", tables.invite, name="invite"),
    path("g/<str:code>/invitations/<int:pk>/withdraw/", tables.withdraw, name="withdraw"),
    path("g/<str:code>/rematch/", tables.rematch, name="rematch"),
    path("g/<str:code>/play/", board.play_turn, name="play"),
    path("g/<str:code>/transfers/", board.set_transfers, name="transfers"),
    path("g/<str:code>/resign/", board.resign, name="resign"),
    path("g/<str:code>/talk/", board.talk, name="talk"),
    path("g/<str:code>/ply/<int:ply>/", board.ply, name="ply"),
    path("g/<str:code>/scores/", board.scores, name="scores"),
    path("g/<str:code>/draw/", board.draw, name="draw"),
    path("g/<str:code>/record.json", board.record, name="record"),
    path("i/<str:token>/", tables.invitation, name="invitation"),
    path("mail/stop/<str:token>/", unsubscribe.stop, name="unsubscribe"),
]
