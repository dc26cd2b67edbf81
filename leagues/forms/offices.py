"""Fields that ask who takes over a league or a team before its organiser or captain closes the account."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.offices import HandOverRefused, Office
from games.exceptions import Refused
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.player_names import PlayerNameField
from leagues.models import League, Team


def list_offices(player: Player) -> Iterator[Office]:
    """Yield the leagues that *player* alone organises, and the teams led, as offices to hand over."""
    now = timezone.now()
    for league in seasons.find_sole_leagues(player, now):
        act = partial(seasons.name_organiser, league=league, who=player, reason=_("I'm leaving the league."))
        yield Office(f"league-{league.pk}", _build_league_field(league), partial(_hand_over, act))
    for team in seasons.find_led_teams(player):
        successors = seasons.list_successors(team, now)
        if successors:
            act = partial(seasons.name_vice_captain, team_id=team.pk, captain=player)
            yield Office(f"team-{team.pk}", _build_team_field(team, successors), partial(_hand_over, act))


def _hand_over(act: Callable[..., None], successor: Player, now: datetime) -> None:
    try:
        act(player=successor, now=now)
    except (LeagueRefused, Refused) as refused:
        raise HandOverRefused(refused.message) from refused


def _build_league_field(league: League) -> forms.Field:
    return PlayerNameField(
        label=_("Who organises {league} after you?").format(league=league.name),
        help_text=_(
            "The name of a player, who becomes an organiser today. If you leave it empty, the site's team "
            "looks after the league."
        ),
        required=False,
    )


def _build_team_field(team: Team, successors: list[Player]) -> forms.Field:
    return forms.ModelChoiceField(
        Player.objects.filter(pk__in=[player.pk for player in successors]),
        label=_("Who leads {team} after you?").format(team=team.name),
        help_text=_("They're your vice-captain until your account closes."),
        initial=successors[0],
        empty_label=None,
    )
