"""Double elimination: whoever loses a match goes on in a second bracket, and is out after another
(STAND-23)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.words import times
from leagues import setting_words as words
from leagues.calendar import CalendarRound, Reckoning
from leagues.formats.knock_out import Bracket
from leagues.models import Division, Kind
from leagues.schedules import DoubleElimination, Part
from leagues.schedules.double_elimination import list_parts, locate_tie
from leagues.schedules.elimination import Elimination, Results
from leagues.seasons.brackets import build_bracket, update_bracket_standings
from leagues.selectors.preview import DrawPreview
from leagues.settings import LeagueSettings, Schedule, Seeding
from leagues.standings import TableStanding
from leagues.words import settings_text
from leagues.words.rounds import name_double_round, name_double_rounds

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SEEDED: Mapping[Seeding, StrOrPromise] = {
    Seeding.POTS: gettext_lazy(
        "By rating, with lots drawn among seeds 3 and 4, 5 to 8, and so on. The top two can't meet "
        "before the winners' final."
    ),
    Seeding.RATING: gettext_lazy("By rating. The top two can't meet before the winners' final."),
    Seeding.REGISTRATION: gettext_lazy(
        "In order of registration. The first two can't meet before the winners' final."
    ),
}
AT_STAKE: Mapping[Part, StrOrPromise] = {
    Part.MAIN: gettext_lazy("If you lose, you play on in the losers' bracket."),
    Part.LOSERS: gettext_lazy(
        "You've lost once, so you're in the losers' bracket: lose again, and you're out."
    ),
    Part.DECIDER: gettext_lazy("You've both lost once now, so this match decides."),
}


class DoubleEliminationFormat(Bracket):
    """A bracket of all players or teams, and another one for those who have lost once."""

    schedule = Schedule.DOUBLE
    kind = Kind.DOUBLE
    plays_for_third = False
    has_two_brackets = True
    label = gettext_lazy("Double elimination, for duels")
    place = 4
    brackets: Mapping[tuple[Part, ...], StrOrPromise] = {
        (Part.MAIN,): gettext_lazy("Winners' bracket"),
        (Part.LOSERS,): gettext_lazy("Losers' bracket"),
        (Part.FINAL, Part.DECIDER): gettext_lazy("Final"),
    }

    def list_faults(self, settings: LeagueSettings) -> Iterator[str]:
        yield from super().list_faults(settings)
        if settings.cup.third_place:
            yield "third_place"

    def list_calendar_rounds(self, reckoning: Reckoning) -> Iterator[CalendarRound]:
        """The deciding match is a round, which is dropped if the final has decided."""
        cup = self.build_bracket(reckoning.settings, range(reckoning.players), {}).rounds()
        for drawn in self.list_drawn_rounds(reckoning, len(cup), reckoning.begins):
            yield drawn._replace(title=name_double_rounds(len(cup), drawn.number))

    def build_bracket(
        self,
        settings: LeagueSettings,
        seeds: Sequence[int],
        results: Results[int],
        unplayed: Collection[tuple[int, int]] = (),
    ) -> Elimination[int]:
        return DoubleElimination(seeds, results, settings.standings.best_of, unplayed, settings.cup.reset)

    def update_standings(self, division: Division) -> list[TableStanding]:
        """The round of the deciding match is dropped, or comes back after a correction."""
        update_bracket_standings(division)
        division.rounds = max(division.drawn, len(build_bracket(division).rounds()))
        division.save(update_fields=["rounds"])
        return []

    out = gettext_lazy("You've lost twice, so you're out.")

    def list_round_sentences(self, division: Division, round: int, number: int) -> Iterator[str]:
        part, _n = locate_tie(division.rounds, round, number)
        if part == Part.FINAL:
            yield division.season.settings.describe("reset")
        else:
            yield str(AT_STAKE[part])

    def name_division(self, division: Division) -> str:
        return _("Double elimination")

    def name_round(self, division: Division, round: int, number: int = 0) -> str:
        if not number:
            return name_double_rounds(division.rounds, round)
        return name_double_round(division.rounds, *locate_tie(division.rounds, round, number))

    def name_round_of_bye(self, division: Division, round: int) -> str:
        """After the first round only losers have byes."""
        return name_double_round(division.rounds, *list_parts(division.rounds, round)[-1])

    def build_line(self, division: Division) -> dict[str, Any]:
        line = super().build_line(division)
        for match in line.get("teams", line)["matches"]:
            match["part"] = locate_tie(division.rounds, match["round"], match["number"])[0].value
        return line

    def describe_draw(self, draw: DrawPreview) -> str:
        return _("As it stands now, {n} players play in the double elimination.").format(n=draw.players)

    def describe_team_draw(self, settings: LeagueSettings, n: int) -> str:
        return _("As it stands now, {n} teams play in the double elimination.").format(n=n)

    def describe_schedule(self, settings: LeagueSettings) -> str:
        return _(
            "Double elimination: if you lose a match, you play on in the losers' bracket; if you lose "
            "another, you're out. The winners of both brackets meet in the final."
        )

    def describe_team_schedule(self, settings: LeagueSettings) -> str:
        return _(
            "Double elimination: a team that loses a match plays on in the losers' bracket; if it loses "
            "another, it's out. The winners of both brackets meet in the final."
        )

    def list_ranking_facts(self, settings: LeagueSettings) -> settings_text.Facts:
        places = _(
            "The later you lose for the second time, the better. Out in the same round, you share a place."
        )
        return [(str(words.SEEDS), str(SEEDED[settings.seeding])), (_("Places"), places)]

    def list_match_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        yield from super().list_match_sentences(settings)
        yield _("In the final, the winner of the winners' bracket counts as the higher seed.")
        yield settings.describe("reset")

    def list_team_round_sentences(self, settings: LeagueSettings) -> Iterator[str]:
        line_up = times.format_span(settings.team_rules.begins(1))
        yield _("Before each match there are {time} for line-ups.").format(time=line_up)

    def describe_withdrawing(self, settings: LeagueSettings) -> str:
        return _(
            "If you withdraw from a double elimination in progress, you resign your current games, and your "
            "opponents move on, in the losers' bracket, too."
        )

    def list_calendar_sentences(self) -> Iterator[str]:
        yield _("The rounds share the time left when they start equally.")
