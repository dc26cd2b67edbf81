"""All tables of games as they are after ``0041``, made at once: a new database need not take each step."""

import datetime

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models.game
import games.models.table
from accounts.roles import ADMINISTRATOR, MODERATOR, ORGANISER, grant

READ = {
    "game": "Can view game",
    "seat": "Can view seat",
    "move": "Can view move",
    "tile": "Can view tile",
    "message": "Can view message",
    "invitation": "Can view invitation",
    "notice": "Can view notice",
    "moderationact": "Can view act of a moderator",
    "sanction": "Can view sanction",
    "appeal": "Can view appeal",
    "conductact": "Can view act on a person",
}
BEYOND_LIMITS = {"beyond_limits": "Can have more tables and invite more people than others"}

# Acts and evidence are never changed. Nor are acts deleted, which PostgreSQL alone can refuse: SQLite has no
# other way to empty a table, as tests do. Evidence may be deleted when its time is over.
STANDING = [
    ("moderation_stands", "games_moderationact", "UPDATE OR DELETE", "moderation_stands"),
    ("conduct_stands", "games_conductact", "UPDATE OR DELETE", "moderation_stands"),
    ("games_evidence_stands", "games_evidence", "UPDATE", "games_evidence_stands"),
    ("games_incidentact_stands", "games_incidentact", "UPDATE OR DELETE", "games_incidentact_stands"),
]
"""Trigger, table, what it refuses, and the function of PostgreSQL that does so."""
REFUSALS = {
    "moderation_stands": "acts of moderators are never changed",
    "games_evidence_stands": "what was written down stands",
    "games_incidentact_stands": "what was written down stands",
}


def let_stand(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for function, refusal in REFUSALS.items():
            schema_editor.execute(
                f"CREATE FUNCTION {function}() RETURNS trigger AS $$ "
                f"BEGIN RAISE EXCEPTION '{refusal}'; END $$ LANGUAGE plpgsql"
            )
        for trigger, table, acts, function in STANDING:
            schema_editor.execute(
                f"CREATE TRIGGER {trigger} BEFORE {acts} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()"
            )
    else:
        for trigger, table, _acts, function in STANDING:
            schema_editor.execute(
                f"CREATE TRIGGER {trigger} BEFORE UPDATE ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{REFUSALS[function]}'); END"
            )


def give(apps, schema_editor):
    for role in (MODERATOR, ADMINISTRATOR):
        grant(apps, role, "games", "game", {"moderate_game": "Can moderate games"})
        for model, name in READ.items():
            grant(apps, role, "games", model, {f"view_{model}": name})
    for role in (ORGANISER, ADMINISTRATOR):
        grant(apps, role, "games", "game", BEYOND_LIMITS)


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_standing_answers"),
        ("games", "0003_longer_tile_names"),
        ("games", "0004_purist"),
        ("games", "0005_visits"),
        ("games", "0006_notes_and_spectators"),
        ("games", "0007_follows"),
        ("games", "0008_greetings"),
        ("games", "0009_clocks"),
        ("games", "0010_days_into_clocks"),
        ("games", "0011_without_days_per_move"),
        ("games", "0012_plans"),
        ("games", "0013_least_reliability"),
        ("games", "0014_personal_time"),
        ("games", "0015_bookmarks"),
        ("games", "0016_seats_offered"),
        ("games", "0017_offers"),
        ("games", "0018_nudged"),
        ("games", "0019_away"),
        ("games", "0020_undo"),
        ("games", "0021_rating_range"),
        ("games", "0022_shared_draws"),
        ("games", "0023_called_off"),
        ("games", "0024_notices_elsewhere"),
        ("games", "0025_moderation"),
        ("games", "0026_append_only"),
        ("games", "0027_roles"),
        ("games", "0028_blocks_and_removals"),
        ("games", "0029_sanctions"),
        ("games", "0030_incidents"),
        ("games", "0031_signals"),
        ("games", "0032_seat_ended"),
        ("games", "0033_seats_of_ended_games"),
        ("games", "0034_indexes_of_lists"),
        ("games", "0035_without_second_indexes"),
        ("games", "0036_reminders_when_due"),
        ("games", "0037_plan_reminders"),
        ("games", "0038_fewer_indexes_of_notices"),
        ("games", "0039_failing_notices"),
        ("games", "0040_pruned_notices"),
        ("games", "0041_games_interfered_with"),
    ]

    dependencies = [
        ("accounts", "0001_squashed_0017_players_sanctioned"),
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Block",
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocked_by",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="blocked player",
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
            ],
            options={
                "verbose_name": "block",
                "verbose_name_plural": "blocks",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("player", "blocked"), name="block_once"),
                    models.CheckConstraint(
                        condition=models.Q(("player", models.F("blocked")), _negated=True),
                        name="block_is_of_another",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Deal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=games.models.game.new_code,
                        editable=False,
                        max_length=16,
                        unique=True,
                        verbose_name="code",
                    ),
                ),
                ("rule_set", models.JSONField(verbose_name="rule set")),
                ("places", models.PositiveSmallIntegerField(verbose_name="seats")),
                ("seed_hash", models.CharField(max_length=64, verbose_name="SHA-256 of the seed")),
                ("seed", models.CharField(blank=True, max_length=64, verbose_name="seed")),
                ("created", models.DateTimeField(verbose_name="created")),
                (
                    "closed",
                    models.DateTimeField(blank=True, null=True, verbose_name="since when no game joins"),
                ),
            ],
            options={
                "verbose_name": "shared draw",
                "verbose_name_plural": "shared draws",
                "default_permissions": (),
                "indexes": [
                    models.Index(condition=models.Q(("closed", None)), fields=["created"], name="deals_open")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("seed", ""), ("closed__isnull", False), _connector="OR"),
                        name="deal_shown_if_closed",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=games.models.game.new_code,
                        editable=False,
                        max_length=16,
                        unique=True,
                        verbose_name="code",
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                (
                    "host",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hosted",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="host",
                    ),
                ),
                ("rule_set", models.JSONField(verbose_name="rule set")),
                ("places", models.PositiveSmallIntegerField(verbose_name="seats")),
                ("clock_settings", models.JSONField(verbose_name="clock")),
                ("ladder_steps", models.JSONField(verbose_name="what happens at time-out")),
                (
                    "min_reliability",
                    models.PositiveSmallIntegerField(default=0, verbose_name="least reliability"),
                ),
                (
                    "min_rating",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="least rating"),
                ),
                (
                    "max_rating",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="highest rating"),
                ),
                (
                    "visibility",
                    models.CharField(
                        choices=[("public", "public"), ("link", "by link"), ("private", "private")],
                        max_length=10,
                        verbose_name="visibility",
                    ),
                ),
                ("rated", models.BooleanField(default=False, verbose_name="rated")),
                ("purist", models.BooleanField(default=False, verbose_name="without aids")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("playing", "being played"),
                            ("scoring", "final scoring"),
                            ("finished", "finished"),
                            ("aborted", "aborted"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                (
                    "ending",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("played", "played to the end"),
                            ("time-out", "lost on time"),
                            ("resigned", "resigned"),
                            ("cancelled", "cancelled before it began"),
                            ("expired", "nobody came"),
                            ("agreed", "ended by consent"),
                            ("stopped", "broken off"),
                            ("called-off", "called off by organisers"),
                            ("decided", "decided by a moderator"),
                            ("annulled", "broken off by a moderator"),
                        ],
                        max_length=10,
                        verbose_name="how it ended",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0, verbose_name="version")),
                ("ply", models.PositiveIntegerField(default=0, verbose_name="ply")),
                (
                    "awaited",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="seat awaited"),
                ),
                (
                    "turn_version",
                    models.PositiveIntegerField(default=0, verbose_name="version at which the turn began"),
                ),
                ("turn_began", models.DateTimeField(blank=True, null=True, verbose_name="turn began")),
                ("deadline", models.DateTimeField(blank=True, null=True, verbose_name="deadline")),
                (
                    "remind_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="when to remind of it"),
                ),
                (
                    "remind_again",
                    models.DateTimeField(
                        blank=True, null=True, verbose_name="when to remind of it once more"
                    ),
                ),
                ("calendar", models.JSONField(blank=True, null=True, verbose_name="calendar of the turn")),
                ("stops", models.JSONField(blank=True, default=list, verbose_name="stops")),
                ("floors", models.JSONField(blank=True, default=list, verbose_name="floors")),
                (
                    "settles",
                    models.DateTimeField(
                        blank=True, null=True, verbose_name="until when the last turn can be undone"
                    ),
                ),
                (
                    "claimable",
                    models.DateTimeField(
                        blank=True, null=True, verbose_name="since when the win may be claimed"
                    ),
                ),
                (
                    "open_offers",
                    models.PositiveSmallIntegerField(default=0, verbose_name="offers not answered yet"),
                ),
                (
                    "moderated",
                    models.BooleanField(default=False, verbose_name="moderators have done something in it"),
                ),
                ("tiles_left", models.PositiveSmallIntegerField(default=0, verbose_name="tiles left")),
                (
                    "seed_hash",
                    models.CharField(blank=True, max_length=64, verbose_name="SHA-256 of the seed"),
                ),
                ("seed", models.CharField(blank=True, max_length=64, verbose_name="seed")),
                (
                    "deal",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to="games.deal",
                        verbose_name="shared draw",
                    ),
                ),
                ("created", models.DateTimeField(verbose_name="created")),
                ("expires", models.DateTimeField(blank=True, null=True, verbose_name="open until")),
                (
                    "nudged",
                    models.DateTimeField(
                        blank=True, null=True, verbose_name="when its host was asked whether to keep it"
                    ),
                ),
                ("started", models.DateTimeField(blank=True, null=True, verbose_name="started")),
                ("finished", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "rematch_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rematches",
                        to="games.game",
                        verbose_name="rematch of",
                    ),
                ),
            ],
            options={
                "verbose_name": "game",
                "verbose_name_plural": "games",
                "permissions": [
                    ("moderate_game", "Can moderate games"),
                    ("beyond_limits", "Can have more tables and invite more people than others"),
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "open")), fields=["-created", "-id"], name="games_open"
                    ),
                    models.Index(
                        condition=models.Q(("status", "finished"), ("visibility", "public")),
                        fields=["-finished", "-id"],
                        name="games_over_public",
                    ),
                    models.Index(
                        condition=models.Q(("rated", True), ("status", "finished")),
                        fields=["finished", "code"],
                        name="games_over_rated",
                    ),
                    models.Index(
                        condition=models.Q(("status", "playing")), fields=["deadline"], name="games_deadlines"
                    ),
                    models.Index(
                        condition=models.Q(("deadline", None), ("status", "playing")),
                        fields=["turn_began"],
                        name="games_without_deadline",
                    ),
                    models.Index(
                        condition=models.Q(("status", "scoring")),
                        fields=["turn_began"],
                        name="games_to_score",
                    ),
                    models.Index(
                        condition=models.Q(("remind_at__isnull", False), ("status", "playing")),
                        fields=["remind_at"],
                        name="games_to_remind",
                    ),
                    models.Index(
                        condition=models.Q(("ending__in", ["stopped", "called-off", "decided", "annulled"])),
                        fields=["ending"],
                        name="games_interfered_with",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["open", "playing", "scoring", "finished", "aborted"])
                        ),
                        name="game_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("visibility__in", ["public", "link", "private"])),
                        name="game_visibility_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("places__gte", 2), ("places__lte", 6)),
                        name="game_two_to_six_seats",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("min_reliability__lte", 100)),
                        name="game_least_reliability_in_hundredths",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("min_rating__lte", models.F("max_rating"))),
                        name="game_least_rating_up_to_highest",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ply__lte", models.F("version"))), name="game_ply_within_version"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("turn_version__lte", models.F("version"))),
                        name="game_turn_within_version",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("awaited__isnull", False),
                                ("awaited__lt", models.F("places")),
                                ("status", "playing"),
                            ),
                            models.Q(
                                models.Q(("status", "playing"), _negated=True),
                                ("awaited", None),
                                ("deadline", None),
                            ),
                            _connector="OR",
                        ),
                        name="game_awaits_a_seat_while_played",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("settles", None),
                            models.Q(("calendar", None), ("deadline", None), ("status", "playing")),
                            _connector="OR",
                        ),
                        name="game_settles_without_a_clock",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("started", None), ("status", "open"), ("version", 0)),
                            models.Q(("status", "open"), _negated=True),
                            _connector="OR",
                        ),
                        name="game_open_has_not_begun",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished__isnull", False), ("status__in", ["finished", "aborted"])),
                            models.Q(
                                ("ending", ""),
                                ("finished", None),
                                ("status__in", ["open", "playing", "scoring"]),
                            ),
                            _connector="OR",
                        ),
                        name="game_ended_has_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("seed", ""), ("status__in", ["finished", "aborted"]), _connector="OR"
                        ),
                        name="game_seed_hidden_while_played",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "aborted"), _negated=True),
                        fields=("rematch_of",),
                        name="game_one_rematch",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Bag",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("seed", models.BinaryField(max_length=32, null=True)),
                ("order", models.JSONField(default=list)),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("index", models.PositiveSmallIntegerField(verbose_name="index")),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("bot", models.CharField(blank=True, max_length=20, verbose_name="bot")),
                (
                    "colour",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("blue", "blue"),
                            ("red", "red"),
                            ("yellow", "yellow"),
                            ("black", "black"),
                            ("white", "white"),
                            ("pink", "pink"),
                        ],
                        max_length=10,
                        verbose_name="colour",
                    ),
                ),
                (
                    "sat",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="place before the draw of the first seat"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("playing", "playing"),
                            ("offered", "offered to a substitute"),
                            ("resigned", "resigned"),
                            ("timed-out", "lost on time"),
                            ("replaced", "replaced by the house bot"),
                        ],
                        default="playing",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                (
                    "left_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="resigned or lost on time"),
                ),
                ("score", models.IntegerField(default=0, verbose_name="score")),
                ("meeples", models.PositiveSmallIntegerField(default=0, verbose_name="meeples left")),
                ("bank", models.DurationField(default=datetime.timedelta, verbose_name="time in the bank")),
                (
                    "spent",
                    models.DurationField(default=datetime.timedelta, verbose_name="time charged so far"),
                ),
                ("excuses", models.PositiveSmallIntegerField(default=0, verbose_name="time-outs excused")),
                ("takeovers", models.PositiveSmallIntegerField(default=0, verbose_name="times taken over")),
                (
                    "result",
                    models.CharField(
                        blank=True,
                        choices=[("won", "won"), ("shared", "shared the first place"), ("lost", "lost")],
                        max_length=10,
                        verbose_name="result",
                    ),
                ),
                ("rank", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="rank")),
                ("ended", models.DateTimeField(blank=True, null=True, verbose_name="when its game ended")),
                ("mails", models.BooleanField(default=True, verbose_name="mails about this game")),
                (
                    "transfers",
                    models.CharField(
                        choices=[
                            ("ask", "ask me each time"),
                            ("never", "never move any"),
                            ("gain", "move all to where it gives me points"),
                        ],
                        default="ask",
                        max_length=10,
                        verbose_name="standing answer about Carcassonne",
                    ),
                ),
            ],
            options={
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
                "ordering": ["game", "index"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "offered")), fields=["game"], name="seats_offered"
                    ),
                    models.Index(condition=models.Q(("ended", None)), fields=["player"], name="seats_live"),
                    models.Index(
                        condition=models.Q(("ended__isnull", False)),
                        fields=["player", "-ended", "-game"],
                        name="seats_over",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "index"), name="seat_once_per_game"),
                    models.UniqueConstraint(fields=("game", "player"), name="seat_one_per_player"),
                    models.UniqueConstraint(
                        condition=models.Q(("colour", ""), _negated=True),
                        fields=("game", "colour"),
                        name="seat_one_per_colour",
                    ),
                    models.CheckConstraint(condition=models.Q(("index__lt", 6)), name="seat_index_under_six"),
                    models.CheckConstraint(
                        condition=models.Q(("player", None), ("bot", ""), _connector="OR"),
                        name="seat_player_or_bot",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["playing", "offered", "resigned", "timed-out", "replaced"])
                        ),
                        name="seat_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("transfers__in", ["ask", "never", "gain"])),
                        name="seat_transfers_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tiles",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("draw", models.PositiveSmallIntegerField(verbose_name="number of the draw")),
                ("kind", models.CharField(max_length=80, verbose_name="tile")),
                ("x", models.SmallIntegerField(blank=True, null=True)),
                ("y", models.SmallIntegerField(blank=True, null=True)),
                (
                    "rotation",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="rotation"),
                ),
                ("discarded", models.BooleanField(default=False, verbose_name="discarded")),
            ],
            options={
                "verbose_name": "tile",
                "verbose_name_plural": "tiles",
                "ordering": ["game", "draw"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "draw"), name="tile_one_per_draw"),
                    models.UniqueConstraint(fields=("game", "x", "y"), name="tile_one_per_cell"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("rotation", None), ("x", None), ("y", None)),
                            models.Q(
                                ("discarded", False),
                                ("rotation__in", [0, 90, 180, 270]),
                                ("x__isnull", False),
                                ("y__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="tile_lies_or_not",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moves",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("ply", models.PositiveIntegerField(blank=True, null=True, verbose_name="ply")),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="seat")),
                ("action", models.JSONField(verbose_name="action")),
                ("events", models.JSONField(default=list, verbose_name="events")),
                ("schema", models.PositiveSmallIntegerField(verbose_name="schema of the events")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("time_used", models.DurationField(blank=True, null=True, verbose_name="time used")),
                ("timing", models.JSONField(blank=True, null=True, verbose_name="how its time was counted")),
                (
                    "how",
                    models.CharField(
                        choices=[
                            ("web", "on the page"),
                            ("mail", "by mail"),
                            ("plan", "by a plan"),
                            ("api", "through the API"),
                            ("bot", "by the bot"),
                            ("time-out", "by the clock"),
                            ("task", "by the program"),
                            ("moderator", "by a moderator"),
                        ],
                        max_length=10,
                        verbose_name="how it came",
                    ),
                ),
                ("withdrawn", models.DateTimeField(blank=True, null=True, verbose_name="withdrawn")),
            ],
            options={
                "verbose_name": "move",
                "verbose_name_plural": "moves",
                "ordering": ["game", "version"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "version"), name="move_one_per_version"),
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn", None)),
                        fields=("game", "ply"),
                        name="move_one_per_ply",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)), name="move_version_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ply", None), models.Q(("ply__gte", 1), ("seat__isnull", False)), _connector="OR"
                        ),
                        name="move_ply_has_a_seat",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "how__in",
                                ["web", "mail", "plan", "api", "bot", "time-out", "task", "moderator"],
                            )
                        ),
                        name="move_how_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DealSecret",
            fields=[
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.deal",
                    ),
                ),
                ("seed", models.BinaryField(max_length=32)),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="FollowedGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followers",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed_games",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "followed game",
                "verbose_name_plural": "followed games",
                "abstract": False,
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("player", "game"), name="followed_game_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="FollowedPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed_players",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "followed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followers",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="followed player",
                    ),
                ),
            ],
            options={
                "verbose_name": "followed player",
                "verbose_name_plural": "followed players",
                "abstract": False,
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("player", "followed"), name="followed_player_once"),
                    models.CheckConstraint(
                        condition=models.Q(("player", models.F("followed")), _negated=True),
                        name="followed_player_is_another",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PersonalTime",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="personal_time",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("turns", models.PositiveIntegerField(default=0, verbose_name="turns counted")),
                ("weight", models.FloatField(default=0.0, verbose_name="their weight")),
                ("in_time", models.FloatField(default=0.0, verbose_name="the weight of those in time")),
                (
                    "log_seconds",
                    models.FloatField(default=0.0, verbose_name="weighted logarithms of seconds"),
                ),
                ("away", models.JSONField(blank=True, default=list, verbose_name="away")),
                ("changes", models.PositiveIntegerField(default=0, verbose_name="changes of holidays")),
                (
                    "followed",
                    models.PositiveIntegerField(
                        default=0, verbose_name="the change up to which deadlines follow"
                    ),
                ),
            ],
            options={
                "verbose_name": "personal time",
                "verbose_name_plural": "personal times",
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        condition=models.Q(("changes__gt", models.F("followed"))),
                        fields=["changes"],
                        name="deadlines_to_follow",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Holiday",
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
                        related_name="holidays",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("begin", models.DateTimeField(verbose_name="from")),
                ("end", models.DateTimeField(verbose_name="to")),
                ("entered", models.DateTimeField(verbose_name="entered")),
                (
                    "automatic",
                    models.BooleanField(default=False, verbose_name="begun by itself at a time-out"),
                ),
            ],
            options={
                "verbose_name": "holiday",
                "verbose_name_plural": "holidays",
                "ordering": ["begin"],
                "indexes": [models.Index(fields=["player", "end"], name="holidays_to_come")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("end__gt", models.F("begin"))), name="holiday_has_a_length"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Emergency",
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
                        related_name="emergencies",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("begin", models.DateTimeField(verbose_name="from")),
                ("end", models.DateTimeField(verbose_name="to")),
                (
                    "games",
                    models.ManyToManyField(
                        db_constraint=False, related_name="emergencies", to="games.game", verbose_name="games"
                    ),
                ),
            ],
            options={
                "verbose_name": "emergency pause",
                "verbose_name_plural": "emergency pauses",
                "ordering": ["-begin"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("end__gte", models.F("begin"))), name="emergency_in_order"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ModerationAct",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moderation",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                (
                    "kind",
                    models.CharField(
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
                        ],
                        max_length=10,
                        verbose_name="what was done",
                    ),
                ),
                (
                    "who",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="moderator",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="at")),
                ("reason", models.TextField(max_length=500, verbose_name="reason")),
                ("before", models.JSONField(verbose_name="before")),
                ("after", models.JSONField(verbose_name="after")),
                (
                    "undoes",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="undone_by",
                        to="games.moderationact",
                        verbose_name="undoes",
                    ),
                ),
            ],
            options={
                "verbose_name": "act of a moderator",
                "verbose_name_plural": "acts of moderators",
                "ordering": ["-pk"],
                "default_permissions": ("view",),
                "constraints": [
                    models.UniqueConstraint(fields=("game", "version"), name="moderation_one_per_version"),
                    models.CheckConstraint(
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
                                ],
                            )
                        ),
                        name="moderation_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="moderation_says_why"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="games.seat",
                        verbose_name="seat",
                    ),
                ),
                (
                    "inviter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invited",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="inviter",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("address", models.EmailField(blank=True, max_length=254, verbose_name="e-mail address")),
                ("greeting", models.CharField(blank=True, max_length=200, verbose_name="greeting")),
                (
                    "token",
                    models.CharField(
                        default=games.models.table.new_token,
                        editable=False,
                        max_length=32,
                        unique=True,
                        verbose_name="token",
                    ),
                ),
                (
                    "answer",
                    models.CharField(
                        choices=[
                            ("pending", "not answered yet"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                            ("expired", "expired"),
                        ],
                        default="pending",
                        max_length=10,
                        verbose_name="answer",
                    ),
                ),
                ("created", models.DateTimeField(verbose_name="created")),
                ("answered", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "indexes": [
                    models.Index(
                        condition=models.Q(("answer", "pending"), models.Q(("address", ""), _negated=True)),
                        fields=["address"],
                        name="invitations_to_address",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("player", None), _negated=True),
                            models.Q(("address", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="invitation_for_somebody",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("answer__in", ["pending", "accepted", "declined", "withdrawn", "expired"])
                        ),
                        name="invitation_answer_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("answer", "pending")),
                        fields=("seat",),
                        name="invitation_one_per_seat",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("answer", "pending")),
                        fields=("game", "player"),
                        name="invitation_one_per_player",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("answer", "pending"), models.Q(("address", ""), _negated=True)),
                        fields=("game", "address"),
                        name="invitation_one_per_address",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Removal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="removals",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="removals",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="at")),
            ],
            options={
                "verbose_name": "removal of a guest",
                "verbose_name_plural": "removals of guests",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("game", "player"), name="removal_once_per_game")
                ],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="talk",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="said",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "room",
                    models.CharField(
                        choices=[("talk", "table talk"), ("gallery", "spectators")],
                        default="talk",
                        max_length=10,
                        verbose_name="room",
                    ),
                ),
                ("text", models.TextField(max_length=1000, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("deleted", models.DateTimeField(blank=True, null=True, verbose_name="deleted")),
                (
                    "deleted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="deleted by",
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "table talk",
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["game", "room", "id"], name="talk_of_a_room")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                models.Q(("text", ""), _negated=True), ("deleted", None), ("deleted_by", None)
                            ),
                            models.Q(("deleted__isnull", False), ("deleted_by__isnull", False), ("text", "")),
                            _connector="OR",
                        ),
                        name="message_says_something_or_is_deleted",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("room__in", ["talk", "gallery"])), name="message_room_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("ply", models.PositiveIntegerField(blank=True, null=True, verbose_name="ply")),
                ("text", models.TextField(max_length=4000, verbose_name="text")),
                ("revision", models.PositiveIntegerField(default=1, verbose_name="revision")),
                ("at", models.DateTimeField(verbose_name="at")),
            ],
            options={
                "verbose_name": "note",
                "verbose_name_plural": "notes",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("game", "player", "ply"), name="note_one_per_ply"),
                    models.UniqueConstraint(
                        condition=models.Q(("ply", None)), fields=("game", "player"), name="note_one_per_game"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Incident",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "about",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="incidents",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="about",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="incidents",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("opened", models.DateTimeField(verbose_name="opened")),
                (
                    "looked_at_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who looks at it",
                    ),
                ),
                ("closed", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="closed by",
                    ),
                ),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("upheld", "upheld"),
                            ("not_upheld", "not upheld"),
                            ("nothing", "nothing to do"),
                        ],
                        max_length=10,
                        verbose_name="verdict",
                    ),
                ),
                (
                    "remark",
                    models.TextField(blank=True, max_length=1000, verbose_name="what the moderator wrote"),
                ),
            ],
            options={
                "verbose_name": "incident",
                "verbose_name_plural": "incidents",
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed", None)), fields=["opened"], name="incidents_open"
                    ),
                    models.Index(fields=["closed"], name="incidents_closed"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("closed", None), ("closed_by", None), ("verdict", "")),
                            models.Q(
                                ("closed__isnull", False),
                                ("closed_by__isnull", False),
                                ("verdict__in", ["upheld", "not_upheld", "nothing"]),
                            ),
                            _connector="OR",
                        ),
                        name="incident_closed_with_a_verdict",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("closed_by", None),
                            models.Q(("closed_by", models.F("about")), _negated=True),
                            _connector="OR",
                        ),
                        name="incident_closed_by_somebody_else",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("closed", None)),
                        fields=("about", "game"),
                        name="incident_open_once_per_game",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("closed", None), ("game", None)),
                        fields=("about",),
                        name="incident_open_once_without_game",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "incident",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="games.incident",
                        verbose_name="incident",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="reporter",
                    ),
                ),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("stalling", "stalling"),
                            ("abandoned", "game abandoned"),
                            ("thrown", "lost on purpose"),
                            ("collusion", "playing together"),
                            ("insults", "insults"),
                            ("name", "name"),
                            ("program", "help by a program"),
                            ("other", "something else"),
                        ],
                        max_length=10,
                        verbose_name="category",
                    ),
                ),
                ("words", models.TextField(blank=True, max_length=1000, verbose_name="words")),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="games.message",
                        verbose_name="message",
                    ),
                ),
                ("ply", models.PositiveIntegerField(blank=True, null=True, verbose_name="turn")),
                ("at", models.DateTimeField(verbose_name="at")),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
                "default_permissions": (),
                "indexes": [models.Index(fields=["reporter", "at"], name="reports_of_a_reporter")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "category__in",
                                [
                                    "stalling",
                                    "abandoned",
                                    "thrown",
                                    "collusion",
                                    "insults",
                                    "name",
                                    "program",
                                    "other",
                                ],
                            )
                        ),
                        name="report_category_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("message", None), ("ply", None), _connector="OR"),
                        name="report_of_a_message_or_a_turn",
                    ),
                    models.UniqueConstraint(
                        fields=("incident", "reporter", "message"), name="report_once_of_a_message"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("message", None)),
                        fields=("incident", "reporter"),
                        name="report_once_of_the_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Evidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "incident",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evidence",
                        to="games.incident",
                        verbose_name="incident",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evidence",
                        to="games.message",
                        verbose_name="message",
                    ),
                ),
                ("ply", models.PositiveIntegerField(blank=True, null=True, verbose_name="turn")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("found", models.JSONField(verbose_name="what was found")),
            ],
            options={
                "verbose_name": "evidence",
                "verbose_name_plural": "evidence",
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        condition=models.Q(("incident", None)), fields=["at"], name="evidence_of_deleted"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("incident__isnull", False), ("message__isnull", False), _connector="OR"
                        ),
                        name="evidence_of_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="IncidentAct",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "incident",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="acts",
                        to="games.incident",
                        verbose_name="incident",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("take", "takes a look"),
                            ("close", "closes it"),
                            ("reopen", "opens it again"),
                            ("delete", "deletes a message"),
                        ],
                        max_length=10,
                        verbose_name="what was done",
                    ),
                ),
                (
                    "who",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="moderator",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("upheld", "upheld"),
                            ("not_upheld", "not upheld"),
                            ("nothing", "nothing to do"),
                        ],
                        max_length=10,
                        verbose_name="verdict",
                    ),
                ),
                (
                    "remark",
                    models.TextField(blank=True, max_length=1000, verbose_name="what the moderator wrote"),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.message",
                        verbose_name="message",
                    ),
                ),
            ],
            options={
                "verbose_name": "act on an incident",
                "verbose_name_plural": "acts on incidents",
                "ordering": ["-pk"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=120, unique=True, verbose_name="key")),
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
                (
                    "channel",
                    models.CharField(
                        choices=[("email", "e-mail")], default="email", max_length=10, verbose_name="channel"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("about", models.JSONField(blank=True, default=dict, verbose_name="about")),
                ("version", models.PositiveIntegerField(default=0, verbose_name="version")),
                (
                    "recipient",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="recipient",
                    ),
                ),
                ("address", models.EmailField(blank=True, max_length=254, verbose_name="address")),
                (
                    "invitation",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to="games.invitation",
                        verbose_name="invitation",
                    ),
                ),
                ("created", models.DateTimeField(verbose_name="created")),
                ("due", models.DateTimeField(verbose_name="due")),
                ("next_try", models.DateTimeField(verbose_name="next try")),
                ("claimed", models.DateTimeField(blank=True, null=True, verbose_name="claimed")),
                ("attempts", models.PositiveIntegerField(default=0, verbose_name="attempts")),
                ("last_error", models.TextField(blank=True, verbose_name="last error")),
                ("sent", models.DateTimeField(blank=True, null=True, verbose_name="sent")),
                ("dropped", models.DateTimeField(blank=True, null=True, verbose_name="dropped")),
                ("why_dropped", models.CharField(blank=True, max_length=20, verbose_name="why dropped")),
            ],
            options={
                "verbose_name": "notice",
                "verbose_name_plural": "outbox",
                "indexes": [
                    models.Index(
                        condition=models.Q(("dropped", None), ("sent", None)),
                        fields=["next_try"],
                        name="notices_owed",
                    ),
                    models.Index(
                        condition=models.Q(("attempts__gte", 5), ("dropped", None), ("sent", None)),
                        fields=["created"],
                        name="notices_failing",
                    ),
                    models.Index(fields=["game", "version", "kind"], name="notices_of_a_turn"),
                    models.Index(
                        condition=models.Q(("invitation__isnull", False)),
                        fields=["invitation"],
                        name="notices_of_invitations",
                    ),
                ],
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
                        name="notice_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("recipient", None), _negated=True),
                            models.Q(("address", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="notice_for_somebody",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sent", None), ("dropped", None), _connector="OR"),
                        name="notice_sent_or_dropped",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("game__isnull", False),
                            ("kind__in", ["league", "conduct", "report"]),
                            _connector="OR",
                        ),
                        name="notice_about_a_game_or_elsewhere",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrunedNotice",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False, verbose_name="key")),
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
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "name",
                    models.CharField(max_length=20, primary_key=True, serialize=False, verbose_name="name"),
                ),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "reached",
                    models.BigIntegerField(default=0, verbose_name="the game up to which the outage is told"),
                ),
            ],
            options={
                "verbose_name": "heartbeat",
                "verbose_name_plural": "heartbeats",
            },
        ),
        migrations.CreateModel(
            name="Bookmark",
            fields=[
                (
                    "name",
                    models.CharField(max_length=20, primary_key=True, serialize=False, verbose_name="name"),
                ),
                (
                    "reached",
                    models.BigIntegerField(default=0, verbose_name="the move up to which it is read"),
                ),
            ],
            options={
                "verbose_name": "bookmark",
                "verbose_name_plural": "bookmarks",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SilentAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254, unique=True, verbose_name="e-mail address")),
                ("since", models.DateTimeField(verbose_name="since")),
            ],
            options={
                "verbose_name": "silent address",
                "verbose_name_plural": "silent addresses",
            },
        ),
        migrations.CreateModel(
            name="Offer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("end", "to end the game"),
                            ("pause", "to pause the game"),
                            ("undo", "to take a turn back"),
                        ],
                        max_length=10,
                        verbose_name="what is proposed",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("agreed", models.JSONField(default=list, verbose_name="seats that have agreed")),
                ("until", models.DateTimeField(blank=True, null=True, verbose_name="until")),
                ("made", models.DateTimeField(verbose_name="made")),
                ("answered", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("agreed", "agreed"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                            ("lapsed", "lapsed"),
                        ],
                        max_length=10,
                        verbose_name="outcome",
                    ),
                ),
            ],
            options={
                "verbose_name": "offer",
                "verbose_name_plural": "offers",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["end", "pause", "undo"])), name="offer_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered", None), ("outcome", "")),
                            models.Q(
                                ("answered__isnull", False),
                                ("outcome__in", ["agreed", "declined", "withdrawn", "lapsed"]),
                            ),
                            _connector="OR",
                        ),
                        name="offer_answered_has_an_outcome",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "pause"), ("until__isnull", False)),
                            models.Q(models.Q(("kind", "pause"), _negated=True), ("until", None)),
                            _connector="OR",
                        ),
                        name="offer_of_a_pause_has_an_end",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("answered", None)),
                        fields=("game", "kind"),
                        name="offer_one_of_a_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Plan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="plans",
                        to="games.seat",
                        verbose_name="seat",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("tile", models.CharField(blank=True, max_length=80)),
                ("after_x", models.SmallIntegerField(null=True)),
                ("after_y", models.SmallIntegerField(null=True)),
                ("action", models.JSONField()),
                ("rests_on", models.JSONField()),
                ("schema", models.PositiveSmallIntegerField()),
                ("made_at", models.PositiveIntegerField()),
                ("created", models.DateTimeField()),
                ("settled", models.PositiveIntegerField(null=True)),
                (
                    "dropped",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("taken", "Taken"),
                            ("unfit", "Unfit"),
                            ("figure", "Figure"),
                            ("standing", "Standing"),
                            ("completion", "Completion"),
                            ("suspended", "Suspended"),
                        ],
                        max_length=10,
                    ),
                ),
                ("played", models.PositiveIntegerField(null=True)),
            ],
            options={
                "ordering": ["seat", "number"],
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("settled", None)),
                        fields=("seat", "number"),
                        name="plan_one_per_number",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("after_x", None), ("after_y", None)),
                            models.Q(("after_x__isnull", False), ("after_y__isnull", False)),
                            _connector="OR",
                        ),
                        name="plan_after_a_cell",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "dropped__in",
                                ["", "taken", "unfit", "figure", "standing", "completion", "suspended"],
                            )
                        ),
                        name="plan_dropped_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("dropped", ""), ("played", None), ("settled", None)),
                            models.Q(
                                ("settled__gte", models.F("made_at")),
                                models.Q(("dropped", ""), ("played", None), _connector="OR"),
                            ),
                            _connector="OR",
                        ),
                        name="plan_settled_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Sanction",
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
                        related_name="sanctions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("warning", "warning"), ("mute", "mute"), ("suspension", "suspension")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("template", models.CharField(blank=True, max_length=20, verbose_name="text")),
                ("words", models.TextField(blank=True, max_length=1000, verbose_name="words for the player")),
                ("reason", models.TextField(max_length=500, verbose_name="reason")),
                ("about", models.CharField(blank=True, max_length=100, verbose_name="about")),
                (
                    "who",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="moderator",
                    ),
                ),
                ("begun", models.DateTimeField(verbose_name="begun")),
                ("ends", models.DateTimeField(blank=True, null=True, verbose_name="ends")),
                (
                    "acknowledged",
                    models.DateTimeField(blank=True, null=True, verbose_name="read by the player"),
                ),
                ("lifted", models.DateTimeField(blank=True, null=True, verbose_name="lifted")),
                (
                    "lifted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="lifted by",
                    ),
                ),
                (
                    "lifted_why",
                    models.TextField(blank=True, max_length=500, verbose_name="why it was lifted"),
                ),
            ],
            options={
                "verbose_name": "sanction",
                "verbose_name_plural": "sanctions",
                "ordering": ["-pk"],
                "default_permissions": ("view",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("kind", "suspension"), ("lifted", None)),
                        fields=["ends"],
                        name="suspensions",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["warning", "mute", "suspension"])),
                        name="sanction_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ends", None), ("kind", "warning")),
                            models.Q(
                                models.Q(("kind", "warning"), _negated=True),
                                ("ends__gte", models.F("begun")),
                                ("ends__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="sanction_ends_unless_a_warning",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="sanction_says_why"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("lifted", None), ("lifted_by", None), ("lifted_why", "")),
                            models.Q(
                                ("lifted__isnull", False),
                                ("lifted_by__isnull", False),
                                models.Q(("lifted_why", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="sanction_lifted_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sanction",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="appeal",
                        to="games.sanction",
                        verbose_name="sanction",
                    ),
                ),
                ("words", models.TextField(blank=True, max_length=2000, verbose_name="words")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("due", models.DateTimeField(verbose_name="to be answered by")),
                ("answer", models.TextField(blank=True, max_length=1000, verbose_name="answer")),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="answered by",
                    ),
                ),
                ("answered", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("upheld", "it stands"),
                            ("shortened", "it ends earlier"),
                            ("lifted", "it is lifted"),
                        ],
                        max_length=10,
                        verbose_name="outcome",
                    ),
                ),
            ],
            options={
                "verbose_name": "appeal",
                "verbose_name_plural": "appeals",
                "ordering": ["-pk"],
                "default_permissions": ("view",),
                "indexes": [
                    models.Index(condition=models.Q(("answered", None)), fields=["due"], name="appeals_open")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("answered", None), ("answered_by", None), ("outcome", "")),
                            models.Q(
                                ("answered__isnull", False),
                                ("answered_by__isnull", False),
                                ("outcome__in", ["upheld", "shortened", "lifted"]),
                            ),
                            _connector="OR",
                        ),
                        name="appeal_answered_with_an_outcome",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ConductAct",
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
                        related_name="conduct_acts",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("warn", "warned"),
                            ("mute", "muted"),
                            ("suspend", "suspended"),
                            ("lift", "lifted what was done to"),
                            ("answer", "answered the appeal of"),
                        ],
                        max_length=10,
                        verbose_name="what was done",
                    ),
                ),
                (
                    "sanction",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="acts",
                        to="games.sanction",
                        verbose_name="sanction",
                    ),
                ),
                (
                    "who",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="moderator",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="at")),
                ("why", models.TextField(max_length=1000, verbose_name="why")),
                ("before", models.JSONField(verbose_name="before")),
                ("after", models.JSONField(verbose_name="after")),
            ],
            options={
                "verbose_name": "act on a person",
                "verbose_name_plural": "acts on people",
                "ordering": ["-pk"],
                "default_permissions": ("view",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["warn", "mute", "suspend", "lift", "answer"])),
                        name="conduct_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("why", ""), _negated=True), name="conduct_says_why"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GameSheet",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sheet",
                        serialize=False,
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("seats", models.JSONField(verbose_name="what it tells of each seat")),
                (
                    "agreements",
                    models.JSONField(blank=True, null=True, verbose_name="agreement with the house bot"),
                ),
                ("due", models.BooleanField(default=True, verbose_name="its players are to be looked at")),
            ],
            options={
                "verbose_name": "sheet of a game",
                "verbose_name_plural": "sheets of games",
                "default_permissions": (),
                "indexes": [
                    models.Index(condition=models.Q(("due", True)), fields=["game"], name="sheets_due")
                ],
            },
        ),
        migrations.CreateModel(
            name="Signal",
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
                        choices=[
                            ("device", "Two accounts in one browser"),
                            ("network", "Two accounts in one network"),
                            ("mailbox", "Two accounts of one mailbox"),
                            ("helping", "A seat that helps another"),
                            ("stalling", "Slower when behind"),
                            ("throwing", "Games thrown to one opponent"),
                            ("program", "Turns like a program's"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signals",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signals_beside",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="other player",
                    ),
                ),
                ("score", models.FloatField(verbose_name="score")),
                ("base_rate", models.FloatField(verbose_name="share of honest people that look like this")),
                ("data", models.JSONField(verbose_name="data")),
                ("found", models.DateTimeField(verbose_name="found")),
                ("refreshed", models.DateTimeField(verbose_name="last found")),
                ("settled", models.DateTimeField(blank=True, null=True, verbose_name="settled")),
                (
                    "settled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="settled by",
                    ),
                ),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[("nothing", "nothing in it"), ("acted", "something was done about it")],
                        max_length=10,
                        verbose_name="verdict",
                    ),
                ),
                ("why", models.TextField(blank=True, max_length=500, verbose_name="why")),
            ],
            options={
                "verbose_name": "signal",
                "verbose_name_plural": "signals",
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        condition=models.Q(("settled", None)), fields=["found"], name="signals_waiting"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "subject", "other"), name="signal_one_of_two"),
                    models.UniqueConstraint(
                        condition=models.Q(("other", None)),
                        fields=("kind", "subject"),
                        name="signal_one_of_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "device",
                                    "network",
                                    "mailbox",
                                    "helping",
                                    "stalling",
                                    "throwing",
                                    "program",
                                ],
                            )
                        ),
                        name="signal_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("subject", models.F("other")), _negated=True),
                        name="signal_of_two_people",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("base_rate__gte", 0), ("base_rate__lte", 1)),
                        name="signal_base_rate_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("settled", None), ("settled_by", None), ("verdict", ""), ("why", "")),
                            models.Q(
                                ("settled__isnull", False),
                                ("settled_by__isnull", False),
                                ("verdict__in", ["nothing", "acted"]),
                                models.Q(("why", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="signal_settled_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="visits",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="visits",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
                ("since", models.PositiveIntegerField(null=True, verbose_name="version seen before")),
                ("seen", models.PositiveIntegerField(verbose_name="version seen")),
                ("at", models.DateTimeField(verbose_name="last look")),
            ],
            options={
                "verbose_name": "visit",
                "verbose_name_plural": "visits",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("player", "game"), name="visit_one_per_player_and_game")
                ],
            },
        ),
        migrations.RunPython(let_stand, migrations.RunPython.noop),
        migrations.RunPython(give, migrations.RunPython.noop),
    ]
