from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0010_days_into_clocks")]

    operations = [
        migrations.AlterField(
            model_name="game", name="clock_settings", field=models.JSONField(verbose_name="clock")
        ),
        migrations.AlterField(
            model_name="game",
            name="ladder_steps",
            field=models.JSONField(verbose_name="what happens at time-out"),
        ),
        migrations.RemoveConstraint(model_name="game", name="game_a_day_or_more_per_move"),
        migrations.RemoveField(model_name="game", name="days_per_move"),
    ]
