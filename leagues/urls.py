"""URLs of players' league careers."""

from django.urls import re_path

from leagues.views import archive

app_name = "leagues"
urlpatterns = [
    re_path(r"^careers/(?P<username>[^/\x00-\x1f]+)/$", archive.career, name="career"),
]
