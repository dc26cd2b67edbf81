"""Substitutes who play on for players who have left a season."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from games.conduct import contacts
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.players import Replaced
from leagues.models import Entry, EntryState, Match, MatchSeat, Phase, Season, SubstituteOffer
from leagues.seasons.admission import must_not_be_suspended
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_match
from leagues.seasons.own_matters import build_player_matter, check_own_matter
from leagues.seasons.registration import UNRATED, load_ratings, take_out
from leagues.seasons.tables import update_standings
from leagues.seasons.untouched_matches import find_untouched_matches


def check_replacing(
    season: Season, leaving: Player, substitute: Player, who: Player, now: datetime
) -> tuple[Entry, bool]:
    """Return the entry of *leaving*, for whom *who* may ask *substitute* to play on, and whether that is a
    decision in own matters.

    :raises LeagueRefused: *leaving* does not play, *substitute* can't, or another organiser has to decide
    :raises TooMany: *who* has asked many players today, or *substitute* was asked for many seasons
    """
    old = check_substitute(season, leaving, substitute, now)
    assert old.division is not None
    matter = build_player_matter(old.division, leaving, substitute)
    own_matter = check_own_matter(season.league, who, matter)
    contacts.check_contacts(limits.ADMIT, who, [substitute], now=now)
    return old, own_matter


def check_substitute(season: Season, leaving: Player, substitute: Player, now: datetime) -> Entry:
    """Return the entry of *leaving* in *season*, for whom *substitute* can play on.

    :raises LeagueRefused: *leaving* does not play, or *substitute* can't
    """
    old = find_replaceable_entry(season, leaving)
    confirmed = Player.objects.with_account().filter(pk=substitute.pk).exists()
    if substitute.is_bot or not substitute.is_active or not confirmed:
        raise LeagueRefused("no_player")
    must_not_be_suspended(substitute, now)
    if season.entries.filter(player=substitute).exists():
        raise LeagueRefused("plays_already", player=substitute)
    return old


def replace(offer: SubstituteOffer, now: datetime) -> Entry:
    """Let the player of *offer* play on for the one who leaves, who is withdrawn if that has not happened
    yet. The season is locked.

    The substitute has an entry of their own, and takes over all matches in which no game was well begun, also
    forfeits because the player had gone. Games that were played stay as they are (STAND-4).

    :raises LeagueRefused: they can't any more
    """
    substitute, leaving = offer.player, offer.entry.player
    season = offer.entry.season
    old = check_substitute(season, leaving, substitute, now)
    assert old.division is not None
    if old.state != EntryState.WITHDRAWN:
        take_out(season, old, now)
    entry = Entry.objects.create(
        season=season,
        player=substitute,
        division=old.division,
        state=EntryState.PLAYING,
        registered=now,
        order=old.order,
        replaces=old,
        rating=load_ratings(season, [substitute.pk], now).get(substitute.pk, UNRATED),
    )
    matches = find_untouched_matches(old.division.matches.all(), [leaving.pk])
    for match, _player in matches:
        _hand_over(match, leaving, substitute)
    season.waiting.filter(player=substitute).delete()
    update_standings(old.division)
    write_log_entry(
        season.league,
        "replace",
        who=offer.who,
        season=season,
        now=now,
        reason=offer.reason,
        before=leaving.pk,
        after=substitute.pk,
        matches=len(matches),
        own_matter=offer.own_matter,
    )
    Replaced.tell(entry, now=now)
    return entry


def find_replaceable_entry(season: Season, leaving: Player) -> Entry:
    """Return the entry of *leaving* in *season*, for which a substitute may play.

    :raises LeagueRefused: there is none, or it is replaced already
    """
    if season.phase != Phase.RUNNING:
        raise LeagueRefused("not_running")
    old = season.entries.exclude(division=None).filter(player=leaving).select_related("division").first()
    if old is None:
        raise LeagueRefused("not_playing", player=leaving)
    if not season.settings.substitutes:
        raise LeagueRefused("no_substitutes")
    if Entry.objects.filter(replaces=old).exists():
        raise LeagueRefused("replaced_already", player=leaving)
    return old


def _hand_over(match: Match, leaving: Player, substitute: Player) -> None:
    """Give the seat of *leaving* to *substitute* and reset the match."""
    match = lock_match(match.pk)
    match.fixtures.all().delete()
    MatchSeat.objects.filter(match=match, player=leaving).update(player=substitute)
    match.decided, match.winner, match.waits, match.warned = None, None, True, False
    match.save(update_fields=["decided", "winner", "waits", "warned"])
