"""The part of the set-up form about the rules of a game: presets, sets, edition, options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.pages.rulebook import contents
from games.rules import (
    HOUSE_RULES,
    TABLE_LENGTHS,
    InvalidRuleSet,
    Option,
    RuleSet,
    find_usual_edition,
    list_all_options,
)
from games.rules.ruleset import CORE_OPTIONS, EDITIONS, EXPANSIONS, FOLLOWERS, MOST_FIGURES
from games.tables.presets import NOT_OFFERED, PRESETS, list_rating_obstacles
from games.words import rule_sets, tables

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

USUAL_LENGTH = 19  # of a limited table (HR-10)
OPTIONS: Mapping[str, Option] = {
    option.name: option
    for option in list_all_options()
    if len(option.values) > 1 and option.name != "board_limit"
}
"""Options chosen from a list. The size of the table has fields of its own."""
OWNERS: Mapping[str, frozenset[str]] = {
    option.name: frozenset(
        name
        for name, module in EXPANSIONS.items()
        if option.name in {option.name for option in module.options}
    )
    for option in list_all_options()
}
"""Sets that bring each option; empty for an option of every game."""
FIGURES: Mapping[str, tuple[int, frozenset[str]]] = {"follower": (FOLLOWERS, frozenset())} | {
    figure: (count, frozenset({name}))
    for name, module in EXPANSIONS.items()
    for figure, count in module.figures.items()
}
"""Number of each figure that every player has, and the sets that bring it."""
CHIPS = [name for name in rule_sets.SETS if name in EXPANSIONS]
"""The expansions in the order in which they are offered."""
AT_FIELD: Mapping[str, str] = {
    "seats": "seats",
    "no_sixth_player": "seats",
    "start_is_taken": "option_start_tile",
    "border_needs_fixed_limit": "option_border_completes",
    "hand_implies_next_tile": "option_next_tile",
    "hand_without_back_in_bag": "option_unplaceable",
}
"""Field that shows each refusal of the core or of a house rule."""
SHARING: Mapping[str, tuple[str, ...]] = {
    page.slug: tuple(
        name
        for name, module in EXPANSIONS.items()
        if set(page.options) & {option.name for option in module.options}
    )
    for page in contents.EXPANSIONS
}
"""Sets that have an option in common which the page of the key set explains, such as the rivers."""


class OptionGroup(NamedTuple):
    """A group of options on the form, with links to their rules."""

    title: str
    options: list[forms.BoundField]
    links: list[tuple[str, str]]  # address and words
    css: str = ""  # says with which sets it is shown, by their places among the chips


class SetChip(NamedTuple):
    """A set with its checkbox."""

    name: str
    box: forms.BoundField
    title: StrOrPromise
    brings: StrOrPromise  # contents besides tiles
    tiles: str
    minutes: str  # additional minutes of a game; empty if there are none


class PresetPill(NamedTuple):
    """A preset to start from."""

    name: str
    radio: forms.boundfield.BoundWidget
    title: StrOrPromise
    changed: bool  # whether it is chosen, but no longer with its original values


def spread_out_preset(preset: str) -> dict[str, Any]:
    """Return the initial values of the fields for *preset*."""
    chosen = PRESETS[preset]
    shown: dict[str, Any] = {"preset": preset, "filled": preset, "edition": ""}
    shown |= {f"set_{name}": name in chosen.sets for name in EXPANSIONS}
    for name, option in OPTIONS.items():
        shown[f"option_{name}"] = str(option.values.index(chosen.options.get(name, option.default)))
    shown |= {"option_board_limit": "none", "board_width": USUAL_LENGTH, "board_height": USUAL_LENGTH}
    shown |= {f"figures_{figure}": count for figure, (count, _sets) in FIGURES.items()}
    return shown


class RuleSetForm(forms.Form):
    """Presets before details. The details show one preset (``filled``); values that differ from it were
    changed by hand, and are kept when another preset is chosen."""

    preset = forms.ChoiceField(
        label=gettext_lazy("Start from"),
        choices=[(name, preset.title) for name, preset in PRESETS.items()],
        widget=forms.RadioSelect,
    )
    filled = forms.ChoiceField(
        choices=[(name, name) for name in PRESETS], widget=forms.HiddenInput, required=False
    )
    edition = forms.ChoiceField(
        label=gettext_lazy("Edition"),
        choices=[
            ("", next(iter(rule_sets.USUAL_EDITIONS.values()), rule_sets.EDITIONS["C1"])),
            *((name, rule_sets.EDITIONS[name]) for name in EDITIONS),
        ],
        required=False,
    )
    board_width = forms.ChoiceField(
        label=gettext_lazy("Width of the table, if limited"),
        choices=[(n, n) for n in TABLE_LENGTHS],
        required=False,
    )
    board_height = forms.ChoiceField(
        label=gettext_lazy("Height of the table, if limited"),
        choices=[(n, n) for n in TABLE_LENGTHS],
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {**spread_out_preset("standard"), **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)
        self.refusal = ""
        self.fields["edition"].help_text = _more("editions")
        for name in EXPANSIONS:
            self.fields[f"set_{name}"] = forms.BooleanField(label=rule_sets.SETS[name], required=False)
        for name, option in OPTIONS.items():
            self.fields[f"option_{name}"] = forms.ChoiceField(
                label=rule_sets.OPTIONS[name],
                choices=[
                    (str(at), rule_sets.format_value(name, value))
                    for at, value in enumerate(option.values)
                    if value not in NOT_OFFERED.get(name, ())
                ],
                required=False,
                help_text=_option_help(name),
            )
        self.fields["option_board_limit"] = forms.ChoiceField(
            label=rule_sets.OPTIONS["board_limit"],
            choices=[("none", rule_sets.format_value("board_limit", "none")), *rule_sets.LIMITS.items()],
            required=False,
            help_text=_option_help("board_limit"),
        )
        for figure, (_count, _sets) in FIGURES.items():
            self.fields[f"figures_{figure}"] = forms.IntegerField(
                label=rule_sets.FIGURE_COUNTS[figure],
                min_value=0,
                max_value=MOST_FIGURES,
                required=False,
                help_text=_option_help("figures"),
            )

    @property
    def pills(self) -> list[PresetPill]:
        """The presets; the chosen one says whether it was changed."""
        begun_from, changed = self["preset"].value(), self.changed
        return [
            PresetPill(name, radio, PRESETS[name].title, changed and name == begun_from)
            for name, radio in zip(PRESETS, self["preset"], strict=True)
        ]

    @property
    def changed(self) -> bool:
        """Return whether the rules differ from those of the chosen preset."""
        rules, preset = self.chosen_rules, PRESETS.get(self["preset"].value() or "")
        return preset is None or rules is None or rules != preset.rules(seats=rules.seats)

    @property
    def chips(self) -> list[SetChip]:
        """The sets."""
        return [
            SetChip(
                name,
                self[f"set_{name}"],
                rule_sets.SETS[name],
                rule_sets.SET_ADDS.get(name, ""),
                tables.format_more_tiles(name),
                tables.format_more_minutes(name),
            )
            for name in CHIPS
        ]

    @property
    def groups(self) -> list[OptionGroup]:
        """All options: of the sets, of the base game, and house rules."""
        return [*self._of_sets(), self._base(), self._house_rules()]

    def _of_sets(self) -> Iterator[OptionGroup]:
        """Yield the options of the sets; sets that share options form one group."""
        seen: set[str] = set()
        for name, sharing in SHARING.items():
            if name not in seen:
                seen |= {name, *sharing}
                yield self._group(*dict.fromkeys((name, *sharing)))

    def _group(self, *sets: str) -> OptionGroup:
        figures = [figure for figure, (_count, brings) in FIGURES.items() if brings & set(sets)]
        return OptionGroup(
            " · ".join(str(rule_sets.SETS[name]) for name in sets),
            [
                *(self[f"option_{name}"] for name in OPTIONS if OWNERS[name] & set(sets)),
                *(self[f"figures_{figure}"] for figure in figures),
            ],
            [(_url(name), str(contents.PAGES[name].title)) for name in sets],
            " ".join(["of-set", *(f"of-{CHIPS.index(name) + 1}" for name in sets)]),
        )

    def _base(self) -> OptionGroup:
        core = [self[f"option_{option.name}"] for option in CORE_OPTIONS]
        return OptionGroup(_("Base game"), [self["edition"], *core, self["figures_follower"]], [])

    def _house_rules(self) -> OptionGroup:
        names = [option.name for module in HOUSE_RULES for option in module.options]
        fields = [self[f"option_{name}"] for name in names]
        after = names.index("board_limit") + 1
        fields[after:after] = [self["board_width"], self["board_height"]]
        return OptionGroup(_("House rules"), fields, [(_url("house-rules"), _("About house rules"))])

    def count_changed_settings(self) -> int:
        """Return the number of rules that differ from the printed ones."""
        rules = self.chosen_rules
        return 0 if rules is None else len(rule_sets.list_unusual_rules(rules))

    @property
    def notes(self) -> dict[str, Any]:
        """Notes on the chosen rules: the refusal if they conflict, else warnings and obstacles to rating."""
        rules = self.chosen_rules
        if rules is None:
            return {"refusal": self.refusal}
        barred = list_rating_obstacles(rules) if self["rated"].value() else []
        return {
            "warnings": [rule_sets.format_warning(warning) for warning in rules.warnings],
            "barred": barred,
        }

    @property
    def chosen_rules(self) -> RuleSet | None:
        """The rule set as the fields stand, if there is one; a form not yet sent shows its preset."""
        if self.is_bound:
            self.is_valid()
            return self.cleaned_data.get("rules")
        return PRESETS[self.initial["preset"]].rules()

    @property
    def unheeded(self) -> bool:
        """Return whether there is a warning that the player has not seen and overridden yet."""
        rules = self.cleaned_data["rules"]
        heeded = str(self.data.get("all_the_same", "")).split()
        return any(warning.code not in heeded for warning in rules.warnings)

    @property
    def heeded(self) -> str:
        """The codes of the warnings that the button overrides."""
        rules = self.chosen_rules
        return "" if rules is None else " ".join(warning.code for warning in rules.warnings)

    @property
    def wrong_in_groups(self) -> bool:
        """Return whether an option has an error."""
        return any(_in_groups(name) for name in self.errors)

    def clean_filled(self) -> str:
        return self.cleaned_data["filled"] or "standard"

    def put_together(self, seats: int) -> RuleSet | None:
        """Build the rule set for so many *seats*; ``None`` if it is invalid, with the error at its field."""
        data = self.cleaned_data
        if any(_is_detail(name) for name in self.errors):
            return None
        preset = PRESETS[data.get("preset") or "standard"]
        filled = PRESETS[data.get("filled") or "standard"]
        ticked = frozenset(name for name in EXPANSIONS if data.get(f"set_{name}"))
        sets = (preset.sets | ticked - filled.sets) - (filled.sets - ticked)
        chosen = ("base", *(name for name in rule_sets.SETS if name in sets))
        options = {
            name: value
            for name, value in self._options(preset.options, filled.options)
            if not OWNERS[name] or OWNERS[name] & sets
        }
        figures = self._figures(sets)
        if figures:
            options["figures"] = figures
        try:
            return RuleSet.of(
                sets=chosen,
                edition=data.get("edition") or find_usual_edition(chosen),
                options=options,
                seats=seats,
            )
        except InvalidRuleSet as error:
            self.refusal = rule_sets.explain_bad_rule_set(error)
            self.add_error(self._find_field(error), self.refusal)
            return None

    def _find_field(self, error: InvalidRuleSet) -> str | None:
        """Return the field for an error of the rule set; ``None`` for the form as a whole."""
        named = [f"option_{error.params['option']}"] if "option" in error.params else []
        named += ["edition"] if "edition" in error.params else []
        return AT_FIELD.get(error.code) or next((name for name in named if name in self.fields), None)

    def _options(self, preset: Mapping[str, Any], filled: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Each option with the preset's value, or with the one that was chosen by hand."""
        for name, option in OPTIONS.items():
            value = preset.get(name, option.default)
            at = self.cleaned_data.get(f"option_{name}")
            if at and option.values[int(at)] != filled.get(name, option.default):
                value = option.values[int(at)]
            yield name, value
        kind = self.cleaned_data.get("option_board_limit") or "none"
        if kind != "none":
            width, height = (
                self.cleaned_data.get(side) or USUAL_LENGTH for side in ("board_width", "board_height")
            )
            kind = f"{kind} {width}x{height}"
        yield "board_limit", kind

    def _figures(self, sets: frozenset[str]) -> dict[str, int]:
        """Return the numbers of figures that differ from the defaults."""
        counts = {figure: self.cleaned_data.get(f"figures_{figure}") for figure in FIGURES}
        return {
            figure: count
            for figure, count in counts.items()
            if count is not None and count != FIGURES[figure][0] and FIGURES[figure][1] <= sets
        }


def _in_groups(name: str) -> bool:
    return name.startswith(("option_", "figures_", "board_")) or name == "edition"


def _is_detail(name: str) -> bool:
    return _in_groups(name) or name.startswith("set_") or name == "preset"


def _url(page: str, option: str = "") -> str:
    return reverse("games:rules_page", args=[page]) + (f"#option-{option}" if option else "")


def _with_link(sentence: str, page: str, option: str, text: str) -> SafeString:
    return format_html('{} <a href="{}" target="_blank">{}</a>', sentence, _url(page, option), text)


def _option_help(name: str) -> SafeString:
    page = contents.find_page(name)
    rule = _("Rule {number}").format(number=rule_sets.find_rule_number(name))
    return _with_link(str(rule_sets.HINTS[name]), page.slug, name, rule)


def _more(page: str) -> SafeString:
    shown = contents.PAGES[page]
    return _with_link(str(shown.line), page, "", str(shown.title))
