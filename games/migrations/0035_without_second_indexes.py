import django.db.models.deletion
from django.db import migrations, models


def of_game(name):
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=name,
        to="games.game",
        verbose_name="game",
    )


class Migration(migrations.Migration):
    """Seats, tiles, moves and messages of a game are found by indexes that begin with the game and that their
    tables have anyway: ``seat_once_per_game``, ``tile_one_per_draw``, ``move_one_per_version`` and
    ``talk_of_a_room``. The second index of each, of the game alone, was written by every turn and read by
    nothing that the first does not answer (``docs/queries.md``)."""

    dependencies = [
        ("games", "0034_indexes_of_lists"),
    ]

    operations = [
        migrations.AlterField("seat", "game", of_game("seats")),
        migrations.AlterField("tile", "game", of_game("tiles")),
        migrations.AlterField("move", "game", of_game("moves")),
        migrations.AlterField("message", "game", of_game("talk")),
    ]
