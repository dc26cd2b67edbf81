"""The fixed questions that a format of leagues answers.

A format is one subclass in one module of this folder, where it is found automatically. The usual answers are
those of a table in which everybody meets everybody, all rounds of which are drawn when the season begins. A
format only answers what differs; nothing else asks which one it is. What differs between players and teams is
asked of their :class:`leagues.formats.contenders.Contenders`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.access import Visitor
from games.clocks import DAY
from games.words.times import format_when_and_zone
from leagues import setting_words as words
from leagues.calendar import LEAST_TEAMS, CalendarRound, Reckoning, Stage, suggest_length
from leagues.exceptions import LeagueRefused
from leagues.models import Division, Entry, EntryState, Kind, Match, RoundMatch, Season, Seed, Team, TeamMatch
from leagues.schedules.separation import Pairs
from leagues.seasons.closing import rewrite_moves, write_moves
from leagues.seasons.joining import find_left_out, meet_everybody
from leagues.seasons.seeding import split_by_level
from leagues.seasons.tables import store_table
from leagues.seasons.teams.rounds import draw_team_tables
from leagues.selectors import division_lines as lines
from leagues.selectors.coming_steps import PreviewStep
from leagues.selectors.leagues import connect_table
from leagues.selectors.preview import DrawPreview, preview_divisions
from leagues.standings import TableStanding
from leagues.words import settings_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from leagues.settings import LeagueSettings

USUAL_DIVISION = 8
PROTESTS_BETWEEN_ROUNDS = gettext_lazy(
    "If a result is wrong, tell the organisers: the next round is drawn {time} after the last result "
    "of a round, and the season closes {time} after the last one of all."
)


class Format:
    """A format of leagues. Each method is one question, with the usual answer."""

    schedule = ""  # its name in settings; a base class has none
    kind = Kind.TABLE  # of its divisions
    divided = True  # divisions are ranked, with promotion and relegation (STAND-13)
    has_cross_table = True  # on its page; else a table of rounds
    sized = True  # divisions or groups have a size and rounds that are chosen
    has_rounds = True  # in which tables can draw the same tiles
    in_tables = True  # players have points, or a comparison, in tables
    has_outlooks = True  # for a place in them
    seeded = False  # divisions are drawn by seeds, which organisers may put in order
    plays_teams = False  # teams can play it
    has_substitutes = True  # organisers can replace a player who leaves
    takes_latecomers = False  # players can join a season in progress, in rounds to come
    has_challenges = False  # between players, who can also register while it runs
    corrects_results = True  # organisers can correct results that have counted (STAND-17)
    meets_everybody = False  # a round robin of duels: tables of running ones look at points lost (STAND-5)
    moves_winners_on = False  # whoever wins a match is in the next round
    leads_to_knock_out = False  # a division with a knock-out follows
    rounds_have_ends = False  # before that of the season (STAND-16)
    rounds_end_together = False  # all of them at such an end
    stages = 1  # that share the time of a season
    repeated = True  # usually another season follows

    def plays(self, schedule: str, seats: int) -> bool:
        """Return whether this is the format of a *schedule* with so many *seats* at a table."""
        return schedule == self.schedule

    # Settings; which ones it has, their table says (``leagues/settings.py``)

    label: StrOrPromise = ""  # among the formats of the form; a variant of another one has none
    place = 9  # among them
    labels: Mapping[str, StrOrPromise] = {}  # of settings, by name, where they aren't the usual ones
    team_labels: Mapping[str, StrOrPromise] = {"division_size": gettext_lazy("Teams in a division at most")}

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        """Yield the names of invalid values."""
        if settings.seats != 2:
            yield "schedule"

    def get_protest_time(self, settings: LeagueSettings) -> timedelta:
        """Return the time to protest against results before anything follows from them (STAND-17)."""
        return settings.protest

    def compute_least_length(self, settings: LeagueSettings) -> timedelta:
        """Return the least length of a season of single players."""
        return DAY

    def compute_least_team_length(self, settings: LeagueSettings) -> timedelta:
        """Return the time that all rounds of the largest division of teams need."""
        largest = settings.division_size + LEAST_TEAMS - 1  # the last division may have joined it
        return settings.team_rules.lasts(settings.count_meetings(largest))

    def suggest_division_size(self, seats: int, expected: int) -> int:
        """Return the usual size of a division of single players."""
        return max(USUAL_DIVISION, seats)

    def suggest_rounds(self, seats: int, players: int) -> int:
        """Return the usual number of rounds in a division of so many *players*."""
        return 1

    def suggest_lengths(
        self, settings: LeagueSettings, expected: int, longest: timedelta
    ) -> tuple[timedelta, timedelta]:
        """Return the usual lengths of a season and a challenge: until games are usually over."""
        least = settings.least_length
        if least > longest:  # no season is long enough for these
            return longest, settings.challenges.length
        return max(suggest_length(settings, players=expected), least), settings.challenges.length

    # The calendar

    def list_calendar_rounds(self, reckoning: Reckoning) -> Iterator[CalendarRound]:
        """Yield the rounds of a season before it is founded."""
        size = reckoning.size_largest_division()
        yield from reckoning.settings.contenders.list_table_rounds(reckoning, Stage.ALL, size, reckoning.ends)

    # Names

    def name_division(self, division: Division) -> str:
        return _("Division {n}").format(n=division.level)

    def name_round(self, division: Division, round: int, number: int = 1) -> str:
        """Name a *round* of *division*; the *number* of a match in it tells the match for third place from
        the final of a knock-out."""
        return _("Round {n}").format(n=round)

    def name_match(self, match: RoundMatch) -> str:
        """Name the division and round of *match*."""
        division = match.division
        return _("{division}, {round}").format(
            division=self.name_division(division), round=self.name_round(division, match.round, match.number)
        )

    # The beginning of a season

    def divide(
        self, there: Sequence[Entry | Team], settings: LeagueSettings, apart: Pairs[int] = ()
    ) -> list[list[int]]:
        """Return the players or teams of each division, by primary key. Pairs of *apart* are separated as far
        as possible (STAND-18)."""
        return split_by_level(there, settings, apart)

    def get_first_rank(self, row: int) -> int:
        """Return the rank of a player who begins in this *row* of a division."""
        return 1

    def draw_first(
        self, division: Division, players: Sequence[int], now: datetime, apart: Pairs[int]
    ) -> None:
        """Draw the rounds of *division* that can be drawn when the season begins; pairs of *apart* meet as
        rarely or as late as possible (STAND-18)."""
        raise NotImplementedError

    def draw_teams(self, season: Season, drawn: Sequence[Sequence[Team]], now: datetime) -> None:
        """Create the divisions of *season* with the teams *drawn* for them, and their rounds."""
        draw_team_tables(season, drawn, None, now)

    # Rounds

    def draw_next(self, division: Division, now: datetime) -> None:
        """Draw the next round of players of *division*, which is locked."""
        raise NotImplementedError

    def draw_next_of_teams(self, division: Division, now: datetime) -> bool:
        """Draw the next round of teams of *division*, if it is time; return whether it was. In tables all
        rounds are drawn, and wait for their dates."""
        return False

    def waits_for_finals(self, season: Season, divisions: Collection[Division] | None = None) -> bool:
        """Return whether *season* has no knock-out yet that follows its *divisions*, which may be given."""
        return False

    def goes_on(self, season: Season, now: datetime) -> bool:
        """Return whether *season* goes on even if nothing is left to play now."""
        return False

    def count_parts(self, division: Division) -> int:
        """Return the number of rounds of *division* that share its time."""
        return 1

    def get_last_round(self, division: Division) -> int:
        """Return the number of the last round that is drawn; it may not have begun."""
        return division.drawn

    def find_last_matches(self, division: Division) -> QuerySet[Match]:
        """Return the matches that are over at the same time as the last one."""
        return division.matches.all()

    def say_over(self, division: Division) -> str:
        """Say that these matches are over, without a full stop."""
        return _("{division} is over").format(division=self.name_division(division))

    # Results

    def update_standings(self, division: Division) -> list[TableStanding]:
        """Recompute and store the standings of *division*, which is locked; return its table, if it has
        one."""
        return store_table(division)

    def has_drawn_on(self, match: Match) -> bool:
        """Return whether a later round was drawn from the result of *match*."""
        return False

    def has_consequences(self, match: Match) -> bool:
        """Return whether something rests on the result of *match* of two players."""
        return self.has_drawn_on(match)

    def has_team_consequences(self, match: Match) -> bool:
        """Return whether something rests on the result of *match* at a board of teams."""
        return False

    def has_drawn_by_table(self, division: Division) -> bool:
        """Return whether a round was drawn by the table of *division*."""
        return False

    def break_tie(self, match: TeamMatch) -> Fraction:
        """Return the lead of the first team in an even *match*."""
        return Fraction()

    # Newcomers to a season in progress

    def check_takes_latecomers(self) -> None:
        """Check that players can join.

        :raises LeagueRefused: they can't
        """
        if not self.takes_latecomers:
            raise LeagueRefused("late_schedule")

    def check_takes_newcomer(self, division: Division) -> None:
        """Check that *division*, which has a free place, has rounds for a newcomer.

        :raises LeagueRefused: it hasn't
        """

    def make_room(self, division: Division) -> None:
        """Prepare *division* for a newcomer; the caller saves it."""

    def enter(self, division: Division, newcomer: Entry) -> None:
        """Create the matches of *newcomer*, whose place in *division* is stored; the caller saves the
        division."""
        meet_everybody(division, newcomer)

    def describe_newcomer(self, division: Division) -> str:
        """Describe the matches that a newcomer would play in *division*."""
        others = Entry.objects.filter(division=division, replaced_by=None)
        n = others.exclude(player__in=find_left_out(division)).count() * division.season.settings.rounds
        return ngettext("{n} more match will be played.", "{n} more matches will be played.", n).format(n=n)

    # Mails

    def list_first_facts(self, division: Division, entry: Entry) -> Iterator[tuple[str, str]]:
        """Yield what the player of *entry* needs to begin in *division*, as pairs of heading and text."""
        others = division.entries.filter(state=EntryState.PLAYING).exclude(pk=entry.pk)
        names = others.select_related("player").order_by("order", "pk")
        yield _("Opponents"), ", ".join(str(other.player) for other in names)

    # The end of a season

    def write_moves(self, season: Season) -> None:
        """Store the provisional moves between divisions after *season*."""
        write_moves(season)

    def update_moves(self, season: Season) -> None:
        """Recompute the moves after *season*, which is closed, and the places of those registered again."""
        rewrite_moves(season)

    def list_levels_after(self, season: Season) -> list[list[int]]:
        """Return the players or teams who stay after *season*, which is closed, by primary key, in their next
        divisions, each in the order in which they take places that become vacant above."""
        return season.contenders.compute_divisions_after(season)

    def keeps_order(self, before: Format) -> bool:
        """Return whether a season keeps the order in which a season of the format *before* ended."""
        return before.divided

    def list_final_sentences(self, season: Season, there: Entry | Team) -> Iterator[str]:
        """Yield sentences about success and moves of *there* in *season*, which is over; a move that isn't
        final is described as such, as a place may still become vacant."""
        if there.division is not None and there.division.level == there.rank == 1:
            yield _("You're the champion. Congratulations!")
        if there.moves == "up":
            yield _("You move up.")
        elif there.moves == "down" and season.moves_final is not None:
            yield _("You move down.")
        elif there.moves == "down":
            yield _("You move down, unless a place above becomes free before the next season starts.")

    # Pages and exports

    def build_line(self, division: Division) -> dict[str, Any]:
        """Build the line of *division* for programs (``simulate_league --json``)."""
        return lines.line_of_table(division)

    template = "leagues/division.html"

    def load_page(
        self, division: Division, asked: str | None, visitor: Visitor, now: datetime
    ) -> dict[str, Any]:
        """Return what the page of *division* shows to *visitor*, with the round *asked* for."""
        return division.contenders.load_rounds(division, asked, visitor)

    def list_rows(self, division: Division) -> Sequence[Entry | Team | Seed]:
        """Return the rows of the table of *division*, which was read with its contenders and seeds."""
        return connect_table(division, division.table)  # type: ignore[attr-defined]

    def list_shortened_divisions(self, season: Season) -> list[Division]:
        """Return the divisions of *season* that have fewer rounds than planned."""
        return []

    def preview_draw(self, season: Season, there: QuerySet[Entry], own: Entry | None) -> DrawPreview:
        """Preview the draw of the registered entries *there*; *own* is the visitor's."""
        return preview_divisions(season, there, own)

    def describe_draw(self, draw: DrawPreview) -> str:
        """Describe the *draw* of enough players."""
        players, divisions = draw.players, len(draw.sizes)
        if divisions == 1:
            return _("As things are now, all {n} players play in one division.").format(n=players)
        least, most = min(draw.sizes), max(draw.sizes)
        if least == most:
            said = _("As it stands now, {n} players are drawn into {divisions} divisions of {most}.")
        else:
            said = _(
                "As it stands now, {n} players are drawn into {divisions} divisions of {least} to {most}."
            )
        return said.format(n=players, divisions=divisions, least=least, most=most)

    def describe_team_draw(self, settings: LeagueSettings, n: int) -> str:
        """Describe the draw of *n* teams."""
        return _("As it stands now, {n} teams have enough players.").format(n=n)

    def list_coming_steps(self, season: Season, own: Entry | None) -> Iterator[PreviewStep]:
        """Yield the next steps of *season*, which runs; *own* is the visitor's entry."""
        return season.contenders.list_coming_steps(season, own)

    # Facts in words

    def describe_schedule(self, settings: LeagueSettings) -> str:
        """Describe who meets whom, among single players."""
        raise NotImplementedError

    def describe_team_schedule(self, settings: LeagueSettings) -> str:
        """Describe who meets whom, among teams; empty where teams don't play."""
        return ""

    def list_team_round_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        """Yield sentences about the dates of rounds of teams."""
        return iter(())

    def list_ranking_facts(self, settings: LeagueSettings) -> settings_text.Facts:
        """List how divisions are made and ranked, as pairs of heading and text."""
        divisions = settings_text.list_fact(settings, words.DIVISIONS)
        return [*divisions, *settings_text.list_table_facts(settings)]

    def list_match_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        """Yield sentences about matches, besides the number of games."""
        return iter(())

    # When two players meet although one has blocked the other (STAND-18)
    blocks: StrOrPromise = gettext_lazy("If neither of you can be in another division, you play each other.")

    def describe_withdrawing(self, settings: LeagueSettings) -> str:
        """Describe the effects of withdrawing from a season (STAND-4)."""
        return settings.describe("withdrawn")

    def describe_team_withdrawing(self, settings: LeagueSettings) -> str:
        """As :meth:`describe_withdrawing`, for leagues of teams."""
        return self.describe_withdrawing(settings)

    # What waits for the protest time (STAND-17), with a gap for the ``time``
    protests: StrOrPromise = gettext_lazy(
        "If a result is wrong, tell the organisers: the season closes {time} after the last result."
    )

    # The hard end of games (STAND-16)
    end_of_games: StrOrPromise = gettext_lazy("No turn can run past the end of the season.")

    def list_calendar_sentences(self) -> Iterator[str]:
        """Yield sentences about the dates of rounds."""
        return iter(())


class Undivided(Format):
    """A format without promotion and relegation, which is drawn anew each season."""

    divided = sized = False
    has_outlooks = False

    def write_moves(self, season: Season) -> None:
        pass

    def update_moves(self, season: Season) -> None:
        pass

    def list_levels_after(self, season: Season) -> list[list[int]]:
        return [season.contenders.list_staying(season)]

    def keeps_order(self, before: Format) -> bool:
        return False

    def list_final_sentences(self, season: Season, there: Entry | Team) -> Iterator[str]:
        return iter(())

    def preview_draw(self, season: Season, there: QuerySet[Entry], own: Entry | None) -> DrawPreview:
        return DrawPreview((there.count(),), None)

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        yield from super().list_faults(settings)
        if settings.standings.up or settings.standings.down:
            yield "up"


class Sequential(Format):
    """A format that draws each round from the results of those before."""

    rounds_have_ends = True

    def count_parts(self, division: Division) -> int:
        return division.rounds

    def find_last_matches(self, division: Division) -> QuerySet[Match]:
        return division.matches.filter(round=division.drawn)

    def say_over(self, division: Division) -> str:
        return _("{round} of {division} is over").format(
            round=self.name_round(division, division.drawn), division=self.name_division(division)
        )

    def has_drawn_on(self, match: Match) -> bool:
        return match.round < match.division.drawn

    def list_first_facts(self, division: Division, entry: Entry) -> Iterator[tuple[str, str]]:
        number = max(1, division.drawn)
        match = division.find_match(number, entry.player)
        if match is not None:
            yield (
                self.name_round(division, number, match.number),
                _("{player}, by {when}").format(
                    player=match.load_opponents(entry.player), when=format_when_and_zone(match.latest_end)
                ),
            )
        elif division.gives_bye(number, entry.player):
            yield self.name_round(division, number), _("You sit out, which counts as a win.")

    protests = PROTESTS_BETWEEN_ROUNDS

    end_of_games = gettext_lazy("No turn can run past the end of the round.")
