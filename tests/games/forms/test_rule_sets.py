"""Tests of choosing the rules of a new table: presets, sets, options, refusals and advice."""

import pytest
from django.test import Client

from games.exceptions import Refused
from games.forms.tables import TableForm
from games.models import Game
from games.rules import RuleSet, list_all_options
from games.rules.modules import MODULES
from games.tables import create_table, presets
from games.tables.settings import TableSettings
from games.words import rule_sets
from tests.games.factories import NOW, make_players
from tests.games.forms.rule_set_helpers import build_form_data, find_value_index
from tests.html import Page

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def visitor() -> Client:
    client = Client()
    client.force_login(make_players(1)[0])
    return client


def made(visitor: Client, fields: dict[str, str]) -> RuleSet:
    """Send the form, and return the rules of the new table."""
    response = visitor.post("/new/", fields)
    assert response.status_code == 302, Page(response).texts(".errorlist")
    return Game.objects.get().rules


class TestPresets:
    @pytest.mark.parametrize("name", presets.PRESETS)
    def test_make_their_rule_set(self, visitor, name):
        rules = made(visitor, build_form_data(name))
        assert set(rules.sets) == {"base"} | presets.PRESETS[name].sets
        changed = rule_sets.find_unusual_options(rules)
        assert changed == dict(presets.PRESETS[name].options)

    def test_work_without_being_spread_out(self, visitor):
        rules = made(visitor, {**build_form_data("standard"), "preset": "everything"})
        assert "count" in rules.sets and rules.options["gingerbread"]

    def test_give_way_to_another_without_leaving_anything_behind(self, visitor):
        rules = made(visitor, {**build_form_data("everything"), "preset": "old"})
        assert rules.sets == ("base",)
        assert rules.options["fields"] == "first-edition"

    def test_keep_what_was_changed_by_hand(self, visitor):
        by_hand = build_form_data("river-abbot", set_river1=None, set_cult="on", option_hole_bonus="1")
        rules = made(visitor, {**by_hand, "preset": "larger"})
        assert set(rules.sets) == {"base", "inns-and-cathedrals", "traders-and-builders", "cult"}
        assert rules.options["hole_bonus"] is True


class TestDetails:
    @pytest.mark.parametrize("name", MODULES)
    def test_every_set_can_be_ticked(self, visitor, name):
        assert name in made(visitor, {**build_form_data(), f"set_{name}": "on"}).sets

    @pytest.mark.parametrize(
        ("option", "value"),
        [
            (option.name, value)
            for option in list_all_options()
            for value in option.values[1:]
            if option.name not in ("board_limit", "border_completes")
            and value not in presets.NOT_OFFERED.get(option.name, ())
        ],
    )
    def test_every_value_can_be_chosen(self, visitor, option, value):
        brought_by = next(
            (name for name, one in MODULES.items() if option in {o.name for o in one.options}), ""
        )
        rules = made(
            visitor,
            {
                **build_form_data(),
                f"set_{brought_by}": "on",
                f"option_{option}": find_value_index(option, value),
            },
        )
        assert rules.options[option] == value

    def test_a_table_can_have_a_size_and_edges_that_complete(self, visitor):
        size = {"option_board_limit": "fixed", "board_width": "11", "option_border_completes": "1"}
        rules = made(visitor, {**build_form_data(), **size})
        assert rules.options["board_limit"] == "fixed 11x19"
        assert rules.options["border_completes"] is True

    def test_options_of_sets_that_are_not_ticked_are_left_out(self, visitor):
        rules = made(visitor, build_form_data(option_gingerbread="1", option_count_move="2", figures_pig="3"))
        assert rules == RuleSet.of(seats=3)

    def test_figures_can_be_more_or_fewer(self, visitor):
        rules = made(visitor, build_form_data(figures_follower="5"))
        assert rules.figures["follower"] == 5

    def test_the_abbot_brings_an_edition_with_gardens(self, visitor):
        assert made(visitor, build_form_data(set_abbot="on")).edition == "C2"

    def test_another_edition_can_be_chosen(self, visitor):
        assert made(visitor, build_form_data(edition="J20")).edition == "J20"


class TestWhatDoesNotGoTogether:
    @pytest.mark.parametrize(
        ("changed", "field"),
        [
            ({"option_hand": "1", "option_next_tile": "1"}, "option_next_tile"),
            ({"option_hand": "1", "option_unplaceable": "1"}, "option_unplaceable"),
            ({"option_border_completes": "1"}, "option_border_completes"),
            ({"option_board_limit": "shifting", "option_border_completes": "1"}, "option_border_completes"),
            ({"set_count": "on", "option_start_tile": "1"}, "option_start_tile"),
            ({"set_river1": "on", "option_start_tile": "1"}, "option_start_tile"),
            ({"set_abbot": "on", "edition": "C1"}, "edition"),
            ({"option_sixth_player": "1", "seats": "6"}, "seats"),
        ],
    )
    def test_is_explained_at_the_field(self, visitor, changed, field):
        form = TableForm({**build_form_data(), **changed}, host=make_players(1)[0])
        assert not form.is_valid()
        assert list(form.errors) == [field]
        response = visitor.post("/new/", {**build_form_data(), **changed})
        page = Page(response)
        assert page.texts(f".field:has([name={field}]) .errorlist li") == [form.refusal]
        assert not Game.objects.exists()

    @pytest.mark.parametrize(
        "wrong",
        [{"figures_follower": "99"}, {"board_width": "10"}, {"edition": "C9"}, {"option_hand": "7"}],
    )
    def test_is_no_value_at_all(self, visitor, wrong):
        assert visitor.post("/new/", {**build_form_data(), **wrong}).status_code == 200
        assert not Game.objects.exists()


class TestWhatIsAdvisedAgainst:
    both = {"set_count": "on", "set_river2": "on"}

    def test_is_told_before_anything_is_made(self, visitor):
        page = Page(visitor.post("/new/", {**build_form_data(), **self.both}))
        (warning,) = page.texts("#notes .note.warning")
        assert warning.startswith("The rules advise against the Count together with the River II")
        assert page.values("form.setup button[name=all_the_same]") == ["count_with_river2"]
        assert not Game.objects.exists()

    def test_can_be_created_all_the_same(self, visitor):
        rules = made(visitor, {**build_form_data(), **self.both, "all_the_same": "count_with_river2"})
        assert {"count", "river2"} < set(rules.sets)

    def test_cannot_be_waved_through_by_another_word(self, visitor):
        visitor.post("/new/", {**build_form_data(), **self.both, "all_the_same": "yes"})
        assert not Game.objects.exists()


class TestRated:
    def test_expansions_can_be_rated(self, visitor):
        made(visitor, {**build_form_data("river-abbot"), "rated": "on"})
        assert Game.objects.get().rated

    @pytest.mark.parametrize(
        ("changed", "why"),
        [
            ({"option_hole_bonus": "1"}, "Extra turn for filling a hole: yes"),
            ({"option_fields": "1"}, "Fields: 3 points"),
            ({"set_count": "on", "set_river2": "on"}, "The rules advise against"),
        ],
    )
    def test_house_rules_cannot(self, visitor, changed, why):
        page = Page(visitor.post("/new/", {**build_form_data(), "rated": "on", **changed}))
        (said,) = page.texts(".field:has([name=rated]) .errorlist li")
        assert said.startswith(f"These make a game unrated: {why}")
        assert not Game.objects.exists()

    def test_nor_by_any_other_way(self):
        unusual = TableSettings(rules=RuleSet.of(options={"fields": "none"}), rated=True)
        with pytest.raises(Refused) as caught:
            create_table(host=make_players(1)[0], settings=unusual, now=NOW)
        assert caught.value.code == "rated_house_rules"


class TestSpreadingOut:
    def test_a_preset_fills_the_form_without_javascript(self, visitor):
        page = Page(
            visitor.post("/new/rules/", {**build_form_data(), "preset": "river-abbot", "name": "Albi"})
        )
        assert page.values("html form.setup [name=name]") == ["Albi"]
        assert page.has("[name=set_river1][checked]")
        assert page.values("[name=filled]") == ["river-abbot"]
        assert page.one("form.setup")["action"] == "/new/", "the button leads to the table"
        assert not page.has(".errorlist")

    def test_htmx_gets_the_form_alone(self, visitor):
        response = visitor.post("/new/rules/", {**build_form_data(), "preset": "larger"}, headers=HTMX)
        assert response["HX-Retarget"] == "#setup"
        page = Page(response)
        assert page.roots() == ["div#setup"]
        assert page.values(".chip :checked, .chip [checked]") and page.values("[name=filled]") == ["larger"]

    def test_htmx_is_told_what_a_change_comes_to(self, visitor):
        response = visitor.post("/new/rules/", build_form_data(set_count="on", set_river2="on"), headers=HTMX)
        assert "HX-Retarget" not in response
        page = Page(response)
        assert page.roots()[0] == "div#notes" and not page.has("#who")
        said = page.text(".sum")
        assert said.startswith(
            "An unrated game for 3 players: The River II, The Count of Carcassonne, 95 tiles, about 46 "
            "minutes at a table. About 3 days a move; being late once is fine."
        )
        assert said.endswith(" Not listed: anyone with the link can watch and sit down.")
        (warned,) = page.texts(".warning")
        assert warned.startswith("The rules advise against")

    def test_htmx_is_told_what_does_not_go_together(self, visitor):
        page = Page(visitor.post("/new/rules/", build_form_data(option_border_completes="1"), headers=HTMX))
        assert "choose a fixed size" in page.text("#notes .error") and not page.has(".sum")

    def test_the_preset_says_that_it_was_changed(self, visitor):
        page = Page(visitor.post("/new/rules/", build_form_data("river-abbot", set_cult="on"), headers=HTMX))
        assert page.texts("[id^=changed-]") == ["", "", ", changed", "", "", ""]
        assert page.text("#differing") == "no changes"
        page = Page(visitor.post("/new/rules/", build_form_data("river-abbot"), headers=HTMX))
        assert not any(page.texts("[id^=changed-]"))

    def test_house_rules_are_counted_and_a_single_one_is_told(self, visitor):
        page = Page(visitor.post("/new/rules/", build_form_data("first"), headers=HTMX))
        assert page.text("#differing") == "1 change"
        assert "Fields: no farmers, fields score nothing." in page.text(".sum")
        page = Page(visitor.post("/new/rules/", build_form_data("old", edition="J20"), headers=HTMX))
        assert page.text("#differing") == "3 changes"
        assert "3 house rules." in page.text(".sum")

    def test_is_no_page_to_visit(self, visitor):
        assert visitor.get("/new/rules/").url == "/new/"

    def test_makes_nothing(self, visitor):
        visitor.post("/new/rules/", build_form_data("everything"))
        assert not Game.objects.exists()


class TestWhatIsPossible:
    """Limits of bots: fewer than seats, and none in rated games; shown while choosing, refused when sent."""

    def test_bots_are_lowered_when_seats_are(self, visitor):
        page = Page(visitor.post("/new/rules/", build_form_data(seats="2", bots="3"), headers=HTMX))
        assert page.values("#who[hx-swap-oob] [name=bots][checked]") == ["1"]
        assert "The house bot takes 1 seat. The game starts at once." in page.text(".sum")

    @pytest.mark.parametrize("wrong", [{"seats": "9" * 5000}, {"bots": "9" * 5000}])
    def test_numbers_of_thousands_of_digits_are_left_to_the_form(self, visitor, wrong):
        sent = build_form_data(**{"seats": "2", "bots": "1", **wrong})
        assert visitor.post("/new/rules/", sent, headers=HTMX).status_code == 200

    def test_bots_end_a_rating(self, visitor):
        page = Page(visitor.post("/new/rules/", build_form_data(bots="1", rated="on"), headers=HTMX))
        assert page.values("#who[hx-swap-oob] [name=rated][checked]") == [""]
        assert page.text(".sum b") == "An unrated game for 3 players"

    @pytest.mark.parametrize("wrong", [{"seats": "2", "bots": "3"}, {"bots": "1", "rated": "on"}])
    def test_what_is_not_is_never_made(self, visitor, wrong):
        page = Page(visitor.post("/new/", build_form_data(**wrong)))
        assert page.has("#who .errorlist") and not Game.objects.exists()

    @pytest.mark.parametrize("odd", [{"seats": "", "bots": "x"}, {"seats": "1", "bots": "4"}, {"bots": "99"}])
    def test_what_makes_no_sense_is_left_to_the_form(self, visitor, odd):
        response = visitor.post("/new/rules/", build_form_data(**odd), headers=HTMX)
        assert response.status_code == 200 and Page(response).roots()[0] == "div#notes"


def test_every_set_is_a_chip_with_its_picture_and_what_it_brings(visitor):
    page = Page(visitor.get("/new/"))
    assert len(page.all(".chip input")) == len(MODULES.keys() & rule_sets.SETS.keys())
    inns = ".chip:has([name=set_inns-and-cathedrals])"
    assert page.text(f"{inns} .chip-words") == "Inns & Cathedrals large follower +18 tiles, +9 min"
    assert str(page.one(f"{inns} use")["href"]).endswith("#inns-and-cathedrals")
    assert page.text(".chip:has([name=set_abbot]) .chip-words") == "The Abbot abbot, gardens no tiles"


def test_every_option_leads_to_where_it_is_explained(visitor):
    links = [link.split("#option-") for link in Page(visitor.get("/new/")).links("a[href*='#option-']")]
    assert {option for _page, option in links} >= {
        option.name for option in list_all_options() if len(option.values) > 1
    }
    for page, option in links:
        assert Page(visitor.get(page)).has(f"#option-{option}")


def test_the_rules_of_a_table_are_told_in_short_and_in_full(visitor):
    visitor.post("/new/", build_form_data(set_count="on"))
    game = Game.objects.get()
    page = Page(visitor.get(f"/g/{game.code}/"))
    brief = page.facts(".terms > dl.settings")
    assert brief["Sets"] == "Base game, The Count of Carcassonne"
    assert "How the Count moves" not in brief
    assert "How the Count moves" in page.facts(".terms details dl.settings")
    assert page.link("The Count of Carcassonne") == "/rules/count/"
