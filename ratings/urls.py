"""URLs of ratings."""

from django.urls import path

from ratings import views

app_name = "ratings"
urlpatterns = [
    path("ratings/", views.leaderboard, name="leaderboard"),
    path("ratings/calibration/", views.calibration, name="calibration"),
]
