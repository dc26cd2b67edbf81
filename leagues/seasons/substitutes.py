"""Substitutes, who are asked before they play on for somebody who has left: those of the waiting list one
after the other, or one whom an organiser names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Avg, Exists, OuterRef

from accounts.models import Player
from games.clocks import DAY
from games.conduct import contacts
from games.conduct.blocks import find_blocked_pairs
from games.models import Sanction
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.substitutes import SubstituteAnswered, SubstituteAsked
from leagues.models import (
    Entry,
    EntryState,
    Match,
    MatchSeat,
    OfferState,
    Phase,
    Season,
    SubstituteOffer,
    Waiting,
)
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.replacing import check_replacing, find_replaceable_entry, replace
from leagues.seasons.untouched_matches import find_untouched_matches

TIME_TO_ANSWER = DAY
"""Time after which the next one on the list is asked."""


@transaction.atomic
def ask_substitute(
    *, season_id: int, leaving: Player, substitute: Player, who: Player, reason: str, now: datetime
) -> SubstituteOffer:
    """Ask *substitute* to play on for *leaving*, who stays in the season until they accept. Whoever was asked
    before is no longer needed.

    :raises LeagueRefused: *who* may not, *leaving* does not play, or *substitute* can't
    :raises TooMany: *who* has asked many players today, or *substitute* was asked for many seasons
    """
    lock_players(who, leaving, substitute)
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    entry, own_matter = check_replacing(season, leaving, substitute, who, now)
    contacts.record_contacts(limits.ADMIT, who, [substitute], now=now)
    entry.offers.filter(state=OfferState.ASKED).update(state=OfferState.VOID, answered=now)
    write_log_entry(
        season.league,
        "ask_substitute",
        who=who,
        season=season,
        now=now,
        reason=why,
        player=leaving.pk,
        own_matter=own_matter,
    )
    return _ask(entry, substitute, now, who=who, reason=why, own_matter=own_matter)


@transaction.atomic
def accept_offer(*, offer_id: int, player: Player, now: datetime) -> Entry:
    """Let *player*, who was asked, play on.

    :raises LeagueRefused: the offer isn't theirs or open any more, or they can't play
    """
    offer = _lock_open_offer(offer_id, player)
    entry = replace(offer, now)
    _close(offer, OfferState.ACCEPTED, now)
    return entry


@transaction.atomic
def decline_offer(*, offer_id: int, player: Player, now: datetime) -> None:
    """Decline the offer to *player*; the next one on the list is asked.

    :raises LeagueRefused: the offer isn't theirs or open any more
    """
    offer = _lock_open_offer(offer_id, player)
    _close(offer, OfferState.DECLINED, now)
    SubstituteAnswered.tell(offer)
    ask_next(offer.entry_id, now)


def find_entries_to_fill(now: datetime) -> Iterator[int]:
    """Yield the keys of entries whose next substitute is to be asked: of players who have left, and where
    the one who was asked hasn't answered in time."""
    late = SubstituteOffer.objects.filter(state=OfferState.ASKED, asked__lte=now - TIME_TO_ANSWER)
    yield from late.order_by("asked", "pk").values_list("entry", flat=True)
    asked = SubstituteOffer.objects.filter(entry=OuterRef(OuterRef("pk"))).values("player")
    ready = Waiting.objects.filter(season=OuterRef("season"), substitute=True).exclude(player__in=asked)
    left = Entry.objects.filter(
        Exists(ready),
        state=EntryState.WITHDRAWN,
        replaced_by=None,
        division__isnull=False,
        season__phase=Phase.RUNNING,
    ).exclude(offers__state=OfferState.ASKED)
    yield from left.order_by("withdrew", "pk").values_list("pk", flat=True)


@transaction.atomic
def ask_next(entry_id: int, now: datetime) -> bool:
    """Ask the next one on the waiting list whether they play on in the place of an entry; an offer that was
    not answered in time lapses. Return whether somebody was asked."""
    season = lock_season(Entry.objects.values_list("season", flat=True).get(pk=entry_id))
    entry = season.entries.select_related("player", "division").get(pk=entry_id)
    offer = entry.offers.filter(state=OfferState.ASKED).select_related("who").first()
    if offer is not None and offer.asked > now - TIME_TO_ANSWER:
        return False
    if offer is not None:
        _close(offer, OfferState.LAPSED, now)
        SubstituteAnswered.tell(offer)
    if entry.state != EntryState.WITHDRAWN:  # an organiser had named somebody: they decide
        return False
    try:
        find_replaceable_entry(season, entry.player)
    except LeagueRefused:
        return False
    waiting = find_next_substitute(season, entry, now)
    if waiting is None:
        return False
    _ask(entry, waiting.player, now)
    return True


def find_next_substitute(season: Season, entry: Entry, now: datetime) -> Waiting | None:
    """Return the first on the waiting list of *season* who could play for *entry*: not asked before, not
    suspended, not kept apart from an opponent by a block, and with wishes that the division meets."""
    matches = list_matches_to_take(entry)
    if not matches:
        return None
    opponents = list_opponents(entry, matches)
    days = (max(match.latest_end for match in matches) - now) / DAY
    division = Entry.objects.filter(division=entry.division)
    rating = division.aggregate(mean=Avg("rating"))["mean"] or 0
    listed = season.waiting.filter(substitute=True, player__is_active=True).select_related("player")
    listed = listed.exclude(player__in=entry.offers.values("player"))
    listed = listed.exclude(player__in=Sanction.objects.suspending(now).values("player"))
    met = {player.pk for player in opponents}
    apart = find_blocked_pairs([*met, *(waiting.player_id for waiting in listed)])
    kept_apart = {player for pair in apart if pair & met for player in pair}
    suited = (waiting for waiting in listed if waiting.suits(rating, days))
    return next((waiting for waiting in suited if waiting.player_id not in kept_apart), None)


def list_matches_to_take(entry: Entry) -> list[Match]:
    """Return the matches that a substitute for *entry* would play, in order."""
    assert entry.division is not None
    untouched = find_untouched_matches(entry.division.matches.all(), [entry.player_id])
    return [match for match, _player in untouched]


def list_opponents(entry: Entry, matches: list[Match]) -> list[Player]:
    """Return whom the player of *entry* meets in *matches*, by name."""
    there = Player.objects.filter(pk__in=MatchSeat.objects.filter(match__in=matches).values("player"))
    return list(there.exclude(pk=entry.player_id).order_by("username"))


def _ask(entry: Entry, player: Player, now: datetime, **by: Any) -> SubstituteOffer:
    offer = SubstituteOffer.objects.create(entry=entry, player=player, asked=now, **by)
    matches = list_matches_to_take(entry)
    SubstituteAsked.tell(offer, matches=len(matches), opponents=list_opponents(entry, matches))
    return offer


def _lock_open_offer(offer_id: int, player: Player) -> SubstituteOffer:
    offers = SubstituteOffer.objects.select_related("entry__season__league", "entry__player", "player", "who")
    offer = offers.get(pk=offer_id)
    season = lock_season(offer.entry.season_id)
    offer.refresh_from_db(fields=["state"])
    if offer.player_id != player.pk or offer.state != OfferState.ASKED or season.phase != Phase.RUNNING:
        raise LeagueRefused("offer_over")
    offer.entry.season = season
    return offer


def _close(offer: SubstituteOffer, state: OfferState, now: datetime) -> None:
    offer.state, offer.answered = state, now
    offer.save(update_fields=["state", "answered"])
