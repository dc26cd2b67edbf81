from django.db import migrations, models


class Migration(migrations.Migration):
    """An empty column, which no database has to write anywhere for."""

    dependencies = [
        ("games", "0031_signals"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="ended",
            field=models.DateTimeField(blank=True, null=True, verbose_name="when its game ended"),
        ),
    ]
