"""What happened, and why the rules refuse, in sentences."""

from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext, override, pgettext

from games import words
from games.rules import Deployed, IllegalAction, Returned

NAMES = ("Anna", "Bruno")


def test_the_abbot_has_the_article_that_english_asks_for() -> None:
    deployed = Deployed(seat=0, x=0, y=0, on="monastery", side=None, meeple="abbot")
    assert words.event_sentence(deployed, NAMES) == "Anna deployed an abbot: monastery."
    returned = Returned(seat=1, x=0, y=0, on="garden", side=None, meeple="abbot")
    assert words.event_sentence(returned, NAMES) == "An abbot of Bruno comes home."
    refused = IllegalAction("wrong_figure", "ABBOT-3", meeple="abbot")
    assert words.refusal(refused) == "An abbot may not stand there. (rule ABBOT-3)"


def test_a_name_that_ends_in_an_article_stays_as_it_is() -> None:
    deployed = Deployed(seat=0, x=0, y=0, on="monastery", side=None, meeple="abbot")
    assert words._with_an("team-a enters the market, and team.a asks an abbot for a ox.") == (
        "team-a enters the market, and team.a asks an abbot for an ox."
    )
    assert words.event_sentence(deployed, ("team-a", "Bruno")) == "team-a deployed an abbot: monastery."


def test_other_languages_keep_their_words() -> None:
    deployed = Deployed(seat=0, x=0, y=0, on="monastery", side=None, meeple="abbot")
    with override("pl"):
        assert " an " not in words.event_sentence(deployed, NAMES)


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES if code != "en"])
def test_to_turn_a_tile_is_another_word_than_a_turn(language: str) -> None:
    page = (Path(settings.BASE_DIR) / "templates/games/_hand.html").read_text(encoding="utf-8")
    assert '"Turn" context "a button: rotate the tile"' in page
    with override(language):
        assert pgettext("a button: rotate the tile", "Turn") != gettext("Turn")
