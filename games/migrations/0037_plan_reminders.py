"""Reminders that are owed for later become times of their games, a thousand games at a time.

Safe beside the release before, and twice: turns that it begins meanwhile have rows again, which are delivered
when they are due as ever.
"""

from django.db import migrations
from django.db.models import F, Max, Min, OuterRef, Subquery
from django.utils import timezone

CHUNK = 1000


def plan(apps, schema_editor):
    Game, Notice = apps.get_model("games", "Game"), apps.get_model("games", "Notice")
    now = timezone.now()
    owed = Notice.objects.filter(kind="reminder", sent=None, dropped=None, next_try__gt=now)
    of_game = owed.filter(game=OuterRef("pk"), version=OuterRef("turn_version")).order_by().values("game")
    after = 0
    while True:
        running = Game.objects.filter(status="playing", pk__gt=after).order_by("pk")
        games = list(running.values_list("pk", flat=True)[:CHUNK])
        if not games:
            return
        after = games[-1]
        Game.objects.filter(pk__in=games, deadline__isnull=False, remind_at=None).update(
            remind_at=Subquery(of_game.annotate(at=Min("due")).values("at")),
            remind_again=Subquery(of_game.annotate(at=Max("due")).values("at")),
        )
        Game.objects.filter(pk__in=games, remind_again=F("remind_at")).update(remind_again=None)
        owed.filter(game__in=games).update(dropped=now, why_dropped="moved")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0036_reminders_when_due")]

    operations = [migrations.RunPython(plan, migrations.RunPython.noop, elidable=True)]
