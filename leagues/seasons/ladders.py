"""The order of a ladder, updated when a challenge ends and when players join or leave."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.conduct import contacts
from games.models import Ending, Game, Status
from leagues.mails.players import ChallengeEnded
from leagues.models import Challenge, Division, Entry, EntryState, Fixture, Match
from leagues.schedules import add_entrant, apply_challenge, remove_player


def load_order(division: Division) -> tuple[int, ...]:
    """Return who stands on the ladder, by primary key, the highest first."""
    standing = division.entries.filter(row__isnull=False).order_by("row")
    return tuple(standing.values_list("player", flat=True))


def update_ladder_standings(division: Division) -> None:
    """Apply decided challenges, each once, then remove players who have withdrawn.

    The caller holds a lock on *division*. A player who withdraws stays until their open challenge has ended,
    as the opponent plays for that place.
    """
    order = load_order(division)
    open_challenges = division.challenges.filter(ended=None)
    for challenge in open_challenges.filter(match__decided__isnull=False).order_by("match__decided", "pk"):
        winner = challenge.match.winner_id
        order = apply_challenge(order, challenge.challenger_id, challenge.challenged_id, winner)
        challenge.ended = challenge.match.decided
        challenge.save(update_fields=["ended"])
        if challenge.declined:
            assert challenge.ended is not None
            contacts.note_declined(challenge.challenger, challenge.challenged, now=challenge.ended)
        ChallengeEnded.tell(challenge)
    playing = {pk for two in open_challenges.values_list("challenger", "challenged") for pk in two}
    withdrawn = division.entries.filter(state=EntryState.WITHDRAWN, row__isnull=False)
    for player in withdrawn.exclude(player__in=playing).values_list("player", flat=True):
        order = remove_player(order, player)
    _write(division, order)


def is_declined(match: Match, fixture: Fixture, game: Game) -> bool:
    """Return whether *match* is a challenge that was declined: the challenged player resigned or ended its
    first *game* before both had played. Leaving the ladder and timeouts don't count as declining."""
    if fixture.number != 1 or game.status != Status.ABORTED or not match.division.format.has_challenges:
        return False
    challenge = Challenge.objects.filter(match=match).first()
    if challenge is None:
        return False
    seat = game.seats.filter(player=challenge.challenged_id).first()
    gone = match.division.entries.filter(state=EntryState.WITHDRAWN, player=challenge.challenged_id)
    if seat is None or gone.exists():
        return False
    if game.ending == Ending.RESIGNED:
        return seat.left
    return game.moves.filter(action__type="abort", seat=seat.index).exists()


def end_declined_challenge(match: Match, now: datetime) -> None:
    """Decide *match*, which is locked, as a declined challenge. Nobody wins it while the challenged player
    has declines left in this season; after that the challenger does."""
    challenge = match.challenge
    free = count_declines_left(match.division, challenge.challenged_id) > 0
    match.decided, match.waits = now, False
    match.winner_id = None if free else challenge.challenger_id
    match.save(update_fields=["decided", "waits", "winner"])
    challenge.declined = True
    challenge.save(update_fields=["declined"])


def may_decline(match: Match) -> bool:
    """Return whether the first game of *match*, a challenge, is under way and not both have played."""
    first = match.fixtures.filter(number=1, settled=None).select_related("game").first()
    if first is None or first.game is None or first.game.status != Status.PLAYING:
        return False
    moved = first.game.moves.in_force().filter(ply__isnull=False).values("seat").distinct()
    return moved.count() < first.game.places


def count_declines_left(division: Division, player: int) -> int:
    """Return how many challenges *player* may still decline on this ladder without losing the place.
    Challenges that began no game because the two are kept apart don't count."""
    declined = division.challenges.filter(challenged=player, declined=True, match__fixtures__isnull=False)
    return max(0, division.season.settings.challenges.declines - declined.distinct().count())


def join_ladder(division: Division, entry: Entry) -> None:
    """Put *entry* at the foot of *division*, which the caller has locked."""
    if entry.division is None:
        entry.order = 0  # joined after the ladder was drawn
    entry.division, entry.state = division, EntryState.PLAYING
    entry.save(update_fields=["division", "state", "order"])
    _write(division, add_entrant(load_order(division), entry.player_id))


def _write(division: Division, order: Sequence[int]) -> None:
    places = {player: place for place, player in enumerate(order, start=1)}
    entries = list(division.entries.all())
    for entry in entries:
        entry.rank = entry.row = places.get(entry.player_id)
    Entry.objects.bulk_update(entries, ["rank", "row"])
