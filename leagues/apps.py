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
    from core.calendars import CalendarEvent
    from core.hooks import PageLink
    from games.models import Notice
    from games.notices.letters import NoticeLetter
    from games.selectors.contests import GameContest
    from games.selectors.pending_invitations import PendingInvitation
    from games.selectors.people import PlayerLink


class LeaguesConfig(AppConfig):
    name = "leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        from accounts.signals import account_closed
        from core import hooks
        from games.conduct import limits as conduct_limits
        from games.models import Kind
        from games.selectors.pending_invitations import InvitationSource
        from leagues import limits
        from leagues.models import CONTEST
        from leagues.seasons import renaming
        from leagues.selectors.interests import find_shared_seasons
        from leagues.selectors.teams import find_unanswered
        from moderation.models import NamedKind

        account_closed.connect(_say_goodbye, dispatch_uid="leagues")
        hooks.ENDED_GAMES.register("leagues", follow_league_game)
        hooks.PLAYER_LINKS.register("leagues", _link_career)
        hooks.NAMED_THINGS.register(NamedKind.TEAM, renaming.TEAM)
        hooks.NAMED_THINGS.register(NamedKind.LEAGUE, renaming.LEAGUE)
        hooks.MAIL_WRITERS.register(Kind.LEAGUE, _write_mail)
        hooks.MAIL_LINKS.register(Kind.LEAGUE, _link_mails)
        hooks.PENDING_INVITATIONS.register("teams", InvitationSource(find_unanswered, _read_invitations))
        hooks.CONTESTS.register("leagues", _seasons_of)
        hooks.GAME_CONTESTS.register(CONTEST, _load_games)
        hooks.CALENDARS.register("leagues", _list_events)
        hooks.OWN_DATA.register("leagues", _own_data)
        hooks.INTERESTS.register("leagues", find_shared_seasons)
        conduct_limits.register(limits.LIMITS, resting=limits.RESTING)


def _link_mails(notices: Sequence[Notice]) -> Mapping[int, PageLink]:
    from leagues.pages import mail_links

    return mail_links.link_leagues(notices)


def _list_events(player: Player) -> Iterable[CalendarEvent]:
    from leagues.pages import calendars

    return calendars.list_own_events(player)


def _seasons_of(players: Collection[int]) -> Iterable[Collection[int]]:
    from leagues.selectors.interests import group_by_season

    return group_by_season(players)


def _say_goodbye(*, player: Player, now: datetime, **_more: Any) -> None:
    from leagues import seasons

    seasons.forget_requests_of(player)
    seasons.withdraw_from_open_seasons(player=player, now=now)


def _load_games(games: Collection[int]) -> Mapping[int, GameContest]:
    from leagues.pages import game_contest

    return game_contest.load_league_games(games)


def _link_career(player: Player) -> PlayerLink:
    from games.selectors.people import PlayerLink

    return PlayerLink(gettext("Leagues"), reverse("leagues:career", args=[player.username]))


def _read_invitations(ids: Sequence[int]) -> list[PendingInvitation]:
    from leagues.pages import team_invitation

    return team_invitation.list_pending_invitations(ids)


def _write_mail(notice: Notice, now: datetime) -> NoticeLetter | None:
    from leagues.notices import writer

    return writer.write(notice, now)


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
