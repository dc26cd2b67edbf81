"""What a process remembers follows from what it was made of, and is never taken for another's."""

from typing import Any

import pytest
from django.utils import timezone, translation

from games.memoize import remembered
from games.templatetags import games as tags

pytestmark = pytest.mark.django_db


def test_an_answer_is_made_once_for_each_object_argument_and_language() -> None:
    made: list[Any] = []

    @remembered(8)
    def answer(subject: list[int], more: str) -> str:
        made.append((subject, more))
        return f"{subject}{more}"

    one, same = [1], [1]
    assert [answer(one, "a"), answer(one, "a"), answer(same, "a"), answer(one, "b")] == [
        "[1]a",
        "[1]a",
        "[1]a",
        "[1]b",
    ]
    assert len(made) == 3
    with translation.override("pl"):
        answer(one, "a")
    assert len(made) == 4


def test_what_was_used_longest_ago_is_forgotten() -> None:
    made: list[int] = []

    @remembered(2)
    def answer(subject: tuple[int, ...]) -> int:
        made.append(subject[0])
        return subject[0]

    subjects = [(number, number) for number in range(3)]
    for subject in (*subjects, subjects[2], subjects[0]):
        answer(subject)
    assert made == [0, 1, 2, 0]


def test_a_part_of_a_page_is_rendered_once_for_equal_values_a_language_and_a_zone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered: list[Any] = []

    def render(name: str, values: dict[str, Any]) -> str:
        rendered.append((name, values))
        return f"{name} {values}"

    monkeypatch.setattr(tags, "render_to_string", render)
    monkeypatch.setattr(tags, "_parts", tags.Recent(8))
    first = tags.part("a.html", seats=(1, "x"))
    assert tags.part("a.html", seats=tuple([1, "x"])) == first and len(rendered) == 1
    assert tags.part("a.html", seats=(2, "x")) != first and tags.part("b.html", seats=(1, "x")) != first
    with translation.override("pl"):
        tags.part("a.html", seats=(1, "x"))
    with timezone.override("Asia/Tokyo"):
        tags.part("a.html", seats=(1, "x"))
    assert len(rendered) == 5
