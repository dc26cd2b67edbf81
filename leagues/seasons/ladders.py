"""The order of a ladder: it changes when a challenge has ended, somebody joins it, or leaves."""

from __future__ import annotations

from collections.abc import Sequence

from games.conduct import contacts
from games.models import Status
from leagues import outbox
from leagues.models import Challenge, Division, Entry, EntryState
from leagues.schedules import after_challenge, with_entrant, without


def order_of(division: Division) -> tuple[int, ...]:
    """Who stands on the ladder, by primary key, the highest first."""
    standing = division.entries.filter(row__isnull=False).order_by("row")
    return tuple(standing.values_list("player", flat=True))


def restand_ladder(division: Division) -> None:
    """Let the challenges count whose matches are decided, each once; then those leave who have withdrawn.

    Whoever calls holds a lock on *division*. Who withdraws stays until the own open challenge has ended, as
    the other one plays for that place.
    """
    order = order_of(division)
    open_challenges = division.challenges.filter(ended=None)
    for challenge in open_challenges.filter(match__decided__isnull=False).order_by("match__decided", "pk"):
        winner = challenge.match.winner_id
        order = after_challenge(order, challenge.challenger_id, challenge.challenged_id, winner)
        challenge.ended = challenge.match.decided
        challenge.save(update_fields=["ended"])
        if _was_declined(challenge):
            assert challenge.ended is not None
            contacts.note_declined(challenge.challenger, challenge.challenged, now=challenge.ended)
        outbox.challenge_ended(challenge)
    playing = {pk for two in open_challenges.values_list("challenger", "challenged") for pk in two}
    withdrawn = division.entries.filter(state=EntryState.WITHDRAWN, row__isnull=False)
    for player in withdrawn.exclude(player__in=playing).values_list("player", flat=True):
        order = without(order, player)
    _write(division, order)


def _was_declined(challenge: Challenge) -> bool:
    """Whether the challenged left the first game before it had well begun, which is how one says no."""
    fixture = challenge.match.fixtures.filter(number=1, game__status=Status.ABORTED).first()
    if fixture is None or fixture.game is None:
        return False
    seats = fixture.game.seats.all()
    return any(seat.left and seat.player_id == challenge.challenged_id for seat in seats)


def join_ladder(division: Division, entry: Entry) -> None:
    """Put *entry* at the foot of *division*, which whoever calls has locked."""
    if entry.division is None:
        entry.order = 0  # not there when the ladder was drawn
    entry.division, entry.state = division, EntryState.PLAYING
    entry.save(update_fields=["division", "state", "order"])
    _write(division, with_entrant(order_of(division), entry.player_id))


def _write(division: Division, order: Sequence[int]) -> None:
    places = {player: place for place, player in enumerate(order, start=1)}
    entries = list(division.entries.all())
    for entry in entries:
        entry.rank = entry.row = places.get(entry.player_id)
    Entry.objects.bulk_update(entries, ["rank", "row"])
