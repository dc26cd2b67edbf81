from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_longer_tile_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="purist",
            field=models.BooleanField(default=False, verbose_name="without aids"),
        ),
    ]
