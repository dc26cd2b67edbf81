"""Names within sentences are found again, whatever they are."""

import pytest

from games.words.people import marked, names_in, unmarked


@pytest.mark.parametrize("name", ["Anna", "city", "3", "team-a", "Łukasz"])
def test_a_name_is_found_where_it_was_put_and_nowhere_else(name: str) -> None:
    (put,) = marked([name])
    text = f"{put} completed a city of 3 tiles: Anna, city, team-a."
    assert [piece for piece, is_name in names_in(text) if is_name] == [name]
    assert unmarked(text) == f"{name} completed a city of 3 tiles: Anna, city, team-a."
    assert "".join(piece for piece, _is_name in names_in(text)) == unmarked(text)
