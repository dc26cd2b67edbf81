from django.db import migrations
from django.db.models import Max, OuterRef, Subquery

BATCH = 2000


def fill(apps, schema_editor):
    """Write into seats when their games ended, batch by batch; once more if it was broken off."""
    Game, Seat = apps.get_model("games", "Game"), apps.get_model("games", "Seat")
    ended = Game.objects.filter(pk=OuterRef("game")).values("finished")
    last = Game.objects.aggregate(last=Max("pk"))["last"] or 0
    for start in range(0, last, BATCH):
        games = Game.objects.filter(pk__gt=start, pk__lte=start + BATCH, finished__isnull=False)
        Seat.objects.filter(game__in=games, ended=None).update(ended=Subquery(ended))


class Migration(migrations.Migration):
    """Games that programs of the release before end meanwhile are found by ``tasks.mend_seats``, once a day."""

    atomic = False

    dependencies = [
        ("games", "0032_seat_ended"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
