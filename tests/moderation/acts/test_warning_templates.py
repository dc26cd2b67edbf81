"""Tests of templates of warnings that moderators edit: the current text, and texts that were sent."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from accounts.models import Player
from games.conduct.active_sanctions import must_be_free_to_act
from games.exceptions import Refused
from games.models import Notice, Sanction
from games.words.sanctions import TEMPLATES, Text
from moderation.acts import warning_templates
from moderation.models import WarningTemplate
from moderation.notices import letters
from moderation.selectors.own_sanctions import load_own_sanctions
from tests.games.factories import NOW, make_player
from tests.moderation.sanctioning import moderator, warned

pytestmark = pytest.mark.django_db
ENGLISH = str(TEMPLATES["insults"].text)


def save(name: str, *, who: Player | None = None, seen: int | None = None, **texts: Text) -> None:
    known = dict(warning_templates.load_templates().get(name, {}))
    last = warning_templates.find_last_change(name) if seen is None else seen
    warning_templates.save(name=name, texts={**known, **texts}, who=who or moderator(), seen=last, now=NOW)


def read(sanction: Sanction, language: str) -> tuple[str, ...]:
    """The paragraphs of *sanction* for its player in this language."""
    with translation.override(language):
        (own,) = (one for one in load_own_sanctions(sanction.player) if one.pk == sanction.pk)
        return own.paragraphs


def test_a_text_that_was_changed_counts_in_its_language_and_the_others_stay() -> None:
    polish = warning_templates.load_texts("insults")["pl"]
    save("insults", en=Text("Insults", "Stop it."))
    assert warning_templates.load_texts("insults")["en"] == "Stop it."
    assert warning_templates.load_texts("insults")["pl"] == polish != ENGLISH
    assert [(row.language, row.version) for row in WarningTemplate.objects.all()] == [("en", 1)]


def test_what_was_sent_stays_as_it_was_sent_in_every_language() -> None:
    before = warned(make_player("Anna"), now=NOW)
    polish = read(before, "pl")
    save("insults", en=Text("Insults", "Stop it."), pl=Text("Obelgi", "Dość."))
    after = warned(make_player("Bruno"), now=NOW)
    save("insults", en=Text("Insults", "Please."), pl=Text("Obelgi", "Proszę."))
    assert read(before, "en") == (ENGLISH,) and read(before, "pl") == polish != (ENGLISH,)
    assert read(after, "en") == ("Stop it.",) and read(after, "pl") == ("Dość.",)


def test_mails_and_refusals_tell_the_text_that_was_sent() -> None:
    save("insults", en=Text("Insults", "Stop it."))
    anna = make_player("Anna")
    warned(anna, now=NOW)
    save("insults", en=Text("Insults", "Please."))
    letter = letters.compose_sanction_letter(Notice.objects.get(recipient=anna))
    assert letter.context["paragraphs"][0] == "Stop it."
    with pytest.raises(Refused, match=r"Stop it\."):
        must_be_free_to_act(anna, NOW)


def test_a_text_that_is_emptied_is_the_built_in_one_again() -> None:
    save("insults", en=Text("Insults", "Stop it."))
    save("insults", en=Text("", ""))
    assert warning_templates.load_texts("insults")["en"] == ENGLISH
    assert WarningTemplate.objects.count() == 2


def test_a_new_text_is_read_in_the_language_of_the_site_where_there_is_no_other() -> None:
    save("late-resign", en=Text("Late", "Resign earlier."))
    assert ("late-resign", "Late") in warning_templates.list_titles()
    sanction = warned(make_player("Anna"), now=NOW, template="late-resign")
    assert read(sanction, "ru") == ("Resign earlier.",)


def test_a_new_text_that_was_emptied_can_be_sent_no_more() -> None:
    save("late-resign", en=Text("Late", "Resign earlier."))
    save("late-resign", en=Text("", ""))
    with pytest.raises(Refused):
        warned(make_player("Anna"), now=NOW, template="late-resign")


@pytest.mark.parametrize("name", ["", "Late", "late resign", "x" * 21, "-", "späť"])
def test_the_name_of_a_new_text_is_short_and_plain(name: str) -> None:
    with pytest.raises(Refused):
        save(name, en=Text("Late", "Resign earlier."))


@pytest.mark.parametrize("text", [Text("Late", ""), Text("", "Resign."), Text("Late", "x" * 1001)])
def test_a_text_is_whole_and_fits(text: Text) -> None:
    with pytest.raises(Refused):
        save("late", en=text)
    assert not WarningTemplate.objects.exists()


def test_whoever_looked_before_another_one_wrote_is_told_so() -> None:
    save("insults", en=Text("Insults", "Stop it."))
    with pytest.raises(Refused, match="Someone has changed"):
        save("insults", seen=0, en=Text("Insults", "Please."))


def test_is_for_moderators() -> None:
    with pytest.raises(Refused):
        save("insults", who=make_player("Anna"), en=Text("Insults", "Stop it."))


def test_all_texts_are_one_query(django_assert_num_queries: Any) -> None:
    for number in range(5):
        save(f"text-{number}", en=Text("Late", f"Resign {number}."))
    with django_assert_num_queries(1):
        assert len(warning_templates.load_templates()) == len(TEMPLATES) + 5
