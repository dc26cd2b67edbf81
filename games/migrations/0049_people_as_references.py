"""People stand in what moderators wrote as references (``accounts/references.py``), so that nobody is named by
it who closes the account. What was written before is rewritten, in logs that are append-only, too.

It holds the logs' tables, which nobody but moderators writes, as long as it takes: some seconds for a thousand
lines each."""

from django.db import migrations

from accounts.references import players_of
from accounts.stored_references import rewrite


def rewrite_words(apps, schema_editor):
    get = apps.get_model
    Incident = apps.get_model("games", "Incident")
    Seat = apps.get_model("games", "Seat")
    Report = apps.get_model("games", "Report")

    def at(game):
        return Seat.objects.filter(game=game).values_list("player", flat=True) if game is not None else ()

    def of_act(act):
        before = (seat["player"] for seat in act.before.get("seats", ()))
        return players_of(act.who_id, *before, *at(act.game_id))

    def of_incident(incident):
        reporters = Report.objects.filter(incident=incident).values_list("reporter", flat=True)
        return players_of(incident.about_id, incident.closed_by_id, *reporters, *at(incident.game_id))

    def of_part(part):
        return of_incident(Incident.objects.get(pk=part.incident_id))

    def of_appeal(appeal):
        return players_of(appeal.sanction.player_id, appeal.sanction.who_id, appeal.answered_by_id)

    for act in rewrite(schema_editor, get("games", "ModerationAct"), ("reason",), of_act):
        told = get("games", "Move")._base_manager.filter(game=act.game_id, version=act.version)
        for move in told.filter(action__has_key="reason"):
            told.update(action={**move.action, "reason": act.reason})
    rewrite(schema_editor, Incident, ("remark",), of_incident)
    rewrite(schema_editor, get("games", "IncidentAct"), ("remark",), of_part)
    rewrite(schema_editor, Report, ("words",), of_part)
    rewrite(
        schema_editor,
        get("games", "Sanction"),
        ("words", "reason", "about", "lifted_why"),
        lambda sanction: players_of(sanction.player_id, sanction.who_id, sanction.lifted_by_id),
    )
    rewrite(schema_editor, get("games", "Appeal"), ("words", "answer"), of_appeal)
    rewrite(
        schema_editor, get("games", "ConductAct"), ("why",), lambda act: players_of(act.player_id, act.who_id)
    )
    rewrite(
        schema_editor,
        get("games", "Signal"),
        ("why",),
        lambda signal: players_of(signal.subject_id, signal.other_id, signal.settled_by_id),
    )
    rewrite(
        schema_editor,
        get("accounts", "AccountAct"),
        ("why",),
        lambda act: players_of(act.player_id, act.actor_id),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("account", "0009_emailaddress_unique_primary_email"),
        ("accounts", "0020_names_alike"),
        ("games", "0048_notices_given_up"),
    ]

    operations = [migrations.RunPython(rewrite_words, migrations.RunPython.noop)]
