from django.db import migrations, models

import accounts.models
import accounts.names
from carcassonne.online import AddUniqueOnline


def of_name(make):
    return accounts.models.OfName(make, max_length=200, null=True, of="name")


def fill(apps, schema_editor):
    """The older league or team has the form; those alike have their number behind it, and keep their names."""
    accounts.models.tell_apart(apps.get_model("leagues", "League"))
    accounts.models.tell_apart(apps.get_model("leagues", "Team"), within="season_id")


def once(model, name, *fields):
    return AddUniqueOnline(model_name=model, constraint=models.UniqueConstraint(fields=fields, name=name))


class Migration(migrations.Migration):
    """That no two leagues, and no two teams of a season, have names that look alike holds in the database: so far
    it did for teams, for letters from A to Z on SQLite, and for leagues only in their addresses."""

    atomic = False

    dependencies = [
        ("leagues", "0001_squashed_0011_roles"),
        ("accounts", "0020_names_alike"),
    ]

    operations = [
        migrations.AddField("league", "name_key", of_name(accounts.names.key)),
        migrations.AddField("league", "name_looks", of_name(accounts.names.looks)),
        migrations.AddField("team", "name_key", of_name(accounts.names.key)),
        migrations.AddField("team", "name_looks", of_name(accounts.names.looks)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        once("league", "league_name_once", "name_key"),
        once("league", "league_name_looks_once", "name_looks"),
        once("team", "team_name_key_once", "season", "name_key"),
        once("team", "team_name_looks_once", "season", "name_looks"),
        migrations.RemoveConstraint("team", "team_name_once"),
    ]
