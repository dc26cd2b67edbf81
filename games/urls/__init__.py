"""Addresses of the games' pages."""

from django.urls import include, path, re_path

from games.urls import of_desk, one_game
from games.views import (
    conduct,
    invitations,
    lists,
    moderation,
    own_time,
    pages,
    people,
    reports,
    setup,
    substitutes,
    unsubscribe,
)

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
    path("seats/", substitutes.seats, name="seats"),
    path("archive/", lists.archive, name="archive"),
    path("players/", people.people, name="people"),
    # No control characters: databases take no NUL. What else a name may hold, the accounts say.
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/$", people.player, name="player"),
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/follow/$", people.follow_player, name="follow_player"),
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/block/$", people.block, name="block"),
    path("blocked/", people.blocked, name="blocked"),
    path("report/<slug:kind>/<slug:key>/", reports.report_name, name="report_name"),
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/report/$", reports.report_player, name="report_player"),
    path("time/", own_time.own_time, name="time"),
    path("time/hours/", own_time.hours, name="hours"),
    path("time/holidays/", own_time.enter_holiday, name="enter_holiday"),
    path("time/holidays/<int:pk>/cancel/", own_time.cancel_holiday, name="cancel_holiday"),
    path("time/emergency/", own_time.begin_emergency, name="begin_emergency"),
    path("time/emergency/end/", own_time.end_emergency, name="end_emergency"),
    path("conduct/", conduct.conduct, name="conduct"),
    path("conduct/<int:pk>/read/", conduct.acknowledge, name="acknowledge"),
    path("conduct/<int:pk>/appeal/", conduct.appeal, name="appeal"),
    path("new/", setup.new, name="new"),
    path("new/rules/", setup.spread_out, name="spread_out"),
    path("new/bot/", setup.play_bot, name="play_bot"),
    path("desk/", include(of_desk.urlpatterns)),
    path("moderation/", moderation.years, name="moderation_years"),
    path("g/<slug:code>/moderation/", moderation.log, name="moderation"),
    path("g/<slug:code>/moderation/<int:version>/", moderation.branch, name="branch"),
    path("g/<slug:code>/moderation/<int:version>/<int:step>/", moderation.branch, name="branch_step"),
    path("g/<slug:code>/report/", reports.report_game, name="report_game"),
    path("g/<slug:code>/talk/<int:pk>/report/", reports.report_message, name="report_message"),
    path("g/<slug:code>/talk/<int:pk>/delete/", reports.delete_message, name="delete_message"),
    path("g/<slug:code>/", include(one_game.urlpatterns)),
    path("i/<slug:token>/", invitations.invitation, name="invitation"),
    path("mail/stop/<str:token>/", unsubscribe.stop, name="unsubscribe"),
]
