"""Addresses of the games' pages."""

from django.urls import path, re_path

from games.models import Room
from games.views import board, files, history, inspection, lists, notes, pages, tables, textboard, unsubscribe

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
    # No control characters: databases take no NUL. What else a name may hold, the accounts say.
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/$", lists.player, name="player"),
    path("new/", tables.new, name="new"),
    path("new/rules/", tables.spread_out, name="spread_out"),
    path("new/bot/", tables.play_bot, name="play_bot"),
    path("g/<slug:code>/", tables.table, name="table"),
    path("g/<slug:code>/sit/", tables.sit, name="sit"),
    path("g/<slug:code>/leave/", tables.leave, name="leave"),
    path("g/<slug:code>/cancel/", tables.cancel, name="cancel"),
    path("g/<slug:code>/bot/", tables.add_bot, name="add_bot"),
    path("g/<slug:code>/invite/", tables.invite, name="invite"),
    path("g/<slug:code>/invitations/<int:pk>/withdraw/", tables.withdraw, name="withdraw"),
    path("g/<slug:code>/rematch/", tables.rematch, name="rematch"),
    path("g/<slug:code>/text/", textboard.text, name="text"),
    path("g/<slug:code>/play/", board.play_turn, name="play"),
    path("g/<slug:code>/transfers/", board.set_transfers, name="transfers"),
    path("g/<slug:code>/resign/", board.resign, name="resign"),
    path("g/<slug:code>/talk/", board.talk, name="talk"),
    path("g/<slug:code>/spectators/", board.talk, {"room": Room.GALLERY}, name="gallery"),
    path("g/<slug:code>/notes/", notes.notes, name="notes"),
    path("g/<slug:code>/ply/<int:ply>/", history.ply, name="ply"),
    path("g/<slug:code>/layer/", inspection.layer, name="layer"),
    path("g/<slug:code>/show/<slug:show>/", inspection.show, name="show"),
    path("g/<slug:code>/features/", inspection.features, name="features"),
    path("g/<slug:code>/feature/<str:at>/<slug:on>/", inspection.feature, name="feature"),
    path("g/<slug:code>/feature/<str:at>/<slug:on>/<slug:side>/", inspection.feature, name="feature"),
    path("g/<slug:code>/space/<str:at>/", inspection.space, name="space"),
    path("g/<slug:code>/quarter/<slug:quarter>/", inspection.quarter, name="quarter"),
    path("g/<slug:code>/ply/<int:ply>/board.svg", files.board, {"form": "svg"}, name="ply_svg"),
    path("g/<slug:code>/ply/<int:ply>/board.png", files.board, {"form": "png"}, name="ply_png"),
    path("g/<slug:code>/board.svg", files.board, {"form": "svg"}, name="svg"),
    path("g/<slug:code>/board.png", files.board, {"form": "png"}, name="png"),
    path("g/<slug:code>/end/", history.end, name="end"),
    path("g/<slug:code>/end/<int:step>/", history.end, name="end_step"),
    path("g/<slug:code>/files/", files.files, name="files"),
    path("g/<slug:code>/scores/", history.scores, name="scores"),
    path("g/<slug:code>/draw/", history.draw, name="draw"),
    path("g/<slug:code>/record.json", files.record, name="record"),
    path("i/<slug:token>/", tables.invitation, name="invitation"),
    path("mail/stop/<str:token>/", unsubscribe.stop, name="unsubscribe"),
]
