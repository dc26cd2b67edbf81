"""Indexes of notices that nothing uses go; they were a fifth of what notices take (73,000 of 1,001 games on
PostgreSQL 15: 29.0 KB a game).

* ``games_notice_key_…_like``, 5.0 KB a game: Django adds it for ``LIKE``, and nothing looks for a part of a key.
  One key is found by its constraint: ``Index Scan using games_notice_key_key … Index Cond: (key = …)``.
* ``games_notice_game_id_…``, 0.5 KB a game: ``notices_of_a_turn`` begins with the game:
  ``Index Scan using notices_of_a_turn … Index Cond: (game_id = …)``.
* ``games_notice_invitation_id_…``, 0.5 KB a game, of which nearly all entries are empty: the new one holds only
  the notices of invitations: ``Index Scan using notices_of_invitations … Index Cond: (invitation_id = …)``.

Safe beside the release before, which needs none of them: the new index is built while others write, and
dropping one takes a moment.
"""

import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

FIND = """
SELECT indexrelid::regclass::text FROM pg_index
 WHERE indrelid = 'games_notice'::regclass AND indexrelid::regclass::text LIKE 'games_notice_key_%%_like'
"""


class AddIndexBesideWriters(AddIndexConcurrently):
    """The same on databases that know nothing of it."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        else:
            migrations.AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
        else:
            migrations.AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)


def drop_index_for_like(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(FIND, [])
        for (name,) in cursor.fetchall():
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0037_plan_reminders")]

    operations = [
        AddIndexBesideWriters(
            "notice",
            models.Index(
                condition=models.Q(invitation__isnull=False),
                fields=["invitation"],
                name="notices_of_invitations",
            ),
        ),
        migrations.AlterField(
            "notice",
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
        migrations.AlterField(
            "notice",
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
        migrations.RunPython(drop_index_for_like, migrations.RunPython.noop),
    ]
