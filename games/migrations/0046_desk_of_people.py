import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

NOTES = "games_moderatornote"


def let_notes_stand(apps, schema_editor):
    """Refuse changes of notes. They are deleted when the account is closed that they are about."""
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(
            f"CREATE TRIGGER {NOTES}_stands BEFORE UPDATE ON {NOTES} "
            "BEGIN SELECT RAISE(ABORT, 'what was written down stands'); END"
        )
        # Django rebuilds a table on SQLite to change a constraint, and its trigger is gone (0026).
        schema_editor.execute(
            "CREATE TRIGGER IF NOT EXISTS moderation_stands BEFORE UPDATE ON games_moderationact "
            "BEGIN SELECT RAISE(ABORT, 'acts of moderators are never changed'); END"
        )
        return
    schema_editor.execute(
        f"CREATE FUNCTION {NOTES}_stands() RETURNS trigger AS $$ "
        "BEGIN RAISE EXCEPTION 'what was written down stands'; END $$ LANGUAGE plpgsql"
    )
    schema_editor.execute(
        f"CREATE TRIGGER {NOTES}_stands BEFORE UPDATE ON {NOTES} "
        f"FOR EACH ROW EXECUTE FUNCTION {NOTES}_stands()"
    )


def drop_trigger(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(f"DROP TRIGGER {NOTES}_stands")
        return
    schema_editor.execute(f"DROP TRIGGER {NOTES}_stands ON {NOTES}")
    schema_editor.execute(f"DROP FUNCTION {NOTES}_stands()")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0045_own_matters"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ModeratorNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="at")),
                ("text", models.TextField(max_length=2000, verbose_name="text")),
            ],
            options={
                "verbose_name": "note of a moderator",
                "verbose_name_plural": "notes of moderators",
                "ordering": ["-pk"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="NameChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("table", "table"), ("team", "team"), ("league", "league")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("key", models.CharField(max_length=20, verbose_name="key")),
                ("before", models.CharField(blank=True, max_length=60, verbose_name="before")),
                ("after", models.CharField(max_length=60, verbose_name="after")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("reason", models.TextField(max_length=500, verbose_name="reason")),
            ],
            options={
                "verbose_name": "change of a name",
                "verbose_name_plural": "changes of names",
                "ordering": ["-pk"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="ReportedName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("table", "table"), ("team", "team"), ("league", "league")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("key", models.CharField(max_length=20, verbose_name="key")),
                ("name", models.CharField(blank=True, max_length=60, verbose_name="name")),
            ],
            options={
                "verbose_name": "reported name",
                "verbose_name_plural": "reported names",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="WarningTemplate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.SlugField(db_index=False, max_length=20, verbose_name="name")),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("en", "English"),
                            ("pl", "Polski"),
                            ("sk", "Slovenčina"),
                            ("is", "Íslenska"),
                            ("ru", "Русский"),
                        ],
                        max_length=10,
                        verbose_name="language",
                    ),
                ),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("title", models.CharField(blank=True, max_length=60, verbose_name="title")),
                ("text", models.TextField(blank=True, max_length=1000, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="at")),
            ],
            options={
                "verbose_name": "text of warnings",
                "verbose_name_plural": "texts of warnings",
                "ordering": ["-pk"],
                "default_permissions": (),
            },
        ),
        migrations.RemoveConstraint(
            model_name="moderationact",
            name="moderation_kind_known",
        ),
        migrations.AddField(
            model_name="sanction",
            name="texts",
            field=models.JSONField(blank=True, null=True, verbose_name="text as it was sent"),
        ),
        migrations.AlterField(
            model_name="moderationact",
            name="kind",
            field=models.CharField(
                choices=[
                    ("pause", "pause"),
                    ("resume", "end a pause"),
                    ("extend", "give time"),
                    ("roll_back", "roll back"),
                    ("adjudicate", "decide the result"),
                    ("abort", "break off, unrated"),
                    ("reopen", "let it go on"),
                    ("replace", "replace a player"),
                    ("give_back", "give a seat back"),
                    ("ladder", "treat as lost on time"),
                    ("unrate", "take the rating away"),
                    ("rate", "give the rating back"),
                    ("rename", "rename the table"),
                ],
                max_length=10,
                verbose_name="what was done",
            ),
        ),
        migrations.AddConstraint(
            model_name="moderationact",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "pause",
                            "resume",
                            "extend",
                            "roll_back",
                            "adjudicate",
                            "abort",
                            "reopen",
                            "replace",
                            "give_back",
                            "ladder",
                            "unrate",
                            "rate",
                            "rename",
                        ],
                    )
                ),
                name="moderation_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="moderatornote",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="moderator",
            ),
        ),
        migrations.AddField(
            model_name="moderatornote",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="moderator_notes",
                to=settings.AUTH_USER_MODEL,
                verbose_name="player",
            ),
        ),
        migrations.AddField(
            model_name="namechange",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="name_changes",
                to=settings.AUTH_USER_MODEL,
                verbose_name="who named it",
            ),
        ),
        migrations.AddField(
            model_name="namechange",
            name="who",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="moderator",
            ),
        ),
        migrations.AddField(
            model_name="reportedname",
            name="report",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reported_names",
                to="games.report",
                verbose_name="report",
            ),
        ),
        migrations.AddField(
            model_name="warningtemplate",
            name="who",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="moderator",
            ),
        ),
        migrations.AddConstraint(
            model_name="moderatornote",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="moderator_note_says_something"
            ),
        ),
        migrations.AddIndex(
            model_name="namechange",
            index=models.Index(fields=["kind", "key"], name="name_changes_of_a_thing"),
        ),
        migrations.AddConstraint(
            model_name="namechange",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["table", "team", "league"])), name="name_change_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="namechange",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="name_change_says_why"
            ),
        ),
        migrations.AddConstraint(
            model_name="reportedname",
            constraint=models.UniqueConstraint(fields=("report", "kind", "key"), name="reported_name_once"),
        ),
        migrations.AddConstraint(
            model_name="reportedname",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["table", "team", "league"])), name="reported_name_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="warningtemplate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("text", ""), ("title", "")),
                    models.Q(models.Q(("title", ""), _negated=True), models.Q(("text", ""), _negated=True)),
                    _connector="OR",
                ),
                name="warning_template_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="warningtemplate",
            constraint=models.UniqueConstraint(
                fields=("name", "language", "version"), name="warning_template_version"
            ),
        ),
        migrations.RunPython(let_notes_stand, drop_trigger),
    ]
