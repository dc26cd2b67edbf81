import datetime

from django.db import migrations

DAY = 24 * 60 * 60
SOME = 500  # rows in memory at once


def turn_days_into_clocks(apps, schema_editor):
    """N days per move is a clock whose bank, gain and cap are N days; games that run play on unchanged, and
    lose on time at once, as was agreed."""
    Game = apps.get_model("games", "Game")
    Seat = apps.get_model("games", "Seat")
    batch = []
    columns = ["clock_settings", "ladder_steps", "calendar", "floors"]
    for game in Game.objects.iterator(chunk_size=SOME):
        span = game.days_per_move * DAY
        game.clock_settings = {
            "start": span,
            "gain": span,
            "cap": span,
            "grace": 0,
            "surcharge_after": None,
            "total": None,
            "ends": None,
            "weekends": "count",
            "holidays": "count",
        }
        game.ladder_steps = [["loss"]]
        if game.deadline is not None:
            game.calendar = {"zone": "UTC", "rest": None, "weekend": []}
            if game.deadline > game.turn_began + datetime.timedelta(seconds=span):
                game.floors = [[game.deadline.isoformat(), "outage"]]
        batch.append(game)
        if len(batch) == SOME:
            Game.objects.bulk_update(batch, columns)
            batch.clear()
    Game.objects.bulk_update(batch, columns)
    for days in Game.objects.order_by().values_list("days_per_move", flat=True).distinct():
        of_people = Seat.objects.filter(game__days_per_move=days, bot="").exclude(game__started=None)
        of_people.update(bank=datetime.timedelta(days=days))


def turn_clocks_into_days(apps, schema_editor):
    Game = apps.get_model("games", "Game")
    for game in Game.objects.iterator(chunk_size=SOME):
        game.days_per_move = max(1, round(game.clock_settings["gain"] / DAY))
        game.save(update_fields=["days_per_move"])


class Migration(migrations.Migration):
    dependencies = [("games", "0009_clocks")]

    operations = [migrations.RunPython(turn_days_into_clocks, turn_clocks_into_days)]
