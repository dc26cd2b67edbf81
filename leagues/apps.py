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
    from games.models import Notice
    from games.notices.letters import Letter
    from games.play.requirements import Ratings
    from games.selectors.asked import Asked
    from games.selectors.elsewhere import Elsewhere
    from games.selectors.strength import Standing


class LeaguesConfig(AppConfig):
    name = "leagues"
    verbose_name = _("Leagues")

    def ready(self) -> None:
        from accounts import export, interests
        from games.conduct import limits as conduct_limits
        from games.conduct import named_things
        from games.fair_play import company
        from games.models import Kind, NamedKind
        from games.notices import elsewhere as mails
        from games.play import requirements
        from games.selectors import asked, elsewhere, strength
        from games.signals import game_changed, game_ended
        from leagues import limits
        from leagues.seasons import renaming
        from leagues.selectors.interests import shared_seasons
        from leagues.selectors.teams import UNANSWERED

        game_ended.connect(_follow, dispatch_uid="leagues")
        game_changed.connect(_follow, dispatch_uid="leagues")
        strength.register(_standings, _expected)
        requirements.register(_numbers)
        elsewhere.register("leagues", _career)
        named_things.register(NamedKind.TEAM, renaming.TEAM)
        named_things.register(NamedKind.LEAGUE, renaming.LEAGUE)
        mails.register(Kind.LEAGUE, _mail)
        asked.register(asked.Source(UNANSWERED, _asked))
        company.register("leagues", _seasons_of)
        export.register("leagues", _own_data)
        conduct_limits.register(limits.LIMITS, resting=limits.RESTING)
        interests.register("leagues", shared_seasons)


def _standings(players: Collection[int], now: datetime) -> Mapping[int, Standing]:
    from leagues.selectors import strengths

    return strengths.standings(players, now)


def _expected(player: int, opponents: Collection[int], seats: int, now: datetime) -> float:
    from leagues.selectors import strengths

    return strengths.expected_of(player, opponents, seats, now)


def _numbers(player: int) -> Ratings:
    from leagues.selectors import strengths

    return strengths.numbers(player)


def _seasons_of(players: Collection[int]) -> Iterable[Collection[int]]:
    from leagues.selectors import company

    return company.seasons_of(players)


def _career(player: Player) -> Elsewhere:
    from games.selectors.elsewhere import Elsewhere

    return Elsewhere(gettext("Leagues"), reverse("leagues:career", args=[player.username]))


def _asked(ids: Sequence[int]) -> list[Asked]:
    from leagues.pages import team_invitation

    return team_invitation.asked(ids)


def _mail(notice: Notice, now: datetime) -> Letter | None:
    from leagues.notices import writer

    return writer.write(notice, now)


def _own_data(player: Player) -> Iterable[tuple[str, Any]]:
    from leagues.selectors import own_data

    return own_data.files(player)


def _follow(*, game: int, **kwargs: Any) -> None:
    """Games know nothing of leagues, so they say when one has ended, or changed since, and we listen."""
    from carcassonne.celery import on_commit
    from leagues import ratings
    from leagues.models import Fixture

    ratings.follow(game)
    if Fixture.objects.filter(game=game).exists():
        on_commit("leagues.tasks.advance")
