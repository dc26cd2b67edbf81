"""Addresses of the games' pages."""

from django.urls import include, path, re_path

from games.urls import one_game
from games.views import (
    devices,
    invitations,
    lists,
    own_mails,
    own_time,
    own_webhooks,
    pages,
    people,
    rating_history,
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
    path("games/", lists.own_games, name="mine"),
    path("games/next/", lists.next_game, name="next"),
    path("lobby/", lists.lobby, name="lobby"),
    path("seats/", substitutes.seats, name="seats"),
    path("archive/", lists.archive, name="archive"),
    path("players/", people.people, name="people"),
    # No control characters: databases take no NUL. What else a name may hold, the accounts say.
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/$", people.player, name="player"),
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/follow/$", people.follow_player, name="follow_player"),
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/block/$", people.block, name="block"),
    re_path(r"^ratings/(?P<username>[^/\x00-\x1f]+)/$", rating_history.rating_history, name="rating_history"),
    path("blocked/", people.blocked_players, name="blocked"),
    path("mails/", own_mails.own_mails, name="mails"),
    path("mails/resume/", own_mails.resume_mails, name="resume_mails"),
    path("settings/devices/", devices.devices, name="devices"),
    path("settings/devices/on/", devices.switch_on_device, name="switch_on_device"),
    path("settings/devices/off/", devices.switch_off_device, name="switch_off_device"),
    path("settings/devices/test/", devices.try_device, name="try_device"),
    path("settings/devices/key/", devices.push_key, name="push_key"),
    path("settings/webhooks/", own_webhooks.webhooks, name="webhooks"),
    path("settings/webhooks/add/", own_webhooks.add_webhook, name="add_webhook"),
    path("settings/webhooks/<int:pk>/test/", own_webhooks.test_webhook, name="test_webhook"),
    path("settings/webhooks/<int:pk>/remove/", own_webhooks.remove_webhook, name="remove_webhook"),
    path("time/", own_time.own_time, name="time"),
    path("time/hours/", own_time.hours, name="hours"),
    path("time/holidays/", own_time.enter_holiday, name="enter_holiday"),
    path("time/holidays/<int:pk>/cancel/", own_time.cancel_holiday, name="cancel_holiday"),
    path("time/emergency/", own_time.begin_emergency, name="begin_emergency"),
    path("time/emergency/end/", own_time.end_emergency, name="end_emergency"),
    path("new/", setup.new_table, name="new"),
    path("new/rules/", setup.spread_out, name="spread_out"),
    path("new/bot/", setup.play_bot, name="play_bot"),
    path("g/<slug:code>/", include(one_game.urlpatterns)),
    path("i/<slug:token>/", invitations.invitation, name="invitation"),
    path("mail/stop/<str:token>/", unsubscribe.stop, name="unsubscribe"),
]
