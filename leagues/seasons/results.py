"""Games of matches: beginning them and recording their results. One transaction per match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.db.models import Max, Q

from accounts.models import Player
from games import tables
from games.clocks import DAY, AtEnd
from games.models import Ending, Game, Status
from leagues.mails.players import Lapsed
from leagues.mails.seasons import drop_mails_of_game
from leagues.models import CONTEST, EntryState, Fixture, Match, Phase
from leagues.schedules.series import Series, find_decided_series
from leagues.seasons.deals import share_deal
from leagues.seasons.ladders import end_declined_challenge, is_declined
from leagues.seasons.locks import lock_match, lock_season
from leagues.seasons.tables import update_standings
from leagues.seasons.teams.boards import awaits_substitute

Result = list[dict[str, Any]]
"""Result of a game, as stored in ``Fixture.seats``."""

LATEST_BEGIN = DAY
"""Time before the end of a season, or of a match with an end of its own, in which no game begins."""

PATIENCE = 2 * DAY
"""Time after that end during which organisers may settle aborted games; then nobody wins them."""


TIME_TO_DECIDE = 7 * DAY
"""Time for organisers to decide how a game counts that ended at its hard end (CLOCK-24)."""


@transaction.atomic
def begin_game(match_id: int, now: datetime) -> bool:
    """Begin the game for which a match waits, or record a forfeit. Return whether either was done.

    Safe against concurrent and killed workers: a second call finds it done or undone, never half.
    """
    # The lock keeps players from withdrawing meanwhile: that resigns running games before waiting ones.
    season = lock_season(Match.objects.values_list("division__season", flat=True).get(pk=match_id))
    match = lock_match(match_id)
    if not match.waits or season.phase != Phase.RUNNING:
        return False
    players = _in_turn(match)
    present = _present(match, players)
    if match.division.contenders.waits_for_captain(match, present, now):
        return False
    too_late = now > match.latest_end - LATEST_BEGIN
    if len(present) < 2 or too_late:
        _forfeit(match, players, present if len(present) < 2 else [], now)
        update_standings(match.division)
        return True
    settings = season.settings.table(match.latest_end, name=_name(match), seats=len(present))
    number, deal = _compute_next_number(match), None
    if season.settings.duplicate:
        deal = share_deal(match, number, present, settings.rules, now)
    game = tables.begin_game(players=present, settings=settings, now=now, deal=deal, contest=CONTEST)
    Fixture.objects.create(match=match, number=number, game=game)
    if number == 1:
        drop_mails_of_game(match, game, present, now=now)
    match.waits = False
    match.save(update_fields=["waits"])
    return True


@transaction.atomic
def forfeit_waiting(match_id: int, now: datetime) -> None:
    """Record as forfeits the games of a waiting match that can't be played, as too few players are left."""
    match = lock_match(match_id)
    while match.waits:
        players = _in_turn(match)
        present = _present(match, players)
        if len(present) >= 2 or match.division.contenders.waits_for_captain(match, present, now):
            return
        _forfeit(match, players, present, now)


@transaction.atomic
def record_result(game_id: int, now: datetime) -> bool:
    """Record the result of an ended game for its match. Return whether one was recorded."""
    fixture = Fixture.objects.filter(game=game_id, settled=None).first()
    if fixture is None:
        return False
    match = lock_match(fixture.match_id)
    fixture.refresh_from_db()
    game = Game.objects.get(pk=game_id)
    if fixture.settled is not None:
        return False
    declined = is_declined(match, fixture, game)
    if awaits_organiser(game, now):
        return False
    late = declined or now >= match.latest_end + PATIENCE
    if not (result := _result(match, game, late=late)):
        return False
    write_result(match, fixture, result, now)
    if left_to_organisers(game) or not (declined or _result(match, game, late=False)):
        players = Player.objects.filter(pk__in=[seat["player"] for seat in result], is_active=True)
        Lapsed.tell(fixture, players, find_decision_end(fixture), now=now)
    if declined:
        end_declined_challenge(match, now)
    forfeit_waiting(match.pk, now)
    update_standings(match.division)
    return True


def awaits_organiser(game: Game, now: datetime) -> bool:
    """Return whether organisers still decide how *game* counts, which ended at its hard end (CLOCK-24)."""
    return left_to_organisers(game) and game.finished is not None and now < game.finished + TIME_TO_DECIDE


def find_result(fixture: Fixture, now: datetime) -> Result | None:
    """Return the result of *fixture*, whose game has ended: the one that is stored or will be. ``None`` while
    organisers decide it, and of a finished game that isn't recorded yet, whose own result will be."""
    game = fixture.game
    if fixture.seats is not None or game is None or game.status != Status.ABORTED:
        return fixture.seats
    declined = is_declined(fixture.match, fixture, game)
    return _result(fixture.match, game, late=declined or now >= find_decision_end(fixture)) or None


def find_decision_end(fixture: Fixture) -> datetime:
    """Return until when organisers decide how the game of *fixture* counts, which has ended undecided."""
    game = fixture.game
    if game is not None and game.ending == Ending.HARD_END and game.finished is not None:
        return game.finished + TIME_TO_DECIDE
    return fixture.match.latest_end + PATIENCE


def left_to_organisers(game: Game) -> bool:
    """Return whether the clock of *game* left it to organisers at its hard end (CLOCK-24)."""
    return game.ending == Ending.HARD_END and game.clock.at_end == AtEnd.ORGANISER


@transaction.atomic
def reopen(game_id: int, now: datetime) -> bool:
    """Take back the result of a game that was resumed. Results settled by an organiser stay, and so do those
    with consequences. Return whether it was taken back."""
    fixture = Fixture.objects.filter(is_resumed(), game=game_id).first()
    if fixture is None:
        return False
    match = lock_match(fixture.match_id)
    fixture = Fixture.objects.select_related("match__division__season").get(pk=fixture.pk)
    still = Game.objects.filter(pk=game_id, status__in=[Status.PLAYING, Status.SCORING]).exists()
    if fixture.settled is None or not still or (match.decided and has_consequences(match)):
        return False
    fixture.seats, fixture.settled = None, None
    fixture.save(update_fields=["seats", "settled"])
    match.decided, match.winner_id, match.waits = None, None, False
    match.save(update_fields=["decided", "winner", "waits"])
    update_standings(match.division)
    return True


def is_resumed() -> Q:
    """Match fixtures with a result whose game is played again, in a running season."""
    running = Q(game__status__in=[Status.PLAYING, Status.SCORING])
    return running & Q(settled_by=None, settled__isnull=False, match__division__season__phase=Phase.RUNNING)


def has_consequences(match: Match) -> bool:
    """Return whether later draws, or the places on a ladder, rest on the result of *match*."""
    if match.division.finished is not None:
        return True
    return match.division.contenders.has_consequences(match)


def has_result(now: datetime) -> Q:
    """Match fixtures whose game has a result.

    That includes aborted games that somebody left, or that nobody has settled in time, and first games of
    challenges, which are declined by ending them.
    """
    left = Q(game__ending__in=[Ending.RESIGNED, Ending.TIME_OUT])
    with_season = Q(match__ends=None, match__division__season__ends__lte=now - PATIENCE)
    late = with_season | Q(match__ends__lte=now - PATIENCE)
    may_be_declined = Q(game__ending=Ending.STOPPED, match__challenge__isnull=False, number=1)
    return Q(game__status=Status.FINISHED) | Q(left | late | may_be_declined, game__status=Status.ABORTED)


def _result(match: Match, game: Game, *, late: bool) -> Result:
    """The result of *game*; players who are not at its table any more are last, by forfeit, and whoever sits
    there for them is left out. A game that somebody left before it had well begun is a forfeit. An aborted
    game has no result, as organisers may settle it; when it is too *late* for that, nobody wins it."""
    matched = [seat.player_id for seat in match.seats.all()]
    seats = sorted(game.seats.all(), key=attrgetter("index"))
    players = [seat.player_id for seat in seats if seat.player_id in matched]
    absent = [player for player in matched if player not in players]
    if game.status == Status.ABORTED:
        there = {seat.player_id for seat in seats if not seat.left}
        if len(there) < len(seats):
            return _build_unplayed_result([*players, *absent], there)
        return _build_unplayed_result([*players, *absent], ()) if late else []
    return build_played_result(match, game) if game.status == Status.FINISHED else []


def build_played_result(match: Match, game: Game) -> Result:
    """Return the result of a *game* that was played to its end; players who were not at the table are
    last. Whoever sat there for one whom a moderator has replaced is left out, as they are in no match."""
    matched = [seat.player_id for seat in match.seats.all()]
    at_table = list(game.seats.order_by("index"))
    seats = [seat for seat in at_table if seat.player_id in matched]
    others = [seat.rank or 0 for seat in at_table if seat.player_id not in matched]
    players = [seat.player_id for seat in seats]
    absent = [player for player in matched if player not in players]
    ranks = [rank - sum(other < rank for other in others) for rank in (seat.rank or 0 for seat in seats)]
    # Decided by time it has no score (CLOCK-24, STAND-3).
    scores = [None if game.ending == Ending.HARD_END else seat.score for seat in seats]
    played = [
        {"player": seat.player_id, "rank": rank, "score": score, "forfeit": False}
        for seat, rank, score in zip(seats, ranks, scores, strict=True)
    ]
    last = len(players) + len(absent)
    return played + [{"player": pk, "rank": last, "score": None, "forfeit": True} for pk in absent]


def _build_unplayed_result(players: Sequence[int], there: Collection[int | None]) -> Result:
    """The result of a game that is not played: those who are *there* win it, or nobody (STAND-3)."""
    return [
        {"player": pk, "rank": 1 if pk in there else len(players), "score": None, "forfeit": True}
        for pk in players
    ]


def _compute_next_number(match: Match) -> int:
    """Return the number of the next game of *match*, which is locked."""
    last: int | None = match.fixtures.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _forfeit(match: Match, players: Sequence[Player], present: Sequence[Player], now: datetime) -> None:
    result = _build_unplayed_result([player.pk for player in players], {player.pk for player in present})
    fixture = Fixture.objects.create(match=match, number=_compute_next_number(match))
    write_result(match, fixture, result, now)


def write_result(match: Match, fixture: Fixture, result: Result, now: datetime) -> None:
    """Store the result of *fixture*, and whether its *match*, which is locked, is decided by it.

    It may replace an earlier result: the match may be open again, or need no more games. After a substitution
    at a board that is the substitute's match.
    """
    fixture.seats, fixture.settled = result, now
    fixture.save(update_fields=["seats", "settled"])
    following = match.division.contenders.find_last_match(match)
    if following is not match and match.decided is None:  # its game was resumed
        match.decided = now
        match.save(update_fields=["decided"])
    match = following
    series = match.division.contenders.find_series(match)
    if series is None or series.decided:
        match.decided, match.waits = match.decided or now, False
        match.winner_id = series.winner if series is not None else None
    else:
        match.decided, match.winner_id = None, None
        match.waits = not match.fixtures.filter(settled=None).exists()
    match.save(update_fields=["decided", "waits", "winner"])


def correct_result(match: Match, fixture: Fixture, result: Result, now: datetime) -> None:
    """Store a result of *fixture* when it is too late to play on. Games that its *match*, which is locked,
    would still need are won by nobody. Whoever has moved on in a knock-out stays there (STAND-17)."""
    match = match.division.contenders.find_last_match(match)
    decided, moved_on = match.decided, match.winner_id
    write_result(match, fixture, result, now)
    while match.waits:
        _forfeit(match, _in_turn(match), (), now)
    match.decided = decided
    if match.division.format.moves_winners_on and has_consequences(match):
        match.winner_id = moved_on
    match.save(update_fields=["decided", "winner"])


def waits_for_captain(match: Match, present: Sequence[Player], now: datetime) -> bool:
    """Return whether *match*, at a board of teams, waits for a substitute of a player who isn't *present*."""
    if len(present) == 2 or now > match.latest_end - LATEST_BEGIN:
        return False
    return awaits_substitute(match, {player.pk for player in present}, now)


def find_duels(match: Match) -> Series[int] | None:
    """Return the duels of *match* of single players so far; None at a larger table, where a match is one
    game."""
    players = [seat.player_id for seat in match.seats.all()]
    if len(players) != 2:
        return None
    winners = [find_winner(fixture.seats or []) for fixture in match.fixtures.exclude(settled=None)]
    return find_decided_series(players[0], players[1], match.games, winners)


def find_winner(result: Sequence[dict[str, Any]]) -> int | None:
    """Return the only winner of a duel, by primary key."""
    first = [seat["player"] for seat in result if seat["rank"] == 1]
    return first[0] if len(first) == 1 else None


def _in_turn(match: Match) -> list[Player]:
    """The players of the next game of *match*, in order of their turns (STAND-2)."""
    seats = {seat.player_id: seat.player for seat in match.seats.select_related("player")}
    series = match.division.contenders.find_series(match)
    following = series.next_game() if series is not None else None
    order = following.players if following is not None else tuple(seats)
    return [seats[pk] for pk in order]


def _present(match: Match, players: Sequence[Player]) -> list[Player]:
    entries = match.division.season.entries
    gone = set(entries.filter(state=EntryState.WITHDRAWN).values_list("player", flat=True))
    return [player for player in players if player.pk not in gone and player.is_active]


def _name(match: Match) -> str:
    season = match.division.season
    return f"{season.league.name[:40]} {season.number}/{match.division.level}-{match.round}"
