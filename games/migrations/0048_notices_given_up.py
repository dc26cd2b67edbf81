from django.db import migrations, models

from carcassonne.online import AddIndexOnline


class Migration(migrations.Migration):
    """Which notices were given up lately: the doctor and the metrics ask for it."""

    atomic = False

    dependencies = [("games", "0047_claims_lost")]

    operations = [
        AddIndexOnline(
            "notice",
            models.Index(
                condition=models.Q(why_dropped="given_up"), fields=["dropped"], name="notices_given_up"
            ),
        ),
    ]
