"""What stays of notices that were sent or dropped 90 days ago. Safe beside the release before: a new table."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0039_failing_notices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PrunedNotice",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False, verbose_name="key")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("your_turn", "your turn"),
                            ("started", "the game has begun"),
                            ("reminder", "reminder"),
                            ("time_out", "time has run out"),
                            ("game_over", "game over"),
                            ("invitation", "invitation"),
                            ("declined", "invitation declined"),
                            ("nudge", "a table of yours that nobody joins"),
                            ("table", "what happens at the table besides turns"),
                            ("league", "leagues and tournaments"),
                            ("moderation", "what a moderator does in a game"),
                            ("removed", "a seat taken back by the host"),
                            ("conduct", "warnings, mutes and suspensions of mine"),
                            ("report", "what came of your reports"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("sent", models.DateTimeField(blank=True, null=True, verbose_name="sent")),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "recipient",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="recipient",
                    ),
                ),
            ],
            options={
                "verbose_name": "notice",
                "verbose_name_plural": "outbox",
                "default_permissions": (),
                "indexes": [models.Index(fields=["recipient", "game"], name="pruned_notices_of")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "your_turn",
                                    "started",
                                    "reminder",
                                    "time_out",
                                    "game_over",
                                    "invitation",
                                    "declined",
                                    "nudge",
                                    "table",
                                    "league",
                                    "moderation",
                                    "removed",
                                    "conduct",
                                    "report",
                                ],
                            )
                        ),
                        name="pruned_notice_kind_known",
                    )
                ],
            },
        ),
    ]
