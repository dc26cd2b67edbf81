"""People stand in what organisers wrote as references, as in what moderators did (``0044`` of games)."""

from django.db import migrations

from accounts.references import players_of
from accounts.stored_references import rewrite


def rewrite_words(apps, schema_editor):
    Entry = apps.get_model("leagues", "Entry")
    LogEntry = apps.get_model("leagues", "LogEntry")
    Notice = apps.get_model("games", "Notice")
    known = {}

    def of(row):
        if row.league_id not in known:
            played = Entry.objects.filter(season__league=row.league_id).values_list("player", flat=True)
            organised = row.league.organisers.values_list("pk", flat=True)
            known[row.league_id] = {*played, *organised}
        details = getattr(row, "details", {})
        return players_of(*known[row.league_id], row.who_id, details.get("player"))

    rewrite(schema_editor, LogEntry, ("reason",), of)
    rewrite(schema_editor, apps.get_model("leagues", "Announcement"), ("text",), of)
    reasons = dict(
        LogEntry.objects.filter(act="call_off_season").exclude(season=None).values_list("season", "reason")
    )
    for notice in Notice.objects.filter(kind="league", about__has_key="reason").exclude(about__reason=""):
        if (reason := reasons.get(notice.about.get("season"))) is not None:
            about = {**notice.about, "reason": reason}
            Notice._base_manager.filter(pk=notice.pk).update(about=about)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0049_people_as_references"),
        ("leagues", "0012_names_alike"),
    ]

    operations = [migrations.RunPython(rewrite_words, migrations.RunPython.noop)]
