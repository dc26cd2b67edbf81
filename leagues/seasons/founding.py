"""Founding leagues, and opening their seasons."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.text import slugify

from accounts import names, texts
from accounts.models import Player
from games.clocks import DAY
from games.conduct import contacts
from leagues import limits
from leagues.calendar import ANY_TIME, build_calendar, compute_shortest_length
from leagues.exceptions import LeagueRefused
from leagues.mails.organisers import Appointed
from leagues.models import MAY_FOUND, League, LogEntry, Season
from leagues.settings import LONGEST_SEASON, LeagueSettings

FEWEST = 2
"""Minimum number of players or teams of a season."""

LATEST_BEGINNING = 367 * DAY
"""Maximum time between the announcement of a season and its beginning."""


def clean_name(kind: str, name: str) -> str:
    """The *name* of a team or a league in its normal form.

    :raises LeagueRefused: names of this *kind* don't allow it, or it is empty
    """
    name = clean_text(kind, name)
    if not name:
        raise LeagueRefused("no_name")
    return name


def clean_text(kind: str, text: str) -> str:
    """The *text* in its normal form.

    :raises LeagueRefused: texts of this *kind* don't allow it
    """
    try:
        return texts.clean(kind, text)
    except ValidationError as error:
        raise LeagueRefused("text", what=error.messages[0]) from error


def must_be_free(name: str, league: League | None = None) -> None:
    """Refuse a *name* that another league has, or that looks like another league's.

    :raises LeagueRefused: it is taken
    """
    alike = League.objects.filter(
        Q(name_key=names.build_key(name)) | Q(name_looks=names.build_lookalike_key(name))
    )
    if alike.exclude(pk=league.pk if league else 0).exists():
        raise LeagueRefused("name_taken")


def _free_slug(name: str) -> str:
    """A slug for a league called *name* that is free: its letters from a to z, or a number."""
    slug = slugify(name, allow_unicode=False)[:40].strip("-")
    if slug and not League.objects.filter(slug=slug).exists():
        return slug
    last = League.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    return f"{slug[:28] or 'league'}-{last + 1}"


@transaction.atomic
def found_league(
    *,
    founder: Player,
    name: str,
    settings: LeagueSettings,
    now: datetime,
    text: str = "",
    begins: datetime | None = None,
    second: Player | None = None,
    expected: int | None = None,
) -> League:
    """Create a league with *founder* as its first organiser, and open registration for its first season.

    :param begins: the beginning of the first season, if not when the time of registration is over
    :param second: another organiser, who is needed if something is at stake
    :param expected: the number of players or teams for which the calendar is checked; else a full division
    :raises LeagueRefused: *founder* lacks the right, the name is taken, the settings are invalid, or a round
        would be too short
    :raises TooMany: *founder* has named many organisers today
    """
    if not founder.has_perm(MAY_FOUND):
        raise LeagueRefused("may_not_found")
    fault = next(settings.faults(), None)
    if fault is not None:
        raise LeagueRefused("settings", what=fault)
    check_calendar(settings, expected)
    name, text = clean_name("league", name), clean_text("description", text)
    must_be_free(name)
    slug = _free_slug(name)
    try:
        with transaction.atomic():
            league = League.objects.create(
                slug=slug, name=name, text=text, founder=founder, agreed=settings.to_json(), created=now
            )
    except IntegrityError as taken:  # taken between the check and the insertion
        raise LeagueRefused("name_taken") from taken
    league.organisers.add(founder)
    write_log_entry(league, "found", who=founder, now=now)
    if second is not None and second != founder:
        add_organiser(league, second, who=founder, reason="", now=now)
    open_season(league, now, begins=begins)
    return league


def check_calendar(settings: LeagueSettings, expected: int | None = None) -> None:
    """Check that each round has its least time if so many players or teams come (STAND-20).

    :raises LeagueRefused: one has less
    """
    players = max(expected or settings.division_size, FEWEST)
    if not build_calendar(settings, players=players, begins=ANY_TIME).is_too_short:
        return
    enough = compute_shortest_length(settings, players=players)
    if enough is None:
        raise LeagueRefused("too_many_rounds", days=LONGEST_SEASON.days)
    raise LeagueRefused("short_rounds", days=enough.days)


def open_season(league: League, now: datetime, *, begins: datetime | None = None) -> Season:
    """Open registration for the next season of *league*. The caller holds a lock on the last one.

    :raises LeagueRefused: it *begins* in the past, or too late, or lacks an organiser
    """
    settings = league.settings
    must_have_organisers(league, settings, now)
    last = league.seasons.order_by("-number").first()
    begins = check_beginning(begins, now) or now + settings.registration
    season = Season.objects.create(
        league=league,
        number=last.number + 1 if last else 1,
        agreed=league.agreed,
        opened=now,
        begins=begins,
        ends=begins + settings.length,
    )
    write_log_entry(league, "open", season=season, now=now)
    return season


def lacks_organiser(league: League, settings: LeagueSettings, now: datetime) -> bool:
    """Return whether something is at stake, and *league* has a single acting organiser."""
    return bool(settings.prize) and league.find_acting_organisers(now).count() < 2


def must_have_organisers(league: League, settings: LeagueSettings, now: datetime) -> None:
    """:raises LeagueRefused: something is at stake, and *league* has a single acting organiser"""
    if lacks_organiser(league, settings, now):
        raise LeagueRefused("prize")


def add_organiser(league: League, player: Player, *, who: Player, reason: str, now: datetime) -> None:
    """Make *player* another organiser of *league*, which is locked, and tell them.

    :raises LeagueRefused: *player* is one already or can't be
    :raises TooMany: *who* has named many today
    """
    check_naming(league, player, who, now)
    contacts.record_contacts(limits.APPOINT, who, [player], now=now)
    league.organisers.add(player)
    log = write_log_entry(league, "name_organiser", who=who, now=now, reason=reason, player=player.pk)
    Appointed.tell(player, log)


def check_naming(league: League, player: Player, who: Player, now: datetime) -> None:
    """Check that *who* may make *player* another organiser of *league*.

    :raises LeagueRefused: *player* is one already or can't be
    :raises TooMany: *who* has named many today
    """
    if player.is_bot or not player.is_active:
        raise LeagueRefused("no_player")
    if league.organisers.filter(pk=player.pk).exists():
        raise LeagueRefused("organiser_already", player=player)
    contacts.check_contacts(limits.APPOINT, who, [player], now=now)


def check_beginning(begins: datetime | None, now: datetime) -> datetime | None:
    """The chosen beginning of a season.

    :raises LeagueRefused: it is in the past, or too late
    """
    if begins is not None and not now < begins <= now + LATEST_BEGINNING:
        raise LeagueRefused("begins")
    return begins


def write_log_entry(
    league: League,
    act: str,
    *,
    now: datetime,
    who: Player | None = None,
    season: Season | None = None,
    reason: str = "",
    **details: object,
) -> LogEntry:
    """Add a line to the log of *league*; *who* is None for acts of the scheduler."""
    return LogEntry.objects.create(
        league=league, season=season, who=who, at=now, act=act, reason=reason, details=details
    )
