"""Renaming of leagues and teams by moderators of the site."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy

from accounts.models import Player
from core.numerals import parse_key
from games.exceptions import Refused
from leagues.exceptions import LeagueRefused
from leagues.mails.players import Renamed
from leagues.models import Entry, League, Team
from leagues.seasons.founding import clean_name, must_be_free, write_log_entry
from leagues.seasons.locks import lock_league, lock_season
from leagues.seasons.teams.squads import clean_team_name
from moderation.acts import named_things
from moderation.acts.named_things import NamedThing, NameSource, RenameRequest
from moderation.models import NamedKind


def find_team(key: str) -> NamedThing | None:
    """The team with this *key*, its captain as the owner of the name."""
    team = Team.objects.select_related("season__league", "captain").filter(pk=parse_key(key)).first()
    if team is None:
        return None
    return NamedThing(NamedKind.TEAM, str(team.pk), team.name, team.captain, team.get_absolute_url())


def find_league(key: str) -> NamedThing | None:
    """The league with this *key*, its first organiser as the owner of the name, or its founder."""
    league = League.objects.select_related("founder").filter(pk=parse_key(key)).first()
    if league is None:
        return None
    owner = league.organisers.filter(is_active=True).order_by("pk").first() or league.founder
    return NamedThing(NamedKind.LEAGUE, str(league.pk), league.name, owner, league.get_absolute_url())


@transaction.atomic
def rename_team(request: RenameRequest) -> None:
    """Rename a team and notify its captain.

    :raises Refused: the name is invalid or taken, or the team has been renamed since
    """
    season = lock_season(Team.objects.values_list("season", flat=True).get(pk=int(request.thing.key)))
    team = Team.objects.select_related("captain").get(pk=int(request.thing.key))
    before = team.name
    try:
        name = clean_team_name(season, request.name, but=team)
    except LeagueRefused as refused:
        raise _ForModerators(refused) from refused
    reason = named_things.check(request, current=before, name=name)
    change = named_things.record(request._replace(reason=reason), before=before, after=name)
    team.name = name
    try:
        with transaction.atomic():
            team.save(update_fields=["name", "name_key", "name_looks"])
    except IntegrityError as taken:
        raise _ForModerators(LeagueRefused("team_name_taken")) from taken
    write_log_entry(season.league, "rename_team", season=season, now=request.now, reason=reason, team=name)
    Renamed.tell(season.league, [team.captain], change, now=request.now, team=team.pk)


@transaction.atomic
def rename_league(request: RenameRequest) -> None:
    """Rename a league and notify its organisers. Its address stays.

    :raises Refused: the name is invalid or taken, or the league has been renamed since
    """
    league = lock_league(int(request.thing.key))
    before = league.name
    try:
        name = clean_name("league", request.name)
        must_be_free(name, league)
    except LeagueRefused as refused:
        raise _ForModerators(refused) from refused
    reason = named_things.check(request, current=before, name=name)
    change = named_things.record(request._replace(reason=reason), before=before, after=name)
    league.name = name
    league.save(update_fields=["name", "name_key", "name_looks"])
    write_log_entry(league, "rename_league", now=request.now, reason=reason)
    Renamed.tell(league, league.organisers.filter(is_active=True), change, now=request.now)


class _ForModerators(Refused):
    """A league's refusal as one that the moderation desk shows."""

    def __init__(self, refused: LeagueRefused) -> None:
        super().__init__(refused.code)
        self.refused = refused

    @property
    def message(self) -> str:
        return self.refused.message


def _everybody_sees(visitor: object, thing: NamedThing) -> bool:
    return True


def _may_rename_team(moderator: Player, thing: NamedThing) -> bool:
    """Not players of the team's season, nor organisers of its league."""
    season = Team.objects.filter(pk=int(thing.key)).values("season")
    plays = Entry.objects.filter(season__in=season, player=moderator)
    organises = League.objects.filter(seasons__in=season, organisers=moderator)
    return not plays.exists() and not organises.exists()


def _may_rename_league(moderator: Player, thing: NamedThing) -> bool:
    """Not players of its seasons, nor its organisers."""
    plays = Entry.objects.filter(season__league=int(thing.key), player=moderator)
    organises = League.objects.filter(pk=int(thing.key), organisers=moderator)
    return not plays.exists() and not organises.exists()


def _organisers(thing: NamedThing) -> tuple[Player, ...]:
    league = League.objects.get(pk=int(thing.key))
    return tuple(league.organisers.filter(is_active=True).order_by("name_key"))


TEAM = NameSource(
    title=gettext_lazy("The team “{name}”"),
    find=find_team,
    may_see=_everybody_sees,
    may_rename=_may_rename_team,
    rename=rename_team,
    told=lambda thing: (thing.owner,),
)
LEAGUE = NameSource(
    title=gettext_lazy("The league “{name}”"),
    find=find_league,
    may_see=_everybody_sees,
    may_rename=_may_rename_league,
    rename=rename_league,
    told=_organisers,
)
