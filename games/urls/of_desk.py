"""Addresses of the moderators' desk."""

from django.urls import path, re_path

from games.views import desk, desk_tools, incidents, sanctions, signals

urlpatterns = [
    path("", desk.queues, name="desk"),
    path("search/", desk_tools.search, name="desk_search"),
    path("in-force/", desk_tools.in_force, name="desk_in_force"),
    path("texts/", desk_tools.templates, name="desk_templates"),
    path("texts/new/", desk_tools.template, name="desk_new_template"),
    path("texts/of/<slug:name>/", desk_tools.template, name="desk_template"),
    path("rename/<slug:kind>/<slug:key>/", desk_tools.rename, name="desk_rename"),
    path("g/<slug:code>/", desk.case, name="desk_game"),
    path("g/<slug:code>/<slug:act>/", desk.act, name="moderate"),
    re_path(r"^p/(?P<username>[^/\x00-\x1f]+)/$", desk.person, name="desk_person"),
    re_path(
        r"^p/(?P<username>[^/\x00-\x1f]+)/(?P<kind>warn|mute|suspend)/$",
        sanctions.impose,
        name="sanction",
    ),
    re_path(r"^p/(?P<username>[^/\x00-\x1f]+)/notes/$", desk_tools.note, name="desk_note"),
    path("sanctions/<int:pk>/", sanctions.sanction, name="desk_sanction"),
    path("sanctions/<int:pk>/lift/", sanctions.lift, name="lift"),
    path("sanctions/<int:pk>/answer/", sanctions.answer, name="answer_appeal"),
    path("i/<int:pk>/", incidents.incident, name="desk_incident"),
    path("i/<int:pk>/<slug:act>/", incidents.act, name="incident_act"),
    path("signals/<int:pk>/", signals.signal, name="signal"),
]
