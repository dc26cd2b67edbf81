from django.db import migrations, models


class Migration(migrations.Migration):
    """How often somebody died who had claimed a notice."""

    dependencies = [("games", "0046_desk_of_people")]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="lost",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name="claims lost"),
        ),
    ]
