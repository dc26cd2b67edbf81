"""Addresses of ratings."""

from django.urls import path, re_path

from leagues.views import ratings

app_name = "leagues"
urlpatterns = [
    path("ratings/", ratings.leaderboard, name="leaderboard"),
    path("ratings/calibration/", ratings.calibration, name="calibration"),
    re_path(r"^ratings/(?P<username>[^/\x00-\x1f]+)/$", ratings.history, name="history"),
]
