"""Joining a running season: round robins of duels, and the Swiss system."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Count, Max, Q

from accounts.models import Player
from games.conduct import contacts
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.players import Admitted
from leagues.models import Division, Entry, EntryState, Phase, Season
from leagues.schedules.round_robin import add_newcomer
from leagues.schedules.rounds import Round
from leagues.seasons.admission import must_be_admitted, must_not_be_suspended
from leagues.seasons.drawing import count_swiss_rounds, write_rounds
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_division, lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import build_player_matter, check_own_matter
from leagues.seasons.registration import UNRATED, load_ratings
from leagues.seasons.results import LATEST_BEGIN
from leagues.seasons.tables import update_standings
from leagues.standings import Withdrawn


@transaction.atomic
def join(*, season_id: int, player: Player, now: datetime, token: str = "") -> Entry:
    """Let *player* join a running season, as long as the league's settings let players do so. Idempotent.

    :param token: of the league's link, where one is needed
    :raises LeagueRefused: it is too late, there is no place, or *player* has not come by the link
    """
    season = lock_season(season_id)
    must_be_admitted(season, player, token)
    if not may_join_late(season, now):
        raise LeagueRefused("late_not_allowed")
    return _enter(season, player, now, who=player, reason="")


@transaction.atomic
def admit(*, season_id: int, player: Player, who: Player, reason: str, now: datetime) -> Entry:
    """Let the organiser *who* admit *player* to a running season, regardless of the settings' time limit.

    :raises LeagueRefused: *who* may not, there is no place, *player* is there or has confirmed no address
    :raises TooMany: *who* has brought many players today, or *player* was brought to many seasons
    """
    lock_players(who, player)
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    check_admitting(season, player, who, now)
    entry = _enter(season, player, now, who=who, reason=why)
    contacts.record_contacts(limits.ADMIT, who, [player], now=now)
    Admitted.tell(entry, now=now)
    return entry


def check_admitting(season: Season, player: Player, who: Player, now: datetime) -> tuple[Division, bool]:
    """Return the division to which *who* may admit *player*, and whether that is a decision in own matters.

    :raises LeagueRefused: there is no place, *player* is there or can't play, or another organiser has to
        decide
    :raises TooMany: *who* has brought many players today, or *player* was brought to many seasons
    """
    if not Player.objects.with_account().filter(pk=player.pk).exists():
        raise LeagueRefused("no_player")
    if season.entries.filter(player=player).exists():
        raise LeagueRefused("plays_already", player=player)
    _must_be_able_to_play(player, now)
    division = find_open_division(season, now)
    own_matter = check_own_matter(season.league, who, build_player_matter(division, player))
    contacts.check_contacts(limits.ADMIT, who, [player], now=now)
    return division, own_matter


def may_join_late(season: Season, now: datetime) -> bool:
    """Return whether players may join *season* by themselves."""
    share = season.settings.late_until
    return bool(share) and now <= season.begins + (season.ends - season.begins) * share / 100


def find_open_division(season: Season, now: datetime) -> Division:
    """The lowest division of *season* that has a free place.

    :raises LeagueRefused: there is none
    """
    if season.phase != Phase.RUNNING:
        raise LeagueRefused("not_running")
    season.contenders.check_may_register()
    season.format.check_takes_latecomers()
    if now > season.ends - LATEST_BEGIN:
        raise LeagueRefused("late_time")
    playing = Count("entries", filter=Q(entries__state=EntryState.PLAYING))
    open_ones = season.divisions.annotate(playing=playing).filter(playing__lt=season.settings.division_size)
    division = open_ones.order_by("-level").first()
    if division is None:
        raise LeagueRefused("late_full")
    season.format.check_takes_newcomer(division)
    return division


def count_planned_rounds(division: Division) -> int:
    """Return the number of rounds of a Swiss *division* with one more player; it may have been cut short."""
    return max(division.rounds, count_swiss_rounds(division, division.entries.count() + 1))


def find_left_out(division: Division) -> set[int]:
    """Return the players of *division*, by primary key, whom a newcomer doesn't meet as they withdrew, where
    one more forfeit could strike what others have played (STAND-4)."""
    if division.season.settings.standings.withdrawn != Withdrawn.STRIKE:
        return set()
    gone = division.entries.filter(state=EntryState.WITHDRAWN)
    return set(gone.values_list("player", flat=True))


def _enter(season: Season, player: Player, now: datetime, *, who: Player, reason: str) -> Entry:
    _must_be_able_to_play(player, now)
    there = season.entries.filter(player=player).first()
    if there is not None and there.state == EntryState.PLAYING:
        return there
    if there is not None:
        raise LeagueRefused("plays_already", player=player)
    division = lock_division(find_open_division(season, now).pk)
    by_organiser = bool(reason)  # players who join by themselves give no reason
    matter = build_player_matter(division, player)
    own_matter = by_organiser and check_own_matter(season.league, who, matter)
    last = division.entries.aggregate(last=Max("order"))["last"] or 0
    season.format.make_room(division)  # before the newcomer is one of its players
    entry = Entry.objects.create(
        season=season,
        player=player,
        division=division,
        state=EntryState.PLAYING,
        registered=now,
        order=last + 1,
        rating=load_ratings(season, [player.pk], now).get(player.pk, UNRATED),
    )
    season.format.enter(division, entry)
    division.save(update_fields=["rounds", "drawn"])
    season.waiting.filter(player=player).delete()
    update_standings(division)
    write_log_entry(
        season.league,
        "join",
        who=who,
        season=season,
        now=now,
        reason=reason,
        player=player.pk,
        division=division.level,
        own_matter=own_matter,
    )
    return entry


def _must_be_able_to_play(player: Player, now: datetime) -> None:
    """:raises LeagueRefused: *player* is a program, closed or suspended"""
    if player.is_bot or not player.is_active:
        raise LeagueRefused("bot")
    must_not_be_suspended(player, now)


def meet_everybody(division: Division, newcomer: Entry) -> None:
    """Create the matches of *newcomer* with everybody in *division*, after all that are begun (STAND-14).

    A substitute is met instead of the player they replace. Matches with players who withdrew are forfeits,
    and left out where they could strike what others have played (STAND-4).
    """
    met = division.entries.exclude(pk=newcomer.pk).filter(replaced_by=None).order_by("order", "pk")
    schedule: list[Round[int]] = [Round(())] * division.drawn
    laid = add_newcomer(
        schedule,
        len(schedule),
        list(met.values_list("player", flat=True)),
        newcomer.player_id,
        division.season.settings.rounds,
    )
    gone = find_left_out(division)
    fresh = [each for each in laid[division.drawn :] if gone.isdisjoint(each.pairings[0].players)]
    write_rounds(division, fresh, first=division.drawn + 1)
    division.rounds = division.drawn = division.drawn + len(fresh)
