"""Time zones as people choose them: each place once, under the name that the pinned data give it."""

from functools import cache
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.time_zones import find_place, list_aliases, list_places, list_zones

UTC = "UTC"


@cache
def list_choices() -> list[tuple[str, object]]:
    """Choices of a select box: UTC, then the zones' cities by region."""
    by_region: dict[str, list[tuple[str, str]]] = {}
    for name in list_places():
        region, _slash, city = name.partition("/")
        by_region.setdefault(region, []).append((name, city.replace("_", " ").replace("/", " – ")))
    return [(UTC, UTC), *by_region.items()]


class TimeZoneSelect(forms.Select):
    """Select box whose options hold the aliases by which browsers report their zones
    (``static/js/site.js``)."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        aliases = [alias for alias, place in list_aliases().items() if place == value]
        if aliases:
            option["attrs"]["data-also"] = " ".join(aliases)
        return option


class TimeZoneField(forms.ChoiceField):
    """Field for the zone of a place, which takes its aliases, too."""

    widget = TimeZoneSelect

    def __init__(self, **more: Any) -> None:
        super().__init__(label=_("Time zone"), choices=list_choices, **more)

    def to_python(self, value: Any) -> str:
        return find_place(super().to_python(value))


def show_stored_zone(form: forms.BaseModelForm) -> None:
    """Show the stored ``time_zone`` in *form*: an alias as its place, a lost zone as UTC. One that is no
    place, set by a program, stays a choice."""
    stored = find_place(form.initial["time_zone"])
    form.initial["time_zone"] = stored if stored in list_zones() else UTC
    if stored in list_zones() - {UTC, *list_places()}:
        form.fields["time_zone"].choices = [(stored, stored), *list_choices()]  # type: ignore[attr-defined]
