"""Mails about the course of a season."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show_text
from games.models import Game, Kind
from games.outbox import drop_game_began, wants_mail
from games.words import clocks
from games.words.grammar import format_ordinal
from leagues.mails.base import (
    LeagueMail,
    at_second,
    find_active_players,
    find_nearest_end,
    list_first_facts,
)
from leagues.mails.teams import find_first_line_up
from leagues.models import Division, Entry, EntryState, LogEntry, Match, Phase, Season, Team, TeamMatch
from leagues.words import rounds
from leagues.words.criteria import format_result


class RegistrationOpened(LeagueMail, kind="open"):
    """Registration is open for a season, for which the reader is registered because they played before."""

    @classmethod
    def tell(cls, season: Season, before: Season, *, now: datetime) -> None:
        """Tell the players of the season *before*."""
        there = before.entries.exclude(state=EntryState.WITHDRAWN).values("player")
        again = season.entries.filter(state=EntryState.REGISTERED, player__in=there)
        cls.owe(find_active_players(again), season, now=now, season=season)

    def matters(self) -> bool:
        return self.is_registered(self.season)


class PlaceFree(LeagueMail, kind="place"):
    """The reader has moved up from the waiting list."""

    @classmethod
    def tell(cls, season: Season, player: Player, *, now: datetime) -> None:
        cls.owe([player], at_second(season, now), now=now, season=season)

    def matters(self) -> bool:
        return self.is_registered(self.season)


class CalledOff(LeagueMail, kind="called-off"):
    """A season is postponed or cancelled."""

    @classmethod
    def tell(cls, season: Season, *, now: datetime, reason: str = "") -> None:
        """Tell registered and waiting players."""
        registered = Q(entries__season=season, entries__state=EntryState.REGISTERED)
        waiting = Player.objects.filter(pk__in=season.waiting.values("player"))
        players = Player.objects.filter(registered) | waiting
        once = f"{season.pk}.{season.postponed}.{season.phase}"
        begins = season.begins.isoformat()
        cls.owe(players.distinct(), once, now=now, season=season, begins=begins, reason=reason)

    def matters(self) -> bool:
        begins = self.season.begins.isoformat()
        postponed = self.season.is_open and begins == self.about["begins"]
        return postponed or self.season.phase == Phase.CANCELLED

    def read(self) -> dict[str, Any]:
        return {"reason": show_text(self.about["reason"])}


class SeasonBegan(LeagueMail, kind="begins"):
    """A season has begun, with the reader's first opponents, and with the first line-up of a captain."""

    @classmethod
    def tell(cls, season: Season, *, now: datetime) -> None:
        players = find_active_players(season.entries.filter(state=EntryState.PLAYING))
        cls.owe(players, season, now=now, season=season)

    def matters(self) -> bool:
        entry = self.find_playing(self.season)
        if entry is None or entry.division is None:
            return False
        self.entry = entry
        return True

    def read(self) -> dict[str, Any]:
        contenders = self.season.contenders
        before = contenders.find_contender(self.season, self.entry).follows
        return {
            "entry": self.entry,
            "began": str(contenders.season_began).format(season=self.season.name),
            "moves": before.moves if before is not None else "",
            "first_facts": list_first_facts(self.entry),
            "first_end": find_nearest_end(self.entry),
            **find_first_line_up(self.season, self.reader, self.now),
        }


class RoundDrawn(LeagueMail, kind="round"):
    """The reader's opponents, or bye, in the last round drawn of a division."""

    @classmethod
    def tell(cls, division: Division, *, now: datetime) -> None:
        meet = Q(pk__in=division.matches.filter(round=division.drawn).values("seats__player"))
        bye = Q(pk__in=division.byes.filter(round=division.drawn).values("player"))
        once = f"{division.pk}.{division.drawn}"
        players = Player.objects.filter(meet | bye)
        cls.owe(players, once, now=now, division=division, round=division.drawn)

    def matters(self) -> bool:
        return self.find_playing(self.division.season) is not None

    def read(self) -> dict[str, Any]:
        division, drawn = self.division, self.about["round"]
        match = division.find_match(drawn, self.reader)
        if match is None:
            bye = drawn == division.drawn and division.gives_bye(drawn, self.reader)
            return {"name": division.name_round(drawn), "sits_out": bye}
        return {"name": match.round_name, "match": match, "opponents": match.load_opponents(self.reader)}


class ProtestTime(LeagueMail, kind="protest"):
    """The results of a round can be protested for some time before anything follows from them."""

    @classmethod
    def tell(cls, division: Division, ends: datetime) -> None:
        """Tell the players of the last round once that the time *ends*."""
        matches = division.format.find_last_matches(division)
        cls.owe(
            Player.objects.filter(pk__in=matches.values("seats__player"), is_active=True),
            f"{division.pk}.{division.drawn}",
            now=ends - division.season.settings.protest,
            division=division,
            round=division.drawn,
        )

    def matters(self) -> bool:
        return bool(self.division.drawn == self.about["round"])


class EndSoon(LeagueMail, kind="ends"):
    """Matches of the reader end soon, with the season or a round, and are not decided."""

    @classmethod
    def tell(cls, season: Season, matches: QuerySet[Match], ends: datetime, *, now: datetime) -> None:
        """Warn the players of undecided *matches*."""
        playing = season.entries.filter(state=EntryState.PLAYING)
        players = find_active_players(playing.filter(player__in=matches.values("seats__player")))
        end = ends.isoformat()
        cls.owe(players, f"{season.pk}.{end}", now=now, season=season, ends=end)

    def matters(self) -> bool:
        self.ends = datetime.fromisoformat(self.about["ends"])
        self.left = find_undecided_matches(self.season, self.reader, self.ends).count()
        return self.find_playing(self.season) is not None and self.left > 0 and self.now < self.ends

    def read(self) -> dict[str, Any]:
        at_end = clocks.explain_hard_end(self.season.settings.clock.at_end)
        return {"ends": self.ends, "left": self.left, "at_end": at_end}


class Extended(LeagueMail, kind="extended"):
    """Games of the reader end later."""

    @classmethod
    def tell(cls, season: Season, told: Mapping[datetime, Iterable[Player]], log: LogEntry) -> None:
        """Tell players the new end, with the *log* entry; each once, the nearest of their ends."""
        for ends, players in told.items():
            cls.owe(players, log, now=log.at, season=season, log=log, ends=ends.isoformat())

    def matters(self) -> bool:
        season, ends = self.season, datetime.fromisoformat(self.about["ends"])
        if season.is_open:
            return season.ends == ends
        return self.find_playing(season) is not None and (
            season.ends == ends
            or find_undecided_matches(season, self.reader, ends).exists()
            or self._find_team_matches(ends).exists()
        )

    def read(self) -> dict[str, Any]:
        ends = datetime.fromisoformat(self.about["ends"])
        first, then = (datetime.fromisoformat(self.log.details[key]) for key in ("before", "after"))
        return {"ends": ends, "before": ends - (then - first)}

    def _find_team_matches(self, ends: datetime) -> QuerySet[TeamMatch]:
        """The matches of the reader's team that have not begun and end at *ends*."""
        team = Team.objects.filter(members__player=self.reader, members__joined__isnull=False)
        mine = Q(first__in=team) | Q(second__in=team)
        return TeamMatch.objects.filter(mine, division__season=self.season, boards=None, ends=ends)


class SeasonOver(LeagueMail, kind="over"):
    """A season is over: the reader's result, and whether they are in the next one."""

    @classmethod
    def tell(cls, season: Season, *, now: datetime) -> None:
        """Tell those who played to the end."""
        players = find_active_players(season.entries.filter(state=EntryState.PLAYING))
        cls.owe(players, season, now=now, season=season)

    def matters(self) -> bool:
        entries = self.season.entries.filter(player=self.reader)
        entry = entries.select_related("division__season__league").first()
        if entry is None or entry.division is None:
            return False
        self.entry = entry
        return True

    def read(self) -> dict[str, Any]:
        later = self.season.league.seasons.filter(number=self.season.number + 1)
        following = later.select_related("league").first()
        if following is not None and not self.is_registered(following):
            following = None
        results = " ".join(list_results(self.season, self.entry))
        return {"entry": self.entry, "results": results, "following": following}


def list_results(season: Season, entry: Entry) -> Iterator[str]:
    """Yield the results of the player of *entry*, or of their team."""
    contenders = season.contenders
    there = contenders.find_contender(season, entry)
    division, seed = there.division, contenders.find_seeds(season, there).first()
    assert division is not None
    if not division.format.moves_winners_on:
        assert there.rank is not None
        everybody = division.entries if there is entry else division.teams
        all_ = everybody.filter(rank__isnull=False).count()  # without those who have left a ladder
        rank = format_ordinal(there.rank)
        yield str(contenders.final_place).format(division=division.name, team=there, rank=rank, all=all_)
    if division.format.in_tables:
        rules = season.settings.standings
        said = _("Points: {points}.") if rules.counts_points else _("Comparison: {points}.")
        yield said.format(points=format_result(there.points, there.values, rules))
    if seed is not None:
        told = rounds.format_rank(seed.rank) if seed.rank <= 2 else ""  # there may be two third places
        yield _("Knock-out: {rank}.").format(rank=told or format_ordinal(seed.rank))
    yield from season.format.list_final_sentences(season, there)


def find_undecided_matches(season: Season, player: Player, ends: datetime) -> QuerySet[Match]:
    """Return the undecided matches of *player* in *season* that still end at *ends*."""
    mine = Match.objects.filter(division__season=season, decided=None, seats__player=player)
    return mine.filter(Q(ends=ends) | Q(ends=None, division__season__ends=ends))


def drop_mails_of_game(match: Match, game: Game, players: list[Player], *, now: datetime) -> None:
    """Drop the mail that the first game of *match* begins, for players who were told their opponents by mail.

    Players of teams weren't, and after late registrations others were told wrong opponents, or none.
    """
    season = match.division.season
    late = season.entries.filter(player__in=players, registered__gt=season.begins)
    if season.contenders.told_opponents and (hasattr(match, "challenge") or not late.exists()):
        drop_game_began(game, [player for player in players if wants_mail(player, Kind.LEAGUE)], now=now)
