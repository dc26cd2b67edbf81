"""Addresses of ratings, and of what players have played in leagues."""

from django.urls import path, re_path

from leagues.views import archive, ratings

app_name = "leagues"
urlpatterns = [
    path("ratings/", ratings.leaderboard, name="leaderboard"),
    path("ratings/calibration/", ratings.calibration, name="calibration"),
    re_path(r"^ratings/(?P<username>[^/\x00-\x1f]+)/$", ratings.history, name="history"),
    re_path(r"^careers/(?P<username>[^/\x00-\x1f]+)/$", archive.career, name="career"),
]
