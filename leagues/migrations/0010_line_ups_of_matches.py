import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0009_knock_outs_of_teams"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="lineup", name="line_up_once"),
        migrations.RemoveField(model_name="lineup", name="round"),
        migrations.AlterField(
            model_name="lineup",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="line_ups",
                to="leagues.teammatch",
                verbose_name="match of teams",
            ),
        ),
        migrations.AddConstraint(
            model_name="lineup",
            constraint=models.UniqueConstraint(fields=("team", "match"), name="line_up_once"),
        ),
    ]
