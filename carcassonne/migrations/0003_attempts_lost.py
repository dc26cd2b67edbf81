from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("carcassonne", "0002_roles"),
    ]

    operations = [
        migrations.CreateModel(
            name="TaskAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("task", models.CharField(max_length=100, verbose_name="task")),
                ("arguments", models.CharField(max_length=200, verbose_name="arguments")),
                ("message", models.CharField(max_length=100, verbose_name="message")),
                ("begun", models.DateTimeField(verbose_name="begun")),
            ],
            options={
                "verbose_name": "attempt at a task",
                "verbose_name_plural": "attempts at tasks",
                "default_permissions": (),
            },
        ),
        migrations.AddField(
            model_name="failedtask",
            name="lost",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name="attempts lost"),
        ),
        migrations.AddField(
            model_name="failedtask",
            name="until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="rests until"),
        ),
        migrations.AddIndex(
            model_name="failedtask",
            index=models.Index(condition=models.Q(("lost__gt", 0)), fields=["until"], name="tasks_that_rest"),
        ),
        migrations.AddIndex(
            model_name="taskattempt",
            index=models.Index(fields=["task", "arguments"], name="attempts_at_a_task"),
        ),
    ]
