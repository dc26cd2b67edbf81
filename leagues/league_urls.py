"""Addresses of leagues, their seasons and divisions."""

from django.urls import path

from leagues.views import leagues as views

app_name = "league"
urlpatterns = [
    path("", views.leagues, name="list"),
    path("new/", views.found, name="found"),
    path("<slug:slug>/", views.league, name="league"),
    path("<slug:slug>/log/", views.log, name="log"),
    path("<slug:slug>/<int:number>/", views.season, name="season"),
    path("<slug:slug>/<int:number>/register/", views.register, name="register"),
    path("<slug:slug>/<int:number>/withdraw/", views.withdraw, name="withdraw"),
    path("<slug:slug>/<int:number>/stay/", views.stay, name="stay"),
    path("<slug:slug>/<int:number>/<int:level>/", views.division, name="division"),
]
