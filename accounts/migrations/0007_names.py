from django.db import migrations, models

import accounts.models
import accounts.names


def fill(apps, schema_editor):
    """Names of before are of plain Latin letters: no two have one key."""
    Player = apps.get_model("accounts", "Player")
    batch = []
    for player in Player.objects.only("pk", "username").iterator():
        player.name_key = accounts.names.key(player.username)
        player.name_looks = accounts.names.looks(player.username)
        batch.append(player)
        if len(batch) == 500:
            Player.objects.bulk_update(batch, ["name_key", "name_looks"])
            batch.clear()
    Player.objects.bulk_update(batch, ["name_key", "name_looks"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_theme"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="name_key",
            field=accounts.models.OfName(accounts.names.key, null=True),
        ),
        migrations.AddField(
            model_name="player",
            name="name_looks",
            field=accounts.models.OfName(accounts.names.looks, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="player",
            name="name_key",
            field=accounts.models.OfName(accounts.names.key, unique=True),
        ),
        migrations.AlterField(
            model_name="player",
            name="name_looks",
            field=accounts.models.OfName(accounts.names.looks, db_index=True),
        ),
        migrations.RemoveConstraint(
            model_name="player",
            name="player_username_in_any_case",
        ),
        migrations.AlterField(
            model_name="player",
            name="username",
            field=models.CharField(
                error_messages={"unique": "This name is taken, or looks like one that is."},
                max_length=30,
                unique=True,
                validators=[accounts.names.validate],
                verbose_name="name",
            ),
        ),
    ]
