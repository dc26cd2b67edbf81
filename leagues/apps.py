from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from accounts.models import Player
    from accounts.offices import Office
    from core.calendars import CalendarEvent
    from games.hooks import PageLink
    from games.selectors.contests import GameContest
    from games.selectors.pending_invitations import PendingInvitation


class LeaguesConfig(AppConfig):
    name = "leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        from accounts.hooks import INTERESTS, OFFICES, OWN_DATA
        from accounts.signals import account_closed
        from games.conduct import limits as conduct_limits
        from games.hooks import (
            CALENDARS,
            ENDED_GAMES,
            GAME_CONTESTS,
            LETTERS,
            PENDING_INVITATIONS,
            PLAYER_LINKS,
            ContestSource,
            LetterSource,
        )
        from games.models import Kind
        from games.selectors.pending_invitations import InvitationSource
        from leagues import limits
        from leagues.mails import write_mail
        from leagues.models import CONTEST
        from leagues.seasons import renaming
        from leagues.selectors.interests import find_shared_seasons
        from leagues.selectors.mail_links import link_leagues
        from leagues.selectors.teams import UNANSWERED
        from moderation.hooks import CONTESTS, NAMED_THINGS
        from moderation.models import NamedKind

        account_closed.connect(_say_goodbye, dispatch_uid="leagues")
        ENDED_GAMES.register("leagues", follow_league_game)
        PLAYER_LINKS.register("leagues", _link_career)
        NAMED_THINGS.register(NamedKind.TEAM, renaming.TEAM)
        NAMED_THINGS.register(NamedKind.LEAGUE, renaming.LEAGUE)
        LETTERS.register(Kind.LEAGUE, LetterSource(write_mail, link_leagues))
        PENDING_INVITATIONS.register("teams", InvitationSource(UNANSWERED, _read_invitations))
        CONTESTS.register("leagues", _seasons_of)
        GAME_CONTESTS.register(CONTEST, ContestSource(_load_games, _find_ruled_games))
        CALENDARS.register("leagues", _list_events)
        OFFICES.register("leagues", _list_offices)
        OWN_DATA.register("leagues", _own_data)
        INTERESTS.register("leagues", find_shared_seasons)
        conduct_limits.register(limits.LIMITS, resting=limits.RESTING)


def _list_events(player: Player) -> Iterable[CalendarEvent]:
    from leagues.selectors import calendars

    return calendars.list_own_events(player)


def _list_offices(player: Player) -> Iterable[Office]:
    from leagues.forms import offices

    return offices.list_offices(player)


def _seasons_of(players: Collection[int]) -> Iterable[Collection[int]]:
    from leagues.selectors.interests import group_by_season

    return group_by_season(players)


def _say_goodbye(*, player: Player, now: datetime, **_more: Any) -> None:
    from leagues import seasons

    seasons.forget_requests_of(player)
    seasons.withdraw_from_open_seasons(player=player, now=now)


def _load_games(games: Collection[int]) -> Mapping[int, GameContest]:
    from leagues.selectors import game_contest

    return game_contest.load_league_games(games)


def _find_ruled_games(player: Player) -> Collection[int]:
    from leagues.selectors import verdicts

    return verdicts.find_ruled_games(player)


def _link_career(player: Player) -> PageLink:
    from games.hooks import PageLink

    return PageLink(gettext("Leagues"), reverse("leagues:career", args=[player.username]))


def _read_invitations(ids: Sequence[int]) -> list[PendingInvitation]:
    from leagues.selectors import teams

    return teams.list_pending_invitations(ids)


def _own_data(player: Player) -> Iterable[tuple[str, Any]]:
    from leagues.selectors import own_data

    return own_data.build_files(player)


def follow_league_game(game: int) -> None:
    """Queue the league's scheduler if *game*, by primary key, which has ended or changed, belongs to a
    league."""
    from core.task_queue import queue_on_commit
    from leagues.models import Fixture

    if Fixture.objects.filter(game=game).exists():
        queue_on_commit("leagues.tasks.advance")
