"""Addresses of reports, of one's own sanctions, of the public log, and of the moderators' desk."""

from django.urls import path, re_path

from moderation.forms.sanctions import IMPOSE
from moderation.views import desk, desk_tools, incidents, own_conduct, public_log, reports, sanctions, signals

app_name = "moderation"
urlpatterns = [
    path("report/<slug:kind>/<slug:key>/", reports.report_name, name="report_name"),
    re_path(r"^players/(?P<username>[^/\x00-\x1f]+)/report/$", reports.report_player, name="report_player"),
    path("conduct/", own_conduct.conduct, name="conduct"),
    path("conduct/<int:pk>/read/", own_conduct.acknowledge, name="acknowledge"),
    path("conduct/<int:pk>/appeal/", own_conduct.appeal, name="appeal"),
    path("g/<slug:code>/moderation/", public_log.log, name="moderation"),
    path("g/<slug:code>/moderation/<int:version>/", public_log.branch, name="branch"),
    path("g/<slug:code>/moderation/<int:version>/<int:step>/", public_log.branch, name="branch_step"),
    path("g/<slug:code>/report/", reports.report_game, name="report_game"),
    path("g/<slug:code>/talk/<int:pk>/report/", reports.report_message, name="report_message"),
    path("g/<slug:code>/talk/<int:pk>/delete/", reports.delete_message, name="delete_message"),
    path("desk/", desk.queues, name="desk"),
    path("desk/search/", desk_tools.search, name="desk_search"),
    path("desk/in-force/", desk_tools.in_force, name="desk_in_force"),
    path("desk/texts/", desk_tools.templates, name="desk_templates"),
    path("desk/texts/new/", desk_tools.template, name="desk_new_template"),
    path("desk/texts/of/<slug:name>/", desk_tools.template, name="desk_template"),
    path("desk/rename/<slug:kind>/<slug:key>/", desk_tools.rename, name="desk_rename"),
    path("desk/g/<slug:code>/", desk.case, name="desk_game"),
    path("desk/g/<slug:code>/<slug:act>/", desk.act, name="moderate"),
    re_path(r"^desk/p/(?P<username>[^/\x00-\x1f]+)/$", desk.person, name="desk_person"),
    re_path(
        r"^desk/p/(?P<username>[^/\x00-\x1f]+)/(?P<kind>" + "|".join(IMPOSE) + ")/$",
        sanctions.impose,
        name="sanction",
    ),
    re_path(r"^desk/p/(?P<username>[^/\x00-\x1f]+)/mails/$", desk_tools.mails, name="desk_mails"),
    re_path(r"^desk/p/(?P<username>[^/\x00-\x1f]+)/notes/$", desk_tools.note, name="desk_note"),
    re_path(
        r"^desk/p/(?P<username>[^/\x00-\x1f]+)/profile/$",
        desk_tools.clear_profile,
        name="desk_clear_profile",
    ),
    path("desk/sanctions/<int:pk>/", sanctions.sanction, name="desk_sanction"),
    path("desk/sanctions/<int:pk>/lift/", sanctions.lift, name="lift"),
    path("desk/sanctions/<int:pk>/answer/", sanctions.answer, name="answer_appeal"),
    path("desk/own-stops/<int:pk>/", sanctions.own_stop, name="own_stop"),
    path("desk/i/<int:pk>/", incidents.incident, name="desk_incident"),
    path("desk/i/<int:pk>/<slug:act>/", incidents.act, name="incident_act"),
    path("desk/signals/<int:pk>/", signals.signal, name="signal"),
]
