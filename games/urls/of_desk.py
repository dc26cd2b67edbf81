"""Addresses of the moderators' desk."""

from django.urls import path, re_path

from games.views import desk, incidents, sanctions, signals

urlpatterns = [
    path("", desk.queues, name="desk"),
    path("g/<slug:code>/", desk.case, name="desk_game"),
    path("g/<slug:code>/<slug:act>/", desk.act, name="moderate"),
    re_path(r"^p/(?P<username>[^/\x00-\x1f]+)/$", desk.person, name="desk_person"),
    re_path(
        r"^p/(?P<username>[^/\x00-\x1f]+)/(?P<kind>warn|mute|suspend)/$",
        sanctions.impose,
        name="sanction",
    ),
    path("sanctions/<int:pk>/", sanctions.sanction, name="desk_sanction"),
    path("sanctions/<int:pk>/lift/", sanctions.lift, name="lift"),
    path("sanctions/<int:pk>/answer/", sanctions.answer, name="answer_appeal"),
    path("i/<int:pk>/", incidents.incident, name="desk_incident"),
    path("i/<int:pk>/<slug:act>/", incidents.act, name="incident_act"),
    path("signals/<int:pk>/", signals.signal, name="signal"),
]
