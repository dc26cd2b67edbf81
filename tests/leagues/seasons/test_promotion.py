"""Tests of promotion over several seasons against an oracle of its own (STAND-13)."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.models import Entry, EntryState, Fixture, Match, Phase, Season
from leagues.seasons import drawing
from leagues.seasons.closing import close_season
from leagues.seasons.promotion import Level, compute_next_levels, list_moves
from leagues.seasons.results import write_result
from leagues.standings import Rules
from tests.games.factories import NOW, make_player
from tests.leagues import promotion_oracle
from tests.leagues.promotion_oracle import EndedSeason
from tests.leagues.season_helpers import BEGINS, begin_season, make_league, play_out_season

SIZE, DIVISIONS, SEASONS = 5, 4, 4
WITHDRAWS, CLOSES, LEAVES, COMES = 0.1, 0.05, 0.1, 6


def random_season(lot: random.Random) -> tuple[EndedSeason, int]:
    """An ended season of divisions, full or not, with players who left; and the size of a division."""
    size = lot.randrange(2, 8)
    numbers = iter(range(1000))
    shape = [lot.choice([size, size, size + lot.randrange(3), lot.randrange(1, size + 1)]) for _ in range(4)]
    divisions = [[next(numbers) for _ in range(players)] for players in shape[: lot.randrange(1, 5)]]
    up = lot.randrange(0, size // 2 + 1)
    gone = lot.choice([0.05, 0.3, 0.6])
    left = {player for players in divisions for player in players if lot.random() < gone}
    return EndedSeason(divisions, up, lot.randrange(0, size // 2 + 1), left), size


@pytest.mark.parametrize("seed", range(30))
def test_vacant_places_are_filled_as_the_text_says(seed: int) -> None:
    lot = random.Random(seed)
    for _ in range(60):
        season, size = random_season(lot)
        levels = []
        for at, players in enumerate(season.divisions):
            staying = tuple(player for player in players if player not in season.left)
            up = staying[: season.up] if at else ()
            last = staying[max(0, len(staying) - season.down) :] if at < len(season.divisions) - 1 else ()
            levels.append(Level(staying, up, tuple(player for player in last if player not in up)))
        after = compute_next_levels(levels, newcomers := [2000, 2001, 2002], size)
        season.badges = list_moves([level.staying for level in levels], after)
        assert promotion_oracle.check(season, after, size) == [], (season, after)
        everybody = sorted(player for players in after for player in players)
        assert everybody == sorted([*newcomers, *(player for level in levels for player in level.staying)])


def test_who_was_relegated_stays_only_if_nobody_else_could_rise() -> None:
    above, below = Level((1, 2, 3), down=(2, 3)), Level((4, 5, 6, 7), up=(4,))
    assert compute_next_levels([above, below], [], size=4) == [[1, 4, 5, 6], [7, 2, 3]]
    alone = Level((4,), up=(4,))
    assert compute_next_levels([above, alone], [], size=3) == [[1, 2, 4], [3]]


class FollowedLeague:
    """League with random results written as rows, which is quick, and with players who leave."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)
        self.now = NOW
        self.names = iter(range(10_000))
        rules = replace(Rules.usual(2, up=2, down=2), tie_breaks=("rating", "lot"))
        self.league = make_league(rules=rules, division_size=SIZE)
        self.ended: EndedSeason | None = None

    def run(self) -> list[str]:
        """Run all seasons, and return their faults."""
        wrong: list[str] = []
        for number in range(1, SEASONS + 1):
            season = self.league.seasons.get(number=number)
            self.register(season)
            self.now = max(self.now, season.begins) + timedelta(minutes=1)
            assert drawing.begin_season(season.pk, self.now)
            if self.ended is not None:
                wrong += self.check(season)
            self.play(season)
        return wrong

    def register(self, season: Season) -> None:
        for entry in season.entries.filter(state=EntryState.REGISTERED).select_related("player"):
            self.maybe_leave(season, entry.player)
        newcomers = DIVISIONS * SIZE if season.number == 1 else self.lot.randrange(COMES)
        for _ in range(newcomers):
            self.now += timedelta(minutes=1)
            player = make_player(f"Player{next(self.names):04}")
            seasons.register(season_id=season.pk, player=player, now=self.now)

    def maybe_leave(self, season: Season, player: Player) -> None:
        chance = self.lot.random()
        if chance < WITHDRAWS:
            seasons.withdraw(season_id=season.pk, player=player, now=self.now)
        elif chance < WITHDRAWS + CLOSES:
            Player.objects.filter(pk=player.pk).update(is_active=False)
        elif chance < WITHDRAWS + CLOSES + LEAVES and season.phase == Phase.RUNNING:
            seasons.stay(season_id=season.pk, player=player, stays=False)

    def play(self, season: Season) -> None:
        self.now += DAY
        for entry in season.entries.filter(state=EntryState.PLAYING).select_related("player"):
            self.maybe_leave(season, entry.player)
        for match in Match.objects.filter(division__season=season, decided=None).order_by("pk"):
            players = [seat.player_id for seat in match.seats.all()]
            self.lot.shuffle(players)
            result = [
                {"player": player, "rank": rank, "score": 80 - rank, "forfeit": False}
                for rank, player in enumerate(players, start=1)
            ]
            fixture = Fixture.objects.create(match=match, number=1)
            write_result(match, fixture, result, self.now)
        assert close_season(season.pk, self.now)
        entries = season.entries.exclude(division=None).select_related("player").order_by("row")
        self.ended = EndedSeason(
            divisions=[
                [entry.player_id for entry in entries if entry.division_id == division.pk]
                for division in season.divisions.order_by("level")
            ],
            up=2,
            down=2,
            left={
                entry.player_id
                for entry in entries
                if entry.state != EntryState.PLAYING or not entry.stays or not entry.player.is_active
            },
        )

    def check(self, season: Season) -> list[str]:
        assert self.ended is not None
        earlier = Entry.objects.filter(season__number=season.number - 1)
        self.ended.badges = dict(earlier.exclude(moves="").values_list("player", "moves"))
        after = [
            list(division.entries.values_list("player", flat=True))
            for division in season.divisions.order_by("level")
        ]
        return [f"season {season.number}: {what}" for what in promotion_oracle.check(self.ended, after, SIZE)]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(30))
def test_everybody_plays_where_the_text_says_season_after_season(seed: int) -> None:
    assert FollowedLeague(seed).run() == []
    assert Season.objects.filter(phase=Phase.CLOSED).count() == SEASONS


@pytest.mark.django_db
def test_a_place_that_becomes_vacant_while_one_registers_changes_who_has_moved() -> None:
    season = begin_season(8, division_size=4)
    play_out_season(season, BEGINS + DAY, played=True)
    assert badges(season) == {"Player03": "down", "Player04": "up"}
    following = Season.objects.get(number=2)
    replace_players(following, "Player00", "Player05")
    assert drawing.begin_season(following.pk, following.begins)
    assert badges(season) == {"Player03": "down", "Player04": "up", "Player06": "up"}


@pytest.mark.django_db
def test_who_does_not_come_back_has_not_moved() -> None:
    season = begin_season(8, division_size=4)
    play_out_season(season, BEGINS + DAY, played=True)
    following = Season.objects.get(number=2)
    replace_players(following, "Player03", "Player04")
    assert drawing.begin_season(following.pk, following.begins)
    assert badges(season) == {"Player05": "up"}


def replace_players(season: Season, *names: str) -> None:
    """Let players withdraw before *season* begins, and as many newcomers register."""
    for name in names:
        now, player = season.begins - DAY, Player.objects.get(username=name)
        seasons.withdraw(season_id=season.pk, player=player, now=now)
        seasons.register(season_id=season.pk, player=make_player(f"New{name}"), now=now)


def badges(season: Season) -> dict[str, str]:
    return dict(season.entries.exclude(moves="").order_by("pk").values_list("player__username", "moves"))
