"""Recording of emergencies in the games that they stop (CLOCK-22).

The emergency's own row is authoritative. Each game records it under its own lock, and once more when it was
ended early. A game whose deadline passes before that records it at once.
"""

from __future__ import annotations

from django.db import connection

from games import clocks, outbox
from games.clocks import Stretch
from games.models import Emergency, Game, How
from games.models.raw_sql import MultiModelQuery
from games.play import timing
from games.play.ledger import Ledger
from games.play.timing import EMERGENCY

OVER = "emergency_over"

OF_GAME = MultiModelQuery(
    """
SELECT {emergency}
  FROM games_emergency emergency JOIN games_emergency_games reached ON reached.emergency_id = emergency.id
 WHERE reached.game_id = %s AND emergency."end" > %s
 ORDER BY emergency.begin
""",
    {"emergency": Emergency},
)


def find_unnoted_emergencies(game: Game) -> list[Emergency]:
    """Return the emergencies that *game*, which is locked, has not recorded as they are now; one query."""
    ends = {stop.begin: stop.end for stop in timing.read_stops(game) if stop.cause == EMERGENCY}
    since = connection.ops.adapt_datetimefield_value(game.turn_began)
    known: list[Emergency] = [emergency for (emergency,), _more in OF_GAME.rows([game.pk, since])]
    return [emergency for emergency in known if ends.get(emergency.begin) != emergency.end]


def record_emergencies(ledger: Ledger, emergencies: list[Emergency]) -> None:
    """Stop the clock of the game during *emergencies*, and record that each began or was ended early.

    One that was ended early leaves everybody time (CLOCK-13); one that lasts as announced needs no warning.
    """
    game = ledger.game
    if not emergencies:
        return
    begun = {stop.begin for stop in timing.read_stops(game) if stop.cause == EMERGENCY}
    for emergency in emergencies:
        seat = next((seat.index for seat in ledger.seats if seat.player_id == emergency.player_id), None)
        timing.stop(game, *Stretch(emergency.begin, emergency.end, EMERGENCY))
        if emergency.begin in begun:
            timing.add_floor(game, emergency.end + clocks.AFTER_STOP, EMERGENCY)
            ledger.record_act(OVER, seat=seat, how=How.WEB)
        else:
            ledger.record_act(EMERGENCY, seat=seat, how=How.WEB, until=emergency.end.isoformat())
    if game.awaited is not None and game.calendar is not None:
        awaited = ledger.seats[game.awaited]
        timing.set_deadline(game, awaited)
        outbox.remind_anew(game, awaited, now=ledger.now)
