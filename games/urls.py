"""Addresses of the games' pages."""

from django.urls import path

from games.models import Room
from games.notices import unsubscribe
from games.views import board, files, history, inspection, lists, notes, pages, tables, textboard

app_name = "games"
urlpatterns = [
    path("", pages.home, name="home"),
    path("rules/", pages.rules, name="rules"),
    path("rules/<slug:slug>/", pages.rules_page, name="rules_page"),
    path("help/keys/", pages.keys, name="keys"),
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
    path("g/<str:code>/text/", textboard.text, name="text"),
    path("g/<str:code>/play/", board.play_turn, name="play"),
    path("g/<str:code>/transfers/", board.set_transfers, name="transfers"),
    path("g/<str:code>/resign/", board.resign, name="resign"),
    path("g/<str:code>/talk/", board.talk, name="talk"),
    path("g/<str:code>/spectators/", board.talk, {"room": Room.GALLERY}, name="gallery"),
    path("g/<str:code>/notes/", notes.notes, name="notes"),
    path("g/<str:code>/ply/<int:ply>/", history.ply, name="ply"),
    path("g/<str:code>/layer/", inspection.layer, name="layer"),
    path("g/<str:code>/show/<slug:show>/", inspection.show, name="show"),
    path("g/<str:code>/features/", inspection.features, name="features"),
    path("g/<str:code>/feature/<str:at>/<slug:on>/", inspection.feature, name="feature"),
    path("g/<str:code>/feature/<str:at>/<slug:on>/<slug:side>/", inspection.feature, name="feature"),
    path("g/<str:code>/space/<str:at>/", inspection.space, name="space"),
    path("g/<str:code>/quarter/<slug:quarter>/", inspection.quarter, name="quarter"),
    path("g/<str:code>/ply/<int:ply>/board.svg", files.board, {"form": "svg"}, name="ply_svg"),
    path("g/<str:code>/ply/<int:ply>/board.png", files.board, {"form": "png"}, name="ply_png"),
    path("g/<str:code>/board.svg", files.board, {"form": "svg"}, name="svg"),
    path("g/<str:code>/board.png", files.board, {"form": "png"}, name="png"),
    path("g/<str:code>/end/", history.end, name="end"),
    path("g/<str:code>/end/<int:step>/", history.end, name="end_step"),
    path("g/<str:code>/files/", files.files, name="files"),
    path("g/<str:code>/scores/", history.scores, name="scores"),
    path("g/<str:code>/draw/", history.draw, name="draw"),
    path("g/<str:code>/record.json", files.record, name="record"),
    path("i/<str:token>/", tables.invitation, name="invitation"),
    path("mail/stop/<str:token>/", unsubscribe.stop, name="unsubscribe"),
]
