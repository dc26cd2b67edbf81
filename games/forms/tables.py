"""Forms for tables: setting up, sitting down, inviting, and the archive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts import names, texts
from accounts.models import Player
from accounts.texts import TextField
from core.numerals import parse_key
from games.exceptions import Refused
from games.forms.clocks import ClockForm
from games.forms.requirements import RequirementsForm
from games.forms.rule_sets import RuleSetForm
from games.models import Colour, Seat, Visibility
from games.rules.ruleset import MAX_SEATS
from games.tables.invitations import find_greeting_refusal
from games.tables.settings import TableSettings
from games.tables.setup import compute_latest_begin
from games.words import clocks
from games.words import tables as words

VISIBILITY_WORDS = {
    Visibility.PUBLIC: gettext_lazy(
        "Public: listed in the lobby and the archive. Anyone can watch, read the table talk "
        "and take a free seat."
    ),
    Visibility.LINK: gettext_lazy(
        "By link: not listed anywhere. Anyone with the link can watch, read the table talk "
        "and take a free seat."
    ),
    Visibility.PRIVATE: gettext_lazy("Private: only its players and the people you invite can see it."),
}

SIT_DOWN = {
    Visibility.PUBLIC: pgettext_lazy("who may sit down", "Anybody"),
    Visibility.LINK: pgettext_lazy("who may sit down", "By link"),
    Visibility.PRIVATE: pgettext_lazy("who may sit down", "Invited"),
}


MOST_WORDS = 5
"""Maximum number of words in a player's name, where several names stand in a line."""


class Invitee(NamedTuple):
    """The recipient of an invitation: a player, or an email address."""

    player: Player | None
    address: str


def invitees(text: str) -> list[Invitee]:
    """Parse players and addresses in *text*, separated by commas or spaces; names may contain spaces.

    :raises ValidationError: naming every word that is neither
    """
    parts = [part.split() for part in re.split(r"[,;]", texts.normalize_text("search", text))]
    keys = {_key(words[at:to]) for words in parts for at, to in _runs(len(words))}
    people = Player.objects.with_account().filter(name_key__in=keys, is_active=True, is_bot=False)
    known = {player.name_key: player for player in people}
    asked = dict.fromkeys(invitee for words in parts for invitee in _told_apart(words, known))
    invited, wrong = [], []
    for word in asked:
        if _is_address(word):
            try:
                validate_email(word)
            except ValidationError:
                wrong.append(_("“{word}” is not an email address.").format(word=word))
            else:
                invited.append(Invitee(None, word.lower()))
        elif player := known.get(_key([word])):
            invited.append(Invitee(player, ""))
        else:
            wrong.append(_("There is no player called {word}.").format(word=word))
    if wrong:
        raise ValidationError(wrong)
    return invited


def _runs(words: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each possible name among so many words, at each start the longest first."""
    for at in range(words):
        yield from ((at, to) for to in range(min(words, at + MOST_WORDS), at, -1))


def _told_apart(words: list[str], known: Mapping[str, Player]) -> Iterator[str]:
    """Join *words* that form a *known* name, preferring longer names."""
    done = 0
    for at, to in _runs(len(words)):
        if at >= done and (to == at + 1 or _key(words[at:to]) in known):
            yield " ".join(words[at:to])
            done = to


def _key(words: list[str]) -> str:
    return names.build_key(texts.normalize_text("player", " ".join(words).lstrip("@")))


def _is_address(word: str) -> bool:
    return "@" in word.lstrip("@")


class GreetingField(TextField):
    """A message of the inviter, shown in the mail and on the page."""

    def __init__(self, **more: Any) -> None:
        label = gettext_lazy("Your message to them")
        super().__init__("greeting", label=label, required=False, **more)

    def run_validators(self, value: Any) -> None:
        forms.CharField.run_validators(self, value)
        if refused := find_greeting_refusal(value):
            raise ValidationError(refused.message)


class TableForm(ClockForm, RequirementsForm, RuleSetForm):
    """The set-up form of a table. ``settings`` and ``invitees`` are the arguments of the services."""

    AT_FIELD: Mapping[str, str] = {
        "name_too_long": "name",
        "name_link": "name",
        "text": "name",
        "clock": "clock",
        "endless": "clock_ends",
        "ends_too_soon": "clock_ends",
        "reliability": "min_reliability",
        "rating_range": "max_rating",
        "bots": "bots",
        "rated_with_bot": "rated",
        "rated_house_rules": "rated",
        "colour": "colour",
    }
    """Field that shows each refusal of the settings."""

    name = TextField("table", label=gettext_lazy("Name of the table"), required=False)
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        choices=[(n, n) for n in range(2, MAX_SEATS + 1)],
        coerce=int,
        widget=forms.RadioSelect,
        initial=2,
    )
    bots = forms.TypedChoiceField(
        label=gettext_lazy("House bots"),
        choices=[(n, n) for n in range(MAX_SEATS)],
        coerce=int,
        widget=forms.RadioSelect,
        initial=0,
    )
    invite = TextField(
        "search",
        label=gettext_lazy("Invite"),
        required=False,
        widget=forms.TextInput(
            attrs={
                "placeholder": gettext_lazy("names or email addresses"),
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )
    greeting = GreetingField()
    visibility = forms.ChoiceField(
        label=gettext_lazy("Open to"),
        choices=list(SIT_DOWN.items()),
        widget=forms.RadioSelect,
        initial=Visibility.PUBLIC,
    )
    rated = forms.TypedChoiceField(
        label=gettext_lazy("Rating"),
        choices=[
            ("on", pgettext_lazy("a game", "Rated")),
            ("", pgettext_lazy("a game", "Unrated")),
        ],
        coerce=bool,
        empty_value=False,  # type: ignore[arg-type]
        widget=forms.RadioSelect,
        required=False,
        initial="",
        help_text=gettext_lazy("Games with a bot are unrated."),
    )
    purist = forms.BooleanField(
        label=gettext_lazy("Without calculated hints"),
        required=False,
        help_text=gettext_lazy(
            "The board then shows no chances, dead spaces, majorities or points to come: "
            "everyone counts for themselves. You can look it all up once the game is over."
        ),
    )
    colour = forms.ChoiceField(
        label=gettext_lazy("Your colour"),
        choices=[("", pgettext_lazy("a colour", "any")), *Colour.choices],
        required=False,
    )

    def __init__(self, *args: Any, host: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.host = host
        self.invitees: list[Invitee] = []

    def count_changed_settings(self) -> int:
        """Return the number of settings that differ from the defaults."""
        return super().count_changed_settings() + bool(self["purist"].value())

    @cached_property
    def agreed(self) -> clocks.ClockAgreement | None:
        """The chosen clock agreement; ``None`` if the settings conflict."""
        rules, clock = self.chosen_rules, self.chosen_clock
        if rules is None or clock is None:
            return None
        ladder = self.chosen_ladder(self._chosen_number("seats"))
        began = compute_latest_begin(clock, timezone.now())
        return clocks.build_agreement(clock, ladder, rules, began=began, **self.chosen_requirements)

    @property
    def summary(self) -> words.Summary | None:
        """The chosen settings in a few sentences; ``None`` if they conflict."""
        rules, agreed = self.chosen_rules, self.agreed
        if rules is None or agreed is None:
            return None
        seats = self._chosen_number("seats")
        return words.build_summary(
            rules,
            seats=seats,
            bots=min(self._chosen_number("bots"), seats - 1),
            agreed=agreed.brief,
            visibility=_choose_valid(self["visibility"].value(), Visibility.values, Visibility.PUBLIC),
            rated=bool(self["rated"].value()),
        )

    def _chosen_number(self, name: str) -> int:
        """Return the value of a number field, or its default."""
        field = self.fields[name]
        known = [str(value) for value, _label in field.choices]  # type: ignore[attr-defined]
        return int(_choose_valid(str(self[name].value()), known, str(field.initial)))

    def clean_invite(self) -> str:
        text: str = self.cleaned_data["invite"]
        self.invitees = invitees(text)
        own = {self.host, self.host.email} - {""}
        if any(own & {who.player, who.address} for who in self.invitees):
            raise ValidationError(_("You're already at the table: invite others."))
        return text

    def clean(self) -> None:
        super().clean()
        data = self.cleaned_data
        seats, bots = data.get("seats"), data.get("bots")
        if seats is None or bots is None:
            return
        if bots < seats and len(self.invitees) > seats - 1 - bots:
            self.add_error("invite", _("There aren't that many free seats."))
        data["rules"] = self.put_together(seats)
        if data["rules"] is not None and {"name", "clock_settings", "visibility", "colour"} <= data.keys():
            for refused in self.settings.refusals():
                self.add_error(self.AT_FIELD.get(refused.code), self._complaint(refused))

    @property
    def settings(self) -> TableSettings:
        """The submitted settings, if each field is valid."""
        data = self.cleaned_data
        return TableSettings(
            rules=data["rules"],
            name=data["name"],
            clock=data["clock_settings"],
            ladder=self.chosen_ladder(data["rules"].seats),
            **self.chosen_requirements,
            visibility=Visibility(data["visibility"]),
            rated=data["rated"],
            purist=data["purist"],
            bots=data["bots"],
            colour=data["colour"],
        )

    def _complaint(self, refused: Refused) -> str:
        """Return the message beside the field, which can say more than the refusal itself."""
        if refused.code == "bots":
            most = self.cleaned_data["seats"] - 1
            return _("One seat is yours: bots can have {n} at most.").format(n=most)
        if refused.code == "rated_house_rules":
            rules = "; ".join(refused.params["barred"])
            return _("These make a game unrated: {rules}").format(rules=rules)
        return refused.message


def limit_to_possible(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the submitted fields, limited to as many bots as there are seats for, and unrated with bots."""
    values = dict(sent)
    seats, bots = parse_key(values.get("seats")), parse_key(values.get("bots"))
    if bots >= seats > 1:
        values["bots"] = str(seats - 1)
    if values.get("bots", "0") != "0":
        values["rated"] = ""
    return values


def fill_free_seats_with_bots(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the submitted fields with bots on all seats that are neither the host's nor for invited
    players."""
    seats = sent.get("seats", "")
    try:
        bots = int(seats) - 1 - len(invitees(sent.get("invite", "")))
    except (ValueError, ValidationError):  # which the form tells
        return dict(sent)
    return limit_to_possible({**sent, "bots": str(max(0, bots))})


def _choose_valid(value: str, values: Iterable[str], otherwise: str) -> str:
    return value if value in values else otherwise


class TableInviteForm(forms.Form):
    """Players or addresses to invite to a table that stands already."""

    who = TextField(
        "search",
        label=gettext_lazy("Player's name or email address"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )

    greeting = GreetingField()

    def clean_who(self) -> list[Invitee]:
        invited = invitees(self.cleaned_data["who"])
        if not invited:
            raise ValidationError(_("Enter a player's name or an email address to invite."))
        return invited


class NameForm(forms.Form):
    """The name of a table."""

    name = TextField("table", label=gettext_lazy("Name of the table"))


class SitForm(forms.Form):
    """The colour in which to sit down."""

    colour = forms.ChoiceField(label=gettext_lazy("Colour"), required=False)

    def __init__(self, *args: Any, seats: list[Seat], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        taken = {seat.colour for seat in seats}
        free = [choice for choice in Colour.choices if choice[0] not in taken]
        self.fields["colour"].choices = [("", pgettext_lazy("a colour", "any")), *free]  # type: ignore[attr-defined]


class ArchiveForm(forms.Form):
    """The players whose finished games to show."""

    player = TextField("search", label=gettext_lazy("Player"), max_length=60, required=False)
    against = TextField("search", label=gettext_lazy("Together with"), max_length=60, required=False)

    def clean_player(self) -> Player | None:
        return self._find_player(self.cleaned_data["player"])

    def clean_against(self) -> Player | None:
        return self._find_player(self.cleaned_data["against"])

    @staticmethod
    def _find_player(name: str) -> Player | None:
        if not name:
            return None
        player = Player.objects.called(name).first()
        if player is None:
            raise ValidationError(_("There is no player called {word}.").format(word=name))
        return player
