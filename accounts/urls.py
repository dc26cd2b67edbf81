"""Addresses of a player's own pages; sign-in and sign-up are allauth's."""

from django.urls import URLPattern

app_name = "accounts"
urlpatterns: list[URLPattern] = []
