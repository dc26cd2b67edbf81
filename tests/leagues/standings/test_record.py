"""Records: played, won, drawn and lost (STAND-1 to 4)."""

from leagues.standings import DivisionResults, Entrant, GameResult, Record, Rules, SeatResult, count_records


def play(number: int, match: int, *ranks: tuple[str, int], struck: bool = False) -> GameResult:
    seats = tuple(SeatResult(name, rank, 50) for name, rank in ranks)
    return GameResult(number, match, ranks[0][0], seats, struck)


def count(rules: Rules, *games: GameResult, byes: tuple[str, ...] = ()) -> dict[object, Record]:
    entrants = tuple(Entrant(name, 1500) for name in ("Ann", "Bob", "Cid"))
    return dict(count_records(DivisionResults(entrants, games, byes, rules, 1)))


def test_a_match_of_several_games_counts_once_and_only_when_it_is_over() -> None:
    first = play(1, 1, ("Ann", 1), ("Bob", 2))
    assert count(Rules.usual(2, best_of=3), first)["Ann"] == Record()
    found = count(Rules.usual(2, best_of=3), first, play(2, 1, ("Bob", 2), ("Ann", 1)))
    assert (found["Ann"], found["Bob"]) == (Record(won=1), Record(lost=1))
    assert found["Cid"].played == 0


def test_both_of_an_even_match_have_drawn() -> None:
    found = count(Rules.usual(2), play(1, 1, ("Ann", 1), ("Bob", 1)))
    assert found["Ann"] == found["Bob"] == Record(drawn=1)


def test_a_forfeit_of_both_is_lost_by_both() -> None:
    found = count(Rules.usual(2), play(1, 1, ("Ann", 2), ("Bob", 2)))
    assert found["Ann"] == found["Bob"] == Record(lost=1)


def test_a_bye_is_won_and_what_is_struck_is_not_there() -> None:
    struck = play(1, 1, ("Ann", 1), ("Bob", 2), struck=True)
    found = count(Rules.usual(2), struck, byes=("Cid",))
    assert found == {"Ann": Record(), "Bob": Record(), "Cid": Record(won=1)}


def test_at_a_larger_table_only_the_first_has_won() -> None:
    found = count(Rules.usual(3), play(1, 1, ("Ann", 2), ("Bob", 1), ("Cid", 3)))
    assert [found[name].won for name in ("Ann", "Bob", "Cid")] == [0, 1, 0]
    assert [found[name].played for name in ("Ann", "Bob", "Cid")] == [1, 1, 1]
