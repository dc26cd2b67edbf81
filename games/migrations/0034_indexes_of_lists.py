from django.db import migrations, models
from django.db.models import Q

from carcassonne.online import AddIndexOnline, RemoveIndexOnline


class Migration(migrations.Migration):
    """Each list has an index of the rows that it shows. What the three old ones of games served is served by
    these: ``games_lobby`` by ``games_open``, ``games_archive`` by ``games_over_public`` and
    ``games_over_rated``, ``games_deadline`` by ``games_deadlines`` and its two companions. Those held every
    game, so that each turn wrote into all three; each new one holds the games of its list alone."""

    atomic = False

    dependencies = [
        ("games", "0033_seats_of_ended_games"),
    ]

    operations = [
        AddIndexOnline(
            "game",
            models.Index(condition=Q(status="open"), fields=["-created", "-id"], name="games_open"),
        ),
        AddIndexOnline(
            "game",
            models.Index(
                condition=Q(status="finished", visibility="public"),
                fields=["-finished", "-id"],
                name="games_over_public",
            ),
        ),
        AddIndexOnline(
            "game",
            models.Index(
                condition=Q(status="finished", rated=True),
                fields=["finished", "code"],
                name="games_over_rated",
            ),
        ),
        AddIndexOnline(
            "game",
            models.Index(condition=Q(status="playing"), fields=["deadline"], name="games_deadlines"),
        ),
        AddIndexOnline(
            "game",
            models.Index(
                condition=Q(status="playing", deadline=None),
                fields=["turn_began"],
                name="games_without_deadline",
            ),
        ),
        AddIndexOnline(
            "game",
            models.Index(condition=Q(status="scoring"), fields=["turn_began"], name="games_to_score"),
        ),
        AddIndexOnline(
            "seat",
            models.Index(condition=Q(ended=None), fields=["player"], name="seats_live"),
        ),
        AddIndexOnline(
            "seat",
            models.Index(
                condition=Q(ended__isnull=False), fields=["player", "-ended", "-game"], name="seats_over"
            ),
        ),
        AddIndexOnline(
            "invitation",
            models.Index(
                condition=Q(answer="pending") & ~Q(address=""),
                fields=["address"],
                name="invitations_to_address",
            ),
        ),
        RemoveIndexOnline("game", "games_lobby"),
        RemoveIndexOnline("game", "games_archive"),
        RemoveIndexOnline("game", "games_deadline"),
    ]
