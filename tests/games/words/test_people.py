"""Tests that names within sentences can be found again."""

import pytest

from games.words.people import mark_names, remove_marks, split_at_names


@pytest.mark.parametrize("name", ["Anna", "city", "3", "team-a", "Łukasz"])
def test_a_name_is_found_where_it_was_put_and_nowhere_else(name: str) -> None:
    (put,) = mark_names([name])
    text = f"{put} completed a city of 3 tiles: Anna, city, team-a."
    assert [piece for piece, is_name in split_at_names(text) if is_name] == [name]
    assert remove_marks(text) == f"{name} completed a city of 3 tiles: Anna, city, team-a."
    assert "".join(piece for piece, _is_name in split_at_names(text)) == remove_marks(text)
