"""Addresses of leagues, their seasons and divisions."""

from django.urls import path

from accounts.limits import slows_reading
from leagues.views import archive, data, desk, feed, requests, substitutes, teams
from leagues.views import leagues as views

app_name = "league"
urlpatterns = [
    path("", views.leagues, name="list"),
    path("new/", views.found_league, name="found"),
    path("<slug:slug>/", views.league, name="league"),
    path("<slug:slug>/log/", views.log, name="log"),
    path("<slug:slug>/announcements/", desk.announcements, name="announcements"),
    path("<slug:slug>/desk/", desk.desk, name="desk"),
    path("<slug:slug>/desk/requests/<int:key>/", requests.answer, name="answer"),
    path("<slug:slug>/desk/<slug:act>/", desk.act, name="act"),
    path("<slug:slug>/offers/<int:key>/", substitutes.offer, name="offer"),
    path("<slug:slug>/ask/", requests.ask, name="ask"),
    path("<slug:slug>/seasons/", archive.archive, name="archive"),
    path("<slug:slug>/champions/", archive.champions, name="champions"),
    path("<slug:slug>/feed/", slows_reading(feed.LeagueFeed()), name="feed"),
    path("<slug:slug>/calendar.ics", data.calendar, name="calendar"),
    path("<slug:slug>/<int:number>/tables.csv", data.tables_csv, name="tables_csv"),
    path("<slug:slug>/<int:number>/teams.csv", data.teams_csv, name="teams_csv"),
    path("<slug:slug>/<int:number>/games.csv", data.games_csv, name="games_csv"),
    path("<slug:slug>/<int:number>/season.json", data.season_json, name="season_json"),
    path("<slug:slug>/<int:number>/", views.season, name="season"),
    path("<slug:slug>/<int:number>/register/", views.register, name="register"),
    path("<slug:slug>/<int:number>/join/", views.join, name="join"),
    path("<slug:slug>/<int:number>/wait/", views.wait, name="wait"),
    path("<slug:slug>/<int:number>/withdraw/", views.withdraw, name="withdraw"),
    path("<slug:slug>/<int:number>/stay/", views.stay, name="stay"),
    path("<slug:slug>/<int:number>/challenge/", views.challenge, name="challenge"),
    path("<slug:slug>/<int:number>/decline/", views.decline_challenge, name="decline_challenge"),
    path("<slug:slug>/<int:number>/<int:level>/", views.division, name="division"),
    path("<slug:slug>/<int:number>/teams/", teams.teams, name="teams"),
    path("<slug:slug>/<int:number>/teams/<int:key>/", teams.team, name="team"),
    path("<slug:slug>/<int:number>/teams/<int:key>/line-up/", teams.line_up, name="line_up"),
    path("<slug:slug>/<int:number>/teams/<int:key>/invitation/", teams.invitation, name="team_invitation"),
    path("<slug:slug>/<int:number>/teams/<int:key>/<slug:act>/", teams.act, name="team_act"),
    path("<slug:slug>/<int:number>/join/<slug:token>/", teams.join, name="join_team"),
    path("<slug:slug>/<int:number>/<int:level>/<int:round>/<int:match>/", teams.match, name="team_match"),
]
