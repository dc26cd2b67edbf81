"""When to remind stands with the game instead of in rows written with each turn.

Safe beside the release before: the columns may be empty, and are at first, so the index is built in one look
at the table.
"""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0035_without_second_indexes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="remind_again",
            field=models.DateTimeField(blank=True, null=True, verbose_name="when to remind of it once more"),
        ),
        migrations.AddField(
            model_name="game",
            name="remind_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="when to remind of it"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("remind_at__isnull", False), ("status", "playing")),
                fields=["remind_at"],
                name="games_to_remind",
            ),
        ),
    ]
