"""URLs of a player's own pages; sign-in and sign-up are allauth's."""

from django.urls import path

from accounts import account_views, views
from accounts.reauthentication import reauthenticate_by_code

app_name = "accounts"
urlpatterns = [
    path("settings/", views.settings, name="settings"),
    path("profile/", views.profile, name="profile"),
    path("photo/<str:username>/<slug:digest>.jpg", views.photo, name="photo"),
    path("notifications/", views.notices, name="notices"),
    path("theme/", views.set_theme, name="theme"),
    path("sessions/", account_views.sessions, name="sessions"),
    path("sessions/end/", account_views.end_session, name="end_session"),
    path("create/", views.create_account, name="create_account"),
    path("close/", account_views.close, name="close"),
    path("password/strength/", views.strength, name="strength"),
    path("keep/<str:token>/", account_views.keep, name="keep"),
    path("address/undo/<str:token>/", account_views.undo_address, name="undo_address"),
    path("data/", account_views.data, name="export"),
    path("data/file/", account_views.fetch, name="export_file"),
    path("reauthenticate/code/", reauthenticate_by_code, name="reauthenticate_by_code"),
]
