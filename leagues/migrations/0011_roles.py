from django.db import migrations

from accounts.roles import ADMINISTRATOR, ORGANISER, grant


def give(apps, schema_editor):
    for role in (ORGANISER, ADMINISTRATOR):
        grant(apps, role, "leagues", "league", {"found_league": "Can found leagues"})


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0010_line_ups_of_matches"),
        ("accounts", "0013_roles"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
