"""All tables of leagues as they are after ``0011``, made at once: a new database need not take each step."""

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import leagues.models.team
from accounts.roles import ADMINISTRATOR, ORGANISER, grant


def give(apps, schema_editor):
    for role in (ORGANISER, ADMINISTRATOR):
        grant(apps, role, "leagues", "league", {"found_league": "Can found leagues"})


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("leagues", "0001_ratings"),
        ("leagues", "0002_leagues"),
        ("leagues", "0003_knock_outs_and_ladders"),
        ("leagues", "0004_duplicate_rounds"),
        ("leagues", "0005_desk"),
        ("leagues", "0006_pages_of_leagues"),
        ("leagues", "0007_teams"),
        ("leagues", "0008_mails"),
        ("leagues", "0009_knock_outs_of_teams"),
        ("leagues", "0010_line_ups_of_matches"),
        ("leagues", "0011_roles"),
    ]

    dependencies = [
        ("accounts", "__first__"),
        ("games", "0001_squashed_0041_games_interfered_with"),
    ]

    operations = [
        migrations.CreateModel(
            name="League",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=40, unique=True, verbose_name="address")),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                (
                    "text",
                    models.TextField(blank=True, max_length=4000, verbose_name="what players should know"),
                ),
                (
                    "founder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="founded",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="founder",
                    ),
                ),
                ("agreed", models.JSONField(verbose_name="settings")),
                ("created", models.DateTimeField(verbose_name="founded")),
                ("closed", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "desk_told",
                    models.DateTimeField(blank=True, null=True, verbose_name="organisers told of their desk"),
                ),
                (
                    "desk_known",
                    models.JSONField(blank=True, default=list, verbose_name="what they were told of"),
                ),
                (
                    "organisers",
                    models.ManyToManyField(
                        related_name="organised", to=settings.AUTH_USER_MODEL, verbose_name="organisers"
                    ),
                ),
            ],
            options={
                "verbose_name": "league",
                "verbose_name_plural": "leagues",
                "permissions": [("found_league", "Can found leagues")],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="announcements",
                        to="leagues.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "who",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="when")),
                ("text", models.TextField(max_length=2000, verbose_name="text")),
            ],
            options={
                "verbose_name": "announcement",
                "verbose_name_plural": "announcements",
                "indexes": [models.Index(fields=["league", "-at"], name="announcements_latest")],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seasons",
                        to="leagues.league",
                        verbose_name="league",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("registration", "open for registration"),
                            ("running", "running"),
                            ("closed", "closed"),
                            ("cancelled", "cancelled: too few came"),
                        ],
                        default="registration",
                        max_length=15,
                        verbose_name="phase",
                    ),
                ),
                ("agreed", models.JSONField(verbose_name="settings")),
                ("opened", models.DateTimeField(verbose_name="registration opened")),
                ("begins", models.DateTimeField(verbose_name="begins")),
                ("ends", models.DateTimeField(verbose_name="ends at the latest")),
                ("closed", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "postponed",
                    models.PositiveSmallIntegerField(default=0, verbose_name="how often it was postponed"),
                ),
                (
                    "warned",
                    models.DateTimeField(blank=True, null=True, verbose_name="players warned that it ends"),
                ),
            ],
            options={
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
                "indexes": [
                    models.Index(
                        condition=models.Q(("phase__in", ["registration", "running"])),
                        fields=["begins"],
                        name="seasons_alive",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "number"), name="season_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("phase__in", ["registration", "running"])),
                        fields=("league",),
                        name="season_one_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("phase__in", ["registration", "running", "closed", "cancelled"])),
                        name="season_phase_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ends__gt", models.F("begins"))),
                        name="season_ends_after_it_begins",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log",
                        to="leagues.league",
                        verbose_name="league",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log",
                        to="leagues.season",
                        verbose_name="season",
                    ),
                ),
                (
                    "who",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="when")),
                ("act", models.CharField(max_length=30, verbose_name="act")),
                ("reason", models.CharField(blank=True, max_length=500, verbose_name="reason")),
                ("details", models.JSONField(default=dict, verbose_name="details")),
            ],
            options={
                "verbose_name": "entry of the log",
                "verbose_name_plural": "log",
                "indexes": [models.Index(fields=["league", "-at"], name="league_log_latest")],
            },
        ),
        migrations.CreateModel(
            name="Division",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="divisions",
                        to="leagues.season",
                        verbose_name="season",
                    ),
                ),
                ("level", models.PositiveSmallIntegerField(verbose_name="level")),
                ("rounds", models.PositiveSmallIntegerField(default=0, verbose_name="rounds")),
                ("drawn", models.PositiveSmallIntegerField(default=0, verbose_name="rounds that are drawn")),
                (
                    "kind",
                    models.CharField(
                        choices=[("table", "table"), ("knock-out", "knock-out"), ("ladder", "ladder")],
                        default="table",
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("finished", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
            ],
            options={
                "verbose_name": "division",
                "verbose_name_plural": "divisions",
                "ordering": ["season", "level"],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "level"), name="division_once"),
                    models.CheckConstraint(condition=models.Q(("level__gte", 1)), name="division_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["table", "knock-out", "ladder"])),
                        name="division_kind_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="leagues.season",
                        verbose_name="season",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("registered", "registered"),
                            ("playing", "playing"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="registered",
                        max_length=12,
                        verbose_name="state",
                    ),
                ),
                ("registered", models.DateTimeField(verbose_name="registered")),
                ("withdrew", models.DateTimeField(blank=True, null=True, verbose_name="withdrew")),
                (
                    "replaces",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="leagues.entry",
                        verbose_name="whose unplayed matches this player took over",
                    ),
                ),
                ("stays", models.BooleanField(default=True, verbose_name="plays the next season, too")),
                (
                    "seeded",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="level from the season before"
                    ),
                ),
                ("order", models.PositiveSmallIntegerField(default=0, verbose_name="order in that level")),
                ("rating", models.FloatField(default=1500, verbose_name="rating before the season")),
                ("rank", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="rank")),
                (
                    "row",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="row of the table"),
                ),
                ("points", models.CharField(default="0", max_length=20, verbose_name="points")),
                ("values", models.JSONField(default=dict, verbose_name="tie-breaks that were needed")),
                (
                    "explained",
                    models.JSONField(blank=True, null=True, verbose_name="what separates from the next"),
                ),
                (
                    "outlook",
                    models.JSONField(blank=True, null=True, verbose_name="what may still be hoped for"),
                ),
                (
                    "moves",
                    models.CharField(
                        blank=True,
                        choices=[("up", "up"), ("down", "down")],
                        max_length=4,
                        verbose_name="moves",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
                "indexes": [models.Index(fields=["division", "row"], name="entries_table")],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "player"), name="entry_once"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["registered", "playing", "withdrawn"])),
                        name="entry_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("division", None), ("state", "registered")),
                            models.Q(("state", "registered"), _negated=True),
                            _connector="OR",
                        ),
                        name="entry_division_when_drawn",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Waiting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="waiting",
                        to="leagues.season",
                        verbose_name="season",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "substitute",
                    models.BooleanField(default=False, verbose_name="plays for somebody who leaves"),
                ),
                ("following", models.BooleanField(default=True, verbose_name="plays the next season")),
            ],
            options={
                "verbose_name": "waiting player",
                "verbose_name_plural": "waiting list",
                "ordering": ["season", "since", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "player"), name="waiting_once"),
                    models.CheckConstraint(
                        condition=models.Q(("substitute", True), ("following", True), _connector="OR"),
                        name="waiting_for_something",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(verbose_name="round")),
                ("number", models.PositiveSmallIntegerField(verbose_name="table")),
                ("decided", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                ("waits", models.BooleanField(default=True, verbose_name="a game is to be begun")),
                (
                    "winner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="winner",
                    ),
                ),
                (
                    "best_of",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="games at most"),
                ),
                ("ends", models.DateTimeField(blank=True, null=True, verbose_name="ends at the latest")),
            ],
            options={
                "verbose_name": "match",
                "verbose_name_plural": "matches",
                "ordering": ["division", "round", "number"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("waits", True)), fields=["division"], name="matches_waiting"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("division", "round", "number"), name="match_once"),
                    models.CheckConstraint(
                        condition=models.Q(("decided", None), ("waits", False), _connector="OR"),
                        name="match_decided_waits_for_nothing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MatchSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="leagues.match",
                        verbose_name="match",
                    ),
                ),
                ("index", models.PositiveSmallIntegerField(verbose_name="index")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "player of a match",
                "verbose_name_plural": "players of a match",
                "ordering": ["match", "index"],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "index"), name="match_seat_once"),
                    models.UniqueConstraint(fields=("match", "player"), name="match_player_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Fixture",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fixtures",
                        to="leagues.match",
                        verbose_name="match",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "game",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("seats", models.JSONField(blank=True, null=True, verbose_name="result")),
                ("settled", models.DateTimeField(blank=True, null=True, verbose_name="settled")),
                (
                    "settled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="organiser who settled it",
                    ),
                ),
                ("struck", models.BooleanField(default=False, verbose_name="struck from the table")),
            ],
            options={
                "verbose_name": "game of a match",
                "verbose_name_plural": "games of a match",
                "ordering": ["match", "number"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("settled", None)), fields=["match"], name="fixtures_open"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "number"), name="fixture_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("seats", None), ("settled", None)),
                            models.Q(("seats__isnull", False), ("settled__isnull", False)),
                            _connector="OR",
                        ),
                        name="fixture_settled_with_a_result",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Bye",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="byes",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(verbose_name="round")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "bye",
                "verbose_name_plural": "byes",
                "constraints": [
                    models.UniqueConstraint(fields=("division", "round", "player"), name="bye_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Team",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="teams",
                        to="leagues.season",
                        verbose_name="season",
                    ),
                ),
                ("name", models.CharField(max_length=40, verbose_name="name")),
                (
                    "captain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="captained",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="captain",
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=leagues.models.team.new_token,
                        editable=False,
                        max_length=32,
                        unique=True,
                        verbose_name="token",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("registered", "registered"),
                            ("playing", "playing"),
                            ("withdrawn", "withdrawn"),
                            ("short", "too few players"),
                        ],
                        default="registered",
                        max_length=12,
                        verbose_name="state",
                    ),
                ),
                ("registered", models.DateTimeField(verbose_name="registered")),
                (
                    "division",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="teams",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                (
                    "seeded",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="level from the season before"
                    ),
                ),
                ("order", models.PositiveSmallIntegerField(default=0, verbose_name="order in that level")),
                (
                    "rating",
                    models.FloatField(default=1500, verbose_name="mean rating of its best before the season"),
                ),
                ("rank", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="rank")),
                (
                    "row",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="row of the table"),
                ),
                ("points", models.CharField(default="0", max_length=20, verbose_name="match points")),
                ("board_points", models.CharField(default="0", max_length=20, verbose_name="board points")),
                ("values", models.JSONField(default=dict, verbose_name="tie-breaks that were needed")),
                (
                    "explained",
                    models.JSONField(blank=True, null=True, verbose_name="what separates from the next"),
                ),
                (
                    "moves",
                    models.CharField(
                        blank=True,
                        choices=[("up", "up"), ("down", "down")],
                        max_length=4,
                        verbose_name="moves",
                    ),
                ),
            ],
            options={
                "verbose_name": "team",
                "verbose_name_plural": "teams",
                "indexes": [models.Index(fields=["division", "row"], name="teams_table")],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("season"),
                        django.db.models.functions.text.Lower("name"),
                        name="team_name_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["registered", "playing", "withdrawn", "short"])),
                        name="team_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "playing"), _negated=True),
                            ("division__isnull", False),
                            _connector="OR",
                        ),
                        name="team_division_when_playing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TeamMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="leagues.team",
                        verbose_name="team",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leagues.season",
                        verbose_name="season",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="teams",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("invited", models.DateTimeField(blank=True, null=True, verbose_name="invited")),
                ("joined", models.DateTimeField(blank=True, null=True, verbose_name="joined")),
                ("declined", models.DateTimeField(blank=True, null=True, verbose_name="declined")),
                ("available", models.BooleanField(default=True, verbose_name="can play the next rounds")),
            ],
            options={
                "verbose_name": "player of a team",
                "verbose_name_plural": "players of teams",
                "ordering": ["team", "joined", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("team", "player"), name="team_member_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("joined__isnull", False)),
                        fields=("season", "player"),
                        name="team_one_to_a_player",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("joined__isnull", False), ("invited__isnull", False), _connector="OR"
                        ),
                        name="team_member_came_somehow",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("joined", None), ("declined", None), _connector="OR"),
                        name="team_member_declined_or_joined",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TeamMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="team_matches",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(verbose_name="round")),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("begins", models.DateTimeField(verbose_name="begins")),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leagues.team",
                        verbose_name="first team",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leagues.team",
                        verbose_name="second team",
                    ),
                ),
                (
                    "first_points",
                    models.CharField(default="0", max_length=20, verbose_name="board points of the first"),
                ),
                (
                    "second_points",
                    models.CharField(default="0", max_length=20, verbose_name="board points of the second"),
                ),
                ("decided", models.BooleanField(default=False, verbose_name="decided")),
                (
                    "winner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leagues.team",
                        verbose_name="winner",
                    ),
                ),
                (
                    "best_of",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="games at a board at most"
                    ),
                ),
                ("ends", models.DateTimeField(blank=True, null=True, verbose_name="ends at the latest")),
            ],
            options={
                "verbose_name": "match of teams",
                "verbose_name_plural": "matches of teams",
                "ordering": ["division", "round", "number"],
                "indexes": [models.Index(fields=["begins"], name="team_matches_by_date")],
                "constraints": [
                    models.UniqueConstraint(fields=("division", "round", "number"), name="team_match_once"),
                    models.CheckConstraint(
                        condition=models.Q(("first", models.F("second")), _negated=True),
                        name="team_match_of_two",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LineUp",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="line_ups",
                        to="leagues.team",
                        verbose_name="team",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="line_ups",
                        to="leagues.teammatch",
                        verbose_name="match of teams",
                    ),
                ),
                ("players", models.JSONField(verbose_name="players")),
                ("chosen", models.BooleanField(default=True, verbose_name="put in order by the captain")),
                ("at", models.DateTimeField(verbose_name="when")),
            ],
            options={
                "verbose_name": "line-up",
                "verbose_name_plural": "line-ups",
                "constraints": [models.UniqueConstraint(fields=("team", "match"), name="line_up_once")],
            },
        ),
        migrations.CreateModel(
            name="Board",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "team_match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="boards",
                        to="leagues.teammatch",
                        verbose_name="match of teams",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="board")),
                (
                    "first_points",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="points of the first team"
                    ),
                ),
                (
                    "second_points",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="points of the second team"
                    ),
                ),
            ],
            options={
                "verbose_name": "board",
                "verbose_name_plural": "boards",
                "ordering": ["team_match", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("team_match", "number"), name="board_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("first_points", None), ("second_points", None)),
                            models.Q(("first_points__isnull", False), ("second_points__isnull", False)),
                            _connector="OR",
                        ),
                        name="board_points_of_both",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BoardPlayers",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="players",
                        to="leagues.board",
                        verbose_name="board",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
                (
                    "match",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="at_board",
                        to="leagues.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player of the first team",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player of the second team",
                    ),
                ),
            ],
            options={
                "verbose_name": "players at a board",
                "verbose_name_plural": "players at boards",
                "ordering": ["board", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("board", "number"), name="board_players_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("match", None),
                            models.Q(("first__isnull", False), ("second__isnull", False)),
                            _connector="OR",
                        ),
                        name="board_match_of_two",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seeds",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="seed")),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seeds",
                        to="leagues.team",
                        verbose_name="team",
                    ),
                ),
                ("rank", models.PositiveSmallIntegerField(default=1, verbose_name="rank")),
            ],
            options={
                "verbose_name": "seed",
                "verbose_name_plural": "seeds",
                "ordering": ["division", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("division", "number"), name="seed_once"),
                    models.UniqueConstraint(fields=("division", "player"), name="seed_player_once"),
                    models.UniqueConstraint(fields=("division", "team"), name="seed_team_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("player", None), ("team__isnull", False)),
                            models.Q(("player__isnull", False), ("team", None)),
                            _connector="OR",
                        ),
                        name="seed_of_player_or_team",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Challenge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenge",
                        to="leagues.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="challenger",
                    ),
                ),
                (
                    "challenged",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="challenged",
                    ),
                ),
                ("made", models.DateTimeField(verbose_name="made")),
                ("ended", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
            ],
            options={
                "verbose_name": "challenge",
                "verbose_name_plural": "challenges",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended", None)),
                        fields=("division", "challenger"),
                        name="challenge_one_at_a_time",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended", None)),
                        fields=("division", "challenged"),
                        name="challenged_one_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenger", models.F("challenged")), _negated=True),
                        name="challenge_of_somebody_else",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "pool",
                    models.CharField(
                        choices=[("duel", "duels"), ("table", "tables of three to six")],
                        max_length=10,
                        verbose_name="pool",
                    ),
                ),
                ("mu", models.FloatField(verbose_name="mu")),
                ("sigma", models.FloatField(verbose_name="sigma")),
                ("elo", models.FloatField(default=1500.0, verbose_name="Elo")),
                ("games", models.PositiveIntegerField(verbose_name="rated games")),
                ("ended", models.DateTimeField(verbose_name="when the last one ended")),
                (
                    "settled_until",
                    models.DateTimeField(null=True, verbose_name="until when it is not provisional"),
                ),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
                "default_permissions": (),
                "indexes": [models.Index(fields=["pool", "-mu", "player"], name="ratings_leaders")],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "pool"), name="rating_one_per_pool"),
                    models.CheckConstraint(
                        condition=models.Q(("pool__in", ["duel", "table"])), name="rating_pool_known"
                    ),
                    models.CheckConstraint(condition=models.Q(("sigma__gt", 0)), name="rating_has_a_doubt"),
                    models.CheckConstraint(condition=models.Q(("games__gte", 1)), name="rating_has_a_game"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="rated_game",
                        serialize=False,
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "pool",
                    models.CharField(
                        choices=[("duel", "duels"), ("table", "tables of three to six")],
                        max_length=10,
                        verbose_name="pool",
                    ),
                ),
                ("ended", models.DateTimeField(verbose_name="ended")),
                ("code", models.CharField(max_length=16, verbose_name="code")),
            ],
            options={
                "verbose_name": "rated game",
                "verbose_name_plural": "rated games",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("ended", "code"), name="rated_game_one_per_place"),
                    models.CheckConstraint(
                        condition=models.Q(("pool__in", ["duel", "table"])), name="rated_game_pool_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rated_game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="leagues.ratedgame",
                        verbose_name="rated game",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_changes",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "pool",
                    models.CharField(
                        choices=[("duel", "duels"), ("table", "tables of three to six")],
                        max_length=10,
                        verbose_name="pool",
                    ),
                ),
                ("ended", models.DateTimeField(verbose_name="ended")),
                ("code", models.CharField(max_length=16, verbose_name="code")),
                ("games", models.PositiveIntegerField(verbose_name="rated games so far, with this one")),
                ("rank", models.PositiveSmallIntegerField(verbose_name="rank")),
                ("expected", models.FloatField(verbose_name="expected before the game")),
                ("mu_before", models.FloatField(verbose_name="mu before")),
                ("sigma_before", models.FloatField(verbose_name="sigma before")),
                ("mu", models.FloatField(verbose_name="mu after")),
                ("sigma", models.FloatField(verbose_name="sigma after")),
                ("elo_before", models.FloatField(verbose_name="Elo before")),
                ("elo", models.FloatField(verbose_name="Elo after")),
            ],
            options={
                "verbose_name": "change of a rating",
                "verbose_name_plural": "changes of ratings",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("rated_game", "seat"), name="rating_change_one_per_seat"),
                    models.UniqueConstraint(
                        fields=("player", "pool", "ended", "code"), name="rating_change_one_per_game"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pool__in", ["duel", "table"])), name="rating_change_pool_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seat__lt", 6)), name="rating_change_seat_under_six"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rank__gte", 1), ("rank__lte", 6)),
                        name="rating_change_rank_to_six",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("games__gte", 1)), name="rating_change_counts_its_game"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("expected__gte", 0), ("expected__lte", 1)),
                        name="rating_change_expects_a_chance",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sigma__gt", 0), ("sigma_before__gt", 0)),
                        name="rating_change_has_a_doubt",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingBookmark",
            fields=[
                (
                    "name",
                    models.CharField(max_length=20, primary_key=True, serialize=False, verbose_name="name"),
                ),
                ("ended", models.DateTimeField(null=True, verbose_name="ended")),
                ("code", models.CharField(blank=True, max_length=16, verbose_name="code")),
                ("beta", models.FloatField(default=6.25, verbose_name="beta")),
            ],
            options={
                "verbose_name": "bookmark of ratings",
                "verbose_name_plural": "bookmarks of ratings",
                "default_permissions": (),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ended__isnull", False), ("code", ""), _connector="OR"),
                        name="rated_up_to_a_place",
                    ),
                    models.CheckConstraint(condition=models.Q(("beta__gt", 0)), name="rated_by_a_beta"),
                ],
            },
        ),
        migrations.CreateModel(
            name="CalibrationMonth",
            fields=[
                ("month", models.DateField(primary_key=True, serialize=False, verbose_name="month")),
                ("sums", models.JSONField(default=dict, verbose_name="sums")),
                ("changed", models.PositiveIntegerField(default=0, verbose_name="changes of its games")),
                (
                    "counted",
                    models.PositiveIntegerField(
                        default=0, verbose_name="the change up to which it is counted"
                    ),
                ),
            ],
            options={
                "verbose_name": "month of calibration",
                "verbose_name_plural": "months of calibration",
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        condition=models.Q(("changed__gt", models.F("counted"))),
                        fields=["month"],
                        name="months_to_count",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RoundDeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "division",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deals",
                        to="leagues.division",
                        verbose_name="division",
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(verbose_name="round")),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("seats", models.PositiveSmallIntegerField(verbose_name="seats")),
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.deal",
                        verbose_name="shared draw",
                    ),
                ),
            ],
            options={
                "verbose_name": "shared draw of a round",
                "verbose_name_plural": "shared draws of rounds",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("division", "round", "number", "seats"), name="round_deal_once"
                    )
                ],
            },
        ),
        migrations.RunPython(give, migrations.RunPython.noop),
    ]
