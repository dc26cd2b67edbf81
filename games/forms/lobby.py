"""The filters of the lobby's open tables, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.forms.rule_sets import CHIPS
from games.models import Game, Seat
from games.rules.ruleset import MAX_SEATS
from games.selectors.lists import MOST_TABLES
from games.words import tables as words
from games.words.rule_sets import SETS

ONLY_BASE = "base"


class FilterPill(NamedTuple):
    """A filter, and its chosen value in words; empty if it is not set."""

    field: forms.BoundField
    chosen: str


def _up_to(days: int) -> str:
    return ngettext("Up to {n} day a turn", "Up to {n} days a turn", days).format(n=days)


def _at_least(days: int) -> str:
    return ngettext("{n} day a turn or more", "{n} days a turn or more", days).format(n=days)


def _seats(count: int) -> str:
    return words.format_seats(count)


up_to, at_least, seats = lazy(_up_to, str), lazy(_at_least, str), lazy(_seats, str)


class LobbyForm(forms.Form):
    """The filters of the lobby. Empty and invalid fields don't filter."""

    SORTED: ClassVar[dict[str, tuple[Any, Callable[[Any], Any] | None]]] = {
        "new": (gettext_lazy("newest first"), None),
        "full": (gettext_lazy("nearly full first"), attrgetter("empty", "created", "pk")),
        "fast": (gettext_lazy("shortest time first"), attrgetter("clock_settings__gain")),
    }
    DAYS = {
        **{str(n): Q(clock_settings__gain__lte=n * 86400) for n in (1, 2, 3, 7)},
        "5-": Q(clock_settings__gain__gte=5 * 86400),
    }

    sets = forms.ChoiceField(
        label=gettext_lazy("Sets"),
        choices=[
            ("", gettext_lazy("Any sets")),
            (ONLY_BASE, gettext_lazy("Base game only")),
            *((name, SETS[name]) for name in CHIPS),
        ],
        required=False,
    )
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        choices=[
            ("", pgettext_lazy("a number of seats", "Any number of seats")),
            *((n, seats(n)) for n in range(2, MAX_SEATS + 1)),
        ],
        coerce=int,
        required=False,
        empty_value=None,
    )
    days = forms.ChoiceField(
        label=gettext_lazy("Clock"),
        choices=[
            ("", gettext_lazy("Any clock")),
            *((name, up_to(int(name)) if name.isdecimal() else at_least(int(name[0]))) for name in DAYS),
        ],
        required=False,
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Host's language"),
        choices=[("", gettext_lazy("Any language")), *settings.LANGUAGES],
        required=False,
    )
    rated = forms.ChoiceField(
        label=gettext_lazy("Rating"),
        choices=[
            ("", gettext_lazy("Rated or not")),
            ("yes", pgettext_lazy("a game", "Rated")),
            ("no", pgettext_lazy("a game", "Unrated")),
        ],
        required=False,
    )
    people = forms.ChoiceField(
        label=gettext_lazy("Bots"),
        choices=[("", gettext_lazy("With or without bots")), ("on", gettext_lazy("Without bots"))],
        required=False,
    )
    sort = forms.ChoiceField(
        label=gettext_lazy("Order"),
        choices=[(name, label) for name, (label, _order) in SORTED.items()],
        required=False,
    )

    @property
    def pills(self) -> list[FilterPill]:
        """The filters, in order."""
        self.is_valid()
        pills = []
        for bound in self:
            if bound.name != "sort":
                labels = {str(value): str(label) for value, label in bound.field.choices}  # type: ignore[attr-defined]
                value = self.cleaned_data.get(bound.name)
                pills.append(FilterPill(bound, labels[str(value)] if value else ""))
        return pills

    @property
    def narrowing(self) -> list[FilterPill]:
        """The filters that are set."""
        return [pill for pill in self.pills if pill.chosen]

    def list_table_keys(self, tables: QuerySet[Game]) -> list[int]:
        """Return the keys of the newest :data:`MOST_TABLES` of *tables*, filtered and sorted. One query."""
        self.is_valid()
        data = self.cleaned_data
        matching = tables.filter(*self._conditions(data)).order_by("-created", "-pk")
        _label, by = self.SORTED[data.get("sort") or "new"]
        if by is None:
            return list(matching.values_list("pk", flat=True)[:MOST_TABLES])
        free = Seat.objects.filter(game=OuterRef("pk"), player=None, bot="").order_by().values("game")
        number = Coalesce(Subquery(free.annotate(n=Count("pk")).values("n")), 0)
        rows = matching.annotate(empty=number).values_list(
            "pk", "created", "empty", "clock_settings__gain", named=True
        )
        return [row.pk for row in sorted(rows[:MOST_TABLES], key=by)]

    def _conditions(self, data: dict[str, Any]) -> Iterator[Q]:
        if chosen := data.get("sets"):
            yield Q(rule_set__sets=["base"]) if chosen == ONLY_BASE else _with_set(chosen)
        if data.get("seats"):
            yield Q(places=data["seats"])
        if data.get("days"):
            yield self.DAYS[data["days"]]
        if data.get("language"):
            yield Q(host__language=data["language"])
        if data.get("rated"):
            yield Q(rated=data["rated"] == "yes")
        if data.get("people"):
            yield ~Q(Exists(Seat.objects.filter(~Q(bot=""), game=OuterRef("pk"))))


def _with_set(name: str) -> Q:
    """A filter on the stored JSON text, as SQLite can't search a JSON list otherwise."""
    return Q(rule_set__sets__icontains=f'"{name}"')
