"""A substitute plays on for somebody who has left a season."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Player
from games.conduct import contacts
from games.models import Game, Status
from games.play.locks import lock_players
from leagues import limits, outbox
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, EntryState, Fixture, Kind, Match, MatchSeat, Phase, Season
from leagues.seasons.founding import note
from leagues.seasons.locks import locked_match, locked_season
from leagues.seasons.organisers import checked
from leagues.seasons.registration import UNRATED, ratings_now, take_out
from leagues.seasons.suspended import must_not_be_suspended
from leagues.seasons.tables import restand


@transaction.atomic
def replace(
    *, season_id: int, leaving: Player, substitute: Player, who: Player, reason: str, now: datetime
) -> Entry:
    """Let *substitute* play on for *leaving*, who withdraws if that has not happened yet.

    The substitute has an entry of their own, and with it all matches of *leaving* in which no game was well
    begun, also those that were forfeits because *leaving* had gone. What *leaving* played stays theirs, so
    that nothing of it is left unfinished (STAND-4).

    :raises LeagueRefused: *who* may not, *leaving* does not play, or *substitute* can't
    :raises TooMany: *who* has brought many players today, or *substitute* was brought to many seasons
    """
    lock_players(who, leaving, substitute)
    season = locked_season(season_id)
    why = checked(season.league, who, reason)
    old = may_be_replaced(season, leaving)
    confirmed = Player.objects.confirmed().filter(pk=substitute.pk).exists()
    if substitute.is_bot or not substitute.is_active or not confirmed:
        raise LeagueRefused("no_player")
    must_not_be_suspended(substitute, now)
    if season.entries.filter(player=substitute).exists():
        raise LeagueRefused("plays_already", player=substitute)
    contacts.count(limits.ADMIT, who, [substitute], now=now)
    if old.state != EntryState.WITHDRAWN:
        take_out(season, old, now)
    assert old.division is not None
    entry = Entry.objects.create(
        season=season,
        player=substitute,
        division=old.division,
        state=EntryState.PLAYING,
        registered=now,
        order=old.order,
        replaces=old,
        rating=ratings_now(season, [substitute.pk], now).get(substitute.pk, UNRATED),
    )
    matches = untouched_matches(old)
    for match in matches:
        _hand_over(match, leaving, substitute)
    season.waiting.filter(player=substitute).delete()
    restand(old.division)
    note(
        season.league,
        "replace",
        who=who,
        season=season,
        now=now,
        reason=why,
        before=leaving.pk,
        after=substitute.pk,
        matches=len(matches),
    )
    outbox.replaced(entry, now=now)
    return entry


def may_be_replaced(season: Season, leaving: Player) -> Entry:
    """The entry of *leaving* in *season*, for which somebody may play on.

    :raises LeagueRefused: there is none, or somebody does already
    """
    if season.phase != Phase.RUNNING:
        raise LeagueRefused("not_running")
    old = season.entries.exclude(division=None).filter(player=leaving).select_related("division").first()
    if old is None:
        raise LeagueRefused("not_playing", player=leaving)
    if old.division is None or old.division.kind != Kind.TABLE or season.settings.teams is not None:
        raise LeagueRefused("no_substitutes")
    if Entry.objects.filter(replaces=old).exists():
        raise LeagueRefused("replaced_already", player=leaving)
    return old


def untouched_matches(entry: Entry) -> list[Match]:
    """The matches of *entry* in which no game was well begun, but for what a Swiss draw has built upon."""
    division = entry.division
    assert division is not None
    theirs = with_games(Match.objects.filter(division=division, seats__player=entry.player_id))
    return [match for match in theirs if untouched(match, entry.player_id)]


def with_games(matches: QuerySet[Match]) -> QuerySet[Match]:
    """*matches* with all that :func:`untouched` asks of them."""
    return (
        matches.select_related("division__season")
        .prefetch_related("seats", "fixtures__game__seats")
        .order_by("pk")
    )


def untouched(match: Match, player: int) -> bool:
    """Whether *match* could be played by another in the place of *player*."""
    division = match.division
    if division.season.settings.swiss and match.round < division.drawn:
        return False
    return all(_never_begun(fixture, player) for fixture in match.fixtures.all())


def _never_begun(fixture: Fixture, player: int) -> bool:
    """Whether *fixture* came to nothing because *player* had gone."""
    if fixture.settled_by_id is not None:
        return False
    if fixture.seats is not None:
        ranks = {seat["player"]: seat["rank"] for seat in fixture.seats}
        nobody_played = all(seat["forfeit"] for seat in fixture.seats)
        return nobody_played and ranks.get(player, 0) == len(ranks)
    game: Game | None = fixture.game
    if game is None or game.status != Status.ABORTED:
        return False
    return any(seat.left for seat in game.seats.all() if seat.player_id == player)


def _hand_over(match: Match, leaving: Player, substitute: Player) -> None:
    """Let *substitute* sit where *leaving* sat, and the match begin anew."""
    match = locked_match(match.pk)
    match.fixtures.all().delete()
    MatchSeat.objects.filter(match=match, player=leaving).update(player=substitute)
    match.decided, match.waits = None, True
    match.save(update_fields=["decided", "waits"])
