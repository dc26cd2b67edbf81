from django.db import migrations, models

import accounts.models
import accounts.names
from carcassonne.online import AddUniqueOnline


def fill(apps, schema_editor):
    """Who has the older account has the form; those alike have their number behind it, and keep their names."""
    accounts.models.tell_apart(apps.get_model("accounts", "Player"))


class Migration(migrations.Migration):
    """That no two players' names look alike holds in the database, also for two who sign up at once."""

    atomic = False

    dependencies = [("accounts", "0019_own_matters")]

    operations = [
        migrations.AlterField(
            model_name="player",
            name="name_looks",
            field=accounts.models.OfName(accounts.names.looks),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        AddUniqueOnline(
            model_name="player",
            constraint=models.UniqueConstraint(
                fields=("name_looks",),
                name="player_name_looks_once",
                violation_error_message="This name is taken, or looks like one that is.",
            ),
        ),
    ]
