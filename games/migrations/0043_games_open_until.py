from django.db import migrations, models

from carcassonne.online import AddIndexOnline


class Migration(migrations.Migration):
    """Whether a table is to be closed, or its host to be asked, every sweep found out by reading all that are open."""

    atomic = False

    dependencies = [("games", "0042_without_index_for_like")]

    operations = [
        AddIndexOnline(
            "game",
            models.Index(condition=models.Q(status="open"), fields=["expires"], name="games_open_until"),
        ),
    ]
