"""Addresses of a player's own pages; sign-in and sign-up are allauth's."""

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("settings/", views.settings, name="settings"),
    path("theme/", views.set_theme, name="theme"),
    path("close/", views.close, name="close"),
]
