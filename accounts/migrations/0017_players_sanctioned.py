from django.db import migrations, models

from carcassonne.online import AddIndexOnline


class Migration(migrations.Migration):
    """The beat asks every five minutes for players who were ever sanctioned, who are few."""

    atomic = False

    dependencies = [
        ("accounts", "0016_traces"),
    ]

    operations = [
        AddIndexOnline(
            "player",
            models.Index(condition=models.Q(sanctioned=True), fields=["id"], name="players_sanctioned"),
        ),
    ]
