"""Contenders of a season: single players, or teams. Each method is one question in which the two differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import Player
from games.access import Visitor
from games.selectors.lists import NOT_SHOWN_OF_PLAYERS
from games.words.times import format_when_and_zone
from leagues.calendar import LEAST_LAST_DIVISION, LEAST_TEAMS, CalendarRound, Reckoning, Stage
from leagues.exceptions import LeagueRefused
from leagues.mails.seasons import RoundDrawn
from leagues.models import Division, Entry, EntryState, Kind, Match, Season, Seed, Team, TeamMatch, TeamMember
from leagues.schedules import Tie
from leagues.schedules.bracket import separate_seeds
from leagues.schedules.series import Series
from leagues.seasons import closing
from leagues.seasons.brackets import draw_matches, draw_team_matches
from leagues.seasons.drawing import FEWEST, begin_with_players, draw_next_of_players, load_registered
from leagues.seasons.finals import rank_players, rank_teams
from leagues.seasons.founding import open_season
from leagues.seasons.kept_apart import load_blocked_pairs
from leagues.seasons.organising import carry_over
from leagues.seasons.results import find_duels, waits_for_captain
from leagues.seasons.teams import closing as closing_of_teams
from leagues.seasons.teams import squads
from leagues.seasons.teams.boards import find_last_match, find_series
from leagues.seasons.teams.rounds import begin_teams
from leagues.seasons.teams.tables import update_matches, update_team_standings
from leagues.seasons.waiting_list import hand_down
from leagues.selectors import division_lines as lines
from leagues.selectors import teams as teams_found
from leagues.selectors.coming_steps import PreviewStep, list_steps_of_players, list_steps_of_teams
from leagues.selectors.leagues import load_all_matches, load_table
from leagues.selectors.preview import count_teams, preview_draw
from leagues.selectors.rounds import load_division_of_players, load_division_of_teams
from leagues.settings import Admission, LeagueSettings
from leagues.standings import Withdrawn
from leagues.words import teams
from leagues.words.criteria import NAMES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Contenders:
    """The usual answers are those of single players."""

    # Settings and the calendar

    substituted = True  # organisers may replace a player who leaves
    come_late = True  # by themselves, where the format lets them
    compared = True  # by the comparison with the same tiles (STAND-19)

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        """Yield the names of invalid values."""
        return iter(())

    def counts_points(self, settings: LeagueSettings) -> bool:
        """Return whether tables are ordered by points first."""
        return settings.standings.counts_points

    def get_least_division(self, settings: LeagueSettings) -> int:
        """Return the least size of the last division: a smaller one joins the one above it."""
        return max(LEAST_LAST_DIVISION, settings.seats)

    def compute_least_length(self, settings: LeagueSettings) -> timedelta:
        """Return the least length of a season."""
        return settings.format.compute_least_length(settings)

    def compute_least_rounds(self, settings: LeagueSettings, size: int) -> timedelta:
        """Return the time that all rounds of a division of this *size* need."""
        return timedelta()

    def get_line_up_time(self, settings: LeagueSettings) -> timedelta:
        """Return the time for line-ups before a round begins."""
        return timedelta()

    def list_table_rounds(
        self, reckoning: Reckoning, stage: Stage, size: int, ends: datetime
    ) -> Iterator[CalendarRound]:
        """Yield the rounds of a division or group of this *size*: all at once, or at the dates of teams."""
        settings = reckoning.settings
        at_once = settings.rounds * (size - 1 if settings.seats == 2 else 1)
        last = stage != Stage.GROUPS
        yield reckoning.build_round(stage, reckoning.begins, ends, games_at_once=at_once, last=last)

    # Rows

    in_teams = False
    noun = "players"  # in the log
    model: type[Entry | Team] = Entry
    related = "entries"  # of a division
    seed_field = "player_id"
    told_opponents = True  # by mail, before the first game

    def load_registered(self, season: Season) -> list[Any]:
        """Return the entries or teams that would begin *season* now, in order of registration."""
        return load_registered(season)

    def count_ready(self, season: Season) -> int:
        """Count the contenders who would play if *season*, which is open for registration, began now."""
        return season.entries.filter(state=EntryState.REGISTERED, player__is_active=True).count()

    def find_ranked(self) -> QuerySet[Any]:
        """Return all contenders, with what a table shows of them."""
        players = Entry.objects.select_related("player", "penalty_ruling")
        return players.defer(*NOT_SHOWN_OF_PLAYERS)

    def load_table(self, division: Division) -> list[Any]:
        """Return the contenders of *division* in the order of its table."""
        return load_table(division)

    def find_in_tables(self, season: Season) -> QuerySet[Any]:
        """Return the contenders of *season* in its tables, sorted by name."""
        entries = season.entries.filter(division__kind=Kind.TABLE).select_related("player")
        return entries.order_by("player__username")

    def find_holders_of_places(self, season: Season, keys: Collection[int]) -> QuerySet[Any]:
        """Return the rows of players or teams with these primary *keys*."""
        return season.entries.filter(player__in=keys)

    def find_registered_again(self, season: Season) -> tuple[QuerySet[Any], str]:
        """Return the rows that follow *season*, and their field with the primary key in its results."""
        return Entry.objects.filter(follows__season=season), "player"

    # Registration

    def check_may_register(self) -> None:
        """Check that players register by themselves.

        :raises LeagueRefused: they join teams
        """

    def drop_member(self, season: Season, player: Player, now: datetime) -> None:
        """Take *player*, who has withdrawn, from their team."""

    # The course of a season

    def begin_season(self, season: Season, now: datetime) -> None:
        """Begin *season*, which is locked, or postpone it."""
        begin_with_players(season, now)

    def draw_next_round(self, division: Division, now: datetime) -> bool:
        """Draw the next round of *division*, which is locked, if it is time. Return whether it was."""
        return draw_next_of_players(division, now)

    def draw_ties(self, division: Division, ties: Iterable[Tie[int]], ends: datetime, now: datetime) -> None:
        """Create the matches of the next round of a knock-out."""
        draw_matches(division, ties, ends)

    def notify_round_drawn(self, division: Division, now: datetime) -> None:
        """Tell players of the round that was drawn; of teams captains are told of line-ups."""
        RoundDrawn.tell(division, now=now)

    def rank_group(self, group: Division) -> list[int]:
        """Return the contenders of *group*, by primary key, in the order in which they go on."""
        return rank_players(group)

    def separate_seeds(
        self, season: Season, seeds: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> Sequence[int]:
        """Return *seeds* from *groups* so that blocked pairs meet late (STAND-18)."""
        return separate_seeds(seeds, load_blocked_pairs(season), groups)

    def find_holders(self, division: Division, entries: Iterable[Entry]) -> dict[int, int]:
        """Return who holds the places of *entries* in a knock-out: the player or the team, by entry."""
        return {entry.pk: entry.player_id for entry in entries}

    # Matches and games

    def find_decided_matches(self, division: Division) -> QuerySet[Any]:
        """Return the decided matches of *division*."""
        return division.matches.filter(decided__isnull=False)

    def is_decided(self, season: Season) -> bool:
        """Return whether all matches of *season* are."""
        return not Match.objects.filter(division__season=season, decided=None).exists()

    def is_division_decided(self, division: Division, undecided: int) -> bool:
        """Return whether all matches of *division* are; so many of players are *undecided*."""
        return not undecided

    def find_last_match(self, match: Match) -> Match:
        """Return the match that goes on with the series of *match*: another one after a substitution at a
        board."""
        return match

    def waits_for_captain(self, match: Match, present: Sequence[Player], now: datetime) -> bool:
        """Return whether *match* waits for a substitute of a player who isn't *present*."""
        return False

    def find_series(self, match: Match) -> Series[int] | None:
        """Return the duels of *match* so far; None at a larger table, where a match is one game."""
        return find_duels(match)

    def has_consequences(self, match: Match) -> bool:
        """Return whether something rests on the result of *match*."""
        return match.division.format.has_consequences(match)

    def update_matches(self, division: Division) -> None:
        """Recompute matches that consist of matches of players."""

    def update_table(self, division: Division) -> None:
        """Recompute the table of teams besides that of their players."""

    # Mails

    def find_contender(self, season: Season, entry: Entry) -> Entry | Team:
        """Return the contender for whom the player of *entry* plays."""
        return entry

    def find_seeds(self, season: Season, contender: Entry | Team) -> QuerySet[Seed]:
        """Return the seeds of *contender* in *season*."""
        return Seed.objects.filter(division__season=season, **{self.seed_field: contender.holder})

    def list_first_facts(self, division: Division, entry: Entry) -> Iterator[tuple[str, str]]:
        """Yield what the player of *entry* needs to begin in *division*, as pairs of heading and text."""
        return division.format.list_first_facts(division, entry)

    def find_nearest_end(self, division: Division, entry: Entry) -> datetime:
        """Return the nearest end that rules games of the player of *entry* in *division* (STAND-21)."""
        mine = division.matches.filter(seats__player=entry.player_id, decided=None)
        return min((match.latest_end for match in mine), default=division.season.ends)

    # The end of a season

    def compute_moves(self, season: Season) -> dict[int, str]:
        """Return the contenders who move between divisions, by primary key, with "up" or "down"."""
        return closing.compute_player_moves(season)

    def compute_divisions_after(self, season: Season) -> list[list[int]]:
        """Return the contenders who stay, by primary key, in their next divisions."""
        return closing.compute_divisions_after(season)

    def list_staying(self, season: Season) -> list[int]:
        """Return the contenders who stay, by primary key."""
        return closing.list_staying(season)

    def open_following(self, season: Season, now: datetime) -> Season:
        """Open the season after *season* and register those who stay."""
        following = open_season(season.league, now)
        if not following.contenders.in_teams:  # nobody has a team yet
            closing.register_again(season, following, now)
        return following

    def carry_over(self, cancelled: Season, season: Season, now: datetime) -> None:
        """Register those of *cancelled*, which never began, for *season*."""
        if not season.contenders.in_teams:
            carry_over(cancelled, season)
            hand_down(cancelled, season, now)

    # Pages and exports

    def load_rounds(self, division: Division, asked: str | None, visitor: Visitor) -> dict[str, Any]:
        """Return what the page of a table shows to *visitor*, with the round *asked* for."""
        return load_division_of_players(division, asked, visitor)

    def load_matches(self, division: Division) -> Sequence[Match | TeamMatch]:
        """Return all matches of *division* with their players and games."""
        return list(load_all_matches(division))

    def list_draw_sentences(self, season: Season, own: Entry | None) -> Iterator[str]:
        """Yield sentences about the draw of *season* as it would be now; *own* is the visitor's entry."""
        draw = preview_draw(season, own)
        if draw.players < FEWEST:
            yield _("With fewer than two players, the start is postponed.")
            return
        yield season.format.describe_draw(draw)
        if draw.own is not None and len(draw.sizes) > 1:
            yield _("You would play in division {n}.").format(n=draw.own)

    def list_coming_steps(self, season: Season, own: Entry | None) -> Iterator[PreviewStep]:
        """Yield the next steps of *season*, which runs; *own* is the visitor's entry."""
        return list_steps_of_players(season, own)

    def build_part_of_line(self, division: Division) -> dict[str, Any]:
        """Build the part of teams of the line of a table."""
        return {}

    def build_line_of_bracket(self, division: Division) -> dict[str, Any]:
        """Build the line of a knock-out."""
        return lines.line_of_bracket(division)

    # Facts in words

    def describe_briefly(self, settings: LeagueSettings) -> list[str]:
        """Describe who plays in a few words, for the line of a league; nothing about single players."""
        return []

    def describe_schedule(self, settings: LeagueSettings) -> str:
        """Describe who meets whom."""
        return settings.format.describe_schedule(settings)

    def describe_blocks(self, settings: LeagueSettings) -> str:
        """Describe when two players meet although one has blocked the other (STAND-18)."""
        return str(settings.format.blocks)

    def describe_withdrawing(self, settings: LeagueSettings) -> str:
        """Describe the effects of withdrawing from a season (STAND-4)."""
        return settings.format.describe_withdrawing(settings)

    # Texts, some with gaps
    name: StrOrPromise = gettext_lazy("Player")
    even_match: StrOrPromise = gettext_lazy("If a knock-out match is drawn, the higher seed moves on.")
    season_began: StrOrPromise = gettext_lazy(
        "{season} has started, and you're in it. Games start automatically."
    )
    final_place: StrOrPromise = gettext_lazy("{division}: you finished {rank} of {all}.")
    size_of_divisions: StrOrPromise = gettext_lazy("Up to {n} players each.")
    size_of_groups: StrOrPromise = gettext_lazy(
        "Up to {n} players each, drawn so that all are about equally strong."
    )
    seeds_from_groups: StrOrPromise = gettext_lazy(
        "By their place in the groups. Players from the same group meet again as late as possible."
    )

    def describe_points(self, settings: LeagueSettings) -> str:
        """Describe the points of a table (STAND-1, 2)."""
        if settings.standings.series:
            return _("2 for a match won, 1 for one drawn.")
        listed = " – ".join(map(str, settings.standings.points))
        return _(
            "From the first place to the last: {points}. Players who tie share the points of their places."
        ).format(points=listed)

    def describe_tie_breaks(self, settings: LeagueSettings) -> str:
        """Describe the tie-breaks between contenders with the same points."""
        listed = ", ".join(str(NAMES[name]) for name in settings.standings.tie_breaks)
        return _("Tie-breaks, in this order: {criteria}.").format(criteria=listed) if listed else ""

    def describe_running_table(self, settings: LeagueSettings) -> str:
        """Describe the order of a round robin that isn't over (STAND-5); empty for other formats."""
        if not settings.format.meets_everybody:
            return ""
        return _("Until all games are over, whoever has lost fewer points comes first among equals.")


class SinglePlayers(Contenders):
    """Single players."""


class TeamsOfPlayers(Contenders):
    """Teams, whose matches are played at boards."""

    substituted = come_late = compared = False

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        yield from settings.team_rules.faults()
        if settings.seats != 2 or not settings.format.plays_teams:
            yield "teams"
        if settings.admission != Admission.OPEN:
            yield "admission"
        if settings.standings.withdrawn == Withdrawn.STRIKE:
            yield "withdrawn"
        if settings.length < settings.least_length:
            yield "team_length"

    def counts_points(self, settings: LeagueSettings) -> bool:
        return True

    def get_least_division(self, settings: LeagueSettings) -> int:
        return LEAST_TEAMS

    def compute_least_length(self, settings: LeagueSettings) -> timedelta:
        return settings.format.compute_least_team_length(settings)

    def compute_least_rounds(self, settings: LeagueSettings, size: int) -> timedelta:
        return settings.team_rules.lasts(settings.count_meetings(size))

    def get_line_up_time(self, settings: LeagueSettings) -> timedelta:
        return settings.team_rules.begins(1)

    def list_table_rounds(
        self, reckoning: Reckoning, stage: Stage, size: int, ends: datetime
    ) -> Iterator[CalendarRound]:
        rules, meetings = reckoning.settings.team_rules, reckoning.settings.count_meetings(size)
        at_once = reckoning.count_overlapping(meetings, rules.round)
        last = stage != Stage.GROUPS
        for number in range(1, meetings + 1):
            begins = reckoning.begins + rules.begins(number)
            yield reckoning.build_round(stage, begins, ends, number=number, games_at_once=at_once, last=last)

    in_teams = True
    noun = "teams"
    model = Team
    related = "teams"
    seed_field = "team_id"
    told_opponents = False

    def load_registered(self, season: Season) -> list[Any]:
        return list(season.teams.order_by("registered", "pk"))

    def count_ready(self, season: Season) -> int:
        return count_teams(season)

    def find_ranked(self) -> QuerySet[Any]:
        return Team.objects.select_related("penalty_ruling")

    def load_table(self, division: Division) -> list[Any]:
        return teams_found.load_table(division)

    def find_in_tables(self, season: Season) -> QuerySet[Any]:
        return season.teams.filter(division__kind=Kind.TABLE).order_by("name")

    def find_holders_of_places(self, season: Season, keys: Collection[int]) -> QuerySet[Any]:
        return season.teams.filter(pk__in=keys)

    def find_registered_again(self, season: Season) -> tuple[QuerySet[Any], str]:
        return Team.objects.filter(follows__season=season), "follows"

    def check_may_register(self) -> None:
        raise LeagueRefused("teams_only")

    def drop_member(self, season: Season, player: Player, now: datetime) -> None:
        squads.drop_member(season, player, now)

    def begin_season(self, season: Season, now: datetime) -> None:
        begin_teams(season, now)

    def draw_next_round(self, division: Division, now: datetime) -> bool:
        return division.format.draw_next_of_teams(division, now)

    def draw_ties(self, division: Division, ties: Iterable[Tie[int]], ends: datetime, now: datetime) -> None:
        draw_team_matches(division, ties, ends, now)

    def notify_round_drawn(self, division: Division, now: datetime) -> None:
        pass

    def rank_group(self, group: Division) -> list[int]:
        return rank_teams(group)

    def separate_seeds(
        self, season: Season, seeds: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> Sequence[int]:
        return seeds

    def find_holders(self, division: Division, entries: Iterable[Entry]) -> dict[int, int]:
        members = TeamMember.objects.filter(team__division=division, joined__isnull=False)
        team_of = dict(members.values_list("player", "team"))
        return {entry.pk: team_of[entry.player_id] for entry in entries}

    def find_decided_matches(self, division: Division) -> QuerySet[Any]:
        return division.team_matches.filter(decided=True)

    def is_decided(self, season: Season) -> bool:
        return not TeamMatch.objects.filter(division__season=season, decided=False).exists()

    def is_division_decided(self, division: Division, undecided: int) -> bool:
        return not division.team_matches.filter(decided=False).exists()

    def find_last_match(self, match: Match) -> Match:
        return find_last_match(match)

    def waits_for_captain(self, match: Match, present: Sequence[Player], now: datetime) -> bool:
        return waits_for_captain(match, present, now)

    def find_series(self, match: Match) -> Series[int] | None:
        return find_series(match)

    def has_consequences(self, match: Match) -> bool:
        return match.division.format.has_team_consequences(match)

    def update_matches(self, division: Division) -> None:
        update_matches(division)

    def update_table(self, division: Division) -> None:
        update_team_standings(division)

    season_began = gettext_lazy("{season} has started, and your team is in it. Games start automatically.")

    final_place = gettext_lazy("{division}: your team {team} finished {rank} of {all}.")

    name = gettext_lazy("Team")

    def find_contender(self, season: Season, entry: Entry) -> Entry | Team:
        return season.teams.get(members__player=entry.player_id, members__joined__isnull=False)

    def list_first_facts(self, division: Division, entry: Entry) -> Iterator[tuple[str, str]]:
        team = Team.objects.filter(
            season=entry.season_id, members__player=entry.player_id, members__joined__isnull=False
        ).first()
        if team is None:
            return
        yield _("Team"), team.name
        matches = TeamMatch.objects.filter(Q(first=team) | Q(second=team))
        for match in matches.select_related("first", "second", "division__season").order_by("begins", "pk"):
            other = match.opponent_of(team)
            yield (
                match.round_name,
                _("{team}, {when}").format(team=other.name, when=format_when_and_zone(match.begins)),
            )

    def find_nearest_end(self, division: Division, entry: Entry) -> datetime:
        team = Q(members__player=entry.player_id, members__joined__isnull=False)
        mine = Team.objects.filter(team, season=entry.season_id).values("pk")
        matches = division.team_matches.filter(Q(first__in=mine) | Q(second__in=mine), decided=False)
        return min((match.ends or division.season.ends for match in matches), default=division.season.ends)

    def compute_moves(self, season: Season) -> dict[int, str]:
        return closing_of_teams.compute_team_moves(season)

    def compute_divisions_after(self, season: Season) -> list[list[int]]:
        return closing_of_teams.compute_divisions_after(season)

    def list_staying(self, season: Season) -> list[int]:
        return closing_of_teams.list_staying_teams(season)

    def open_following(self, season: Season, now: datetime) -> Season:
        return closing_of_teams.open_next(season, now)

    def carry_over(self, cancelled: Season, season: Season, now: datetime) -> None:
        closing_of_teams.carry_over(cancelled, season, now)

    def load_rounds(self, division: Division, asked: str | None, visitor: Visitor) -> dict[str, Any]:
        return load_division_of_teams(division, asked)

    def load_matches(self, division: Division) -> Sequence[Match | TeamMatch]:
        return teams_found.load_matches(division)

    def list_draw_sentences(self, season: Season, own: Entry | None) -> Iterator[str]:
        """Only teams with enough players take part."""
        n = count_teams(season)
        if n < FEWEST:
            yield _("With fewer than two full teams, the start is postponed.")
        else:
            yield season.format.describe_team_draw(season.settings, n)

    def list_coming_steps(self, season: Season, own: Entry | None) -> Iterator[PreviewStep]:
        return list_steps_of_teams(season)

    def build_part_of_line(self, division: Division) -> dict[str, Any]:
        return {"teams": lines.teams_of(division)}

    def build_line_of_bracket(self, division: Division) -> dict[str, Any]:
        return lines.line_of_team_bracket(division)

    def describe_briefly(self, settings: LeagueSettings) -> list[str]:
        boards = settings.team_rules.boards
        return [ngettext("Teams at {n} board", "Teams at {n} boards", boards).format(n=boards)]

    def describe_schedule(self, settings: LeagueSettings) -> str:
        return settings.format.describe_team_schedule(settings)

    def describe_blocks(self, settings: LeagueSettings) -> str:
        return _("If a line-up leaves no other board, you play each other.")

    def describe_withdrawing(self, settings: LeagueSettings) -> str:
        return settings.format.describe_team_withdrawing(settings)

    even_match = gettext_lazy(
        "If a knock-out match is drawn, the team with more points in the games at its boards moves on; if "
        "those are equal, too, the higher seed does."
    )

    size_of_divisions = gettext_lazy("Up to {n} teams each.")

    size_of_groups = gettext_lazy("Up to {n} teams each, drawn so that all are about equally strong.")

    seeds_from_groups = gettext_lazy(
        "By their place in the groups. Teams from the same group meet again as late as possible."
    )

    def describe_points(self, settings: LeagueSettings) -> str:
        return _(
            "2 for a match won, 1 for one drawn. A board won is 1 board point, a drawn one half; the team "
            "with more wins the match. Between teams with equal match points, board points decide."
        )

    def describe_tie_breaks(self, settings: LeagueSettings) -> str:
        others = (name for name in settings.standings.tie_breaks if name != "games_won")
        listed = ", ".join(str(teams.NAMES[name]) for name in ("games_won", *others))
        return _("Tie-breaks, in this order: {criteria}.").format(criteria=listed)


PLAYERS, TEAMS = SinglePlayers(), TeamsOfPlayers()
