"""The declaration of a setting of a league, one line of ``leagues/settings.py``.

The field is Django's: its label, help, bounds and choices hold wherever the setting is read or written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields, replace
from dataclasses import field as declare
from datetime import timedelta
from enum import Enum
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.words.times import format_span

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from leagues.forms.formats import FormatFields

T = TypeVar("T")


class DurationField(forms.IntegerField):
    """A length of time, chosen as a whole number of *unit*."""

    def __init__(self, *, unit: timedelta, **common: Any) -> None:
        super().__init__(**common)
        self.unit = unit

    def to_python(self, value: Any) -> Any:
        number = super().to_python(value)
        return None if number is None else number * self.unit

    def run_validators(self, value: Any) -> None:
        super().run_validators(None if value is None else value / self.unit)

    def prepare_value(self, value: Any) -> Any:
        return value // self.unit if isinstance(value, timedelta) else value


class AnswerField(forms.TypedChoiceField):
    """Yes or no in words; the *choices* are what an empty field stands for, yes, and no."""

    def __init__(self, *, choices: Mapping[str, StrOrPromise], **common: Any) -> None:
        _empty, self.yes, self.no = choices
        super().__init__(choices=list(choices.items()), coerce=self.yes.__eq__, **common)

    def prepare_value(self, value: Any) -> Any:
        return {True: self.yes, False: self.no}.get(value, value)


def whole(least: int, most: int, label: StrOrPromise, **common: Any) -> forms.Field:
    return forms.IntegerField(min_value=least, max_value=most, label=label, **common)


def span(unit: timedelta, least: int, most: int, label: StrOrPromise, **common: Any) -> forms.Field:
    return DurationField(unit=unit, min_value=least, max_value=most, label=label, **common)


def choice(
    kind: Callable[[Any], Any], choices: Mapping[Any, StrOrPromise], label: StrOrPromise, **common: Any
) -> forms.Field:
    return forms.TypedChoiceField(choices=list(choices.items()), coerce=kind, label=label, **common)


def yes_no(label: StrOrPromise, **common: Any) -> forms.Field:
    return forms.BooleanField(label=label, required=False, **common)


def in_every_format(chosen: FormatFields) -> bool:
    return True


@dataclass(frozen=True)
class Setting:
    """A setting, or a part of one that has a field of its own.

    A ``sentence`` has gaps ``{n}`` or ``{time}`` for the value, and is left out if that is nothing; or there
    is one for each value, and for all others at None; or a function of the settings says it. It stands under
    the heading ``fact``, or where the format puts it. The form puts together what has no ``path`` in the
    settings, or is ``made`` of several fields.
    """

    name: str
    field: forms.Field
    sentence: StrOrPromise | Mapping[Any, StrOrPromise] | Callable[[Any], str]
    fact: StrOrPromise = ""
    path: str | None = ""  # in the value of which it is a part, if not the name
    made: bool = False
    formats: Callable[[FormatFields], bool] = in_every_format  # that have it
    log: StrOrPromise = ""  # its name in the log, if not the label
    faults: Mapping[str, StrOrPromise] = declare(
        default_factory=dict
    )  # messages by name, see ``list_faults``

    @property
    def suggested(self) -> bool:
        """Return whether the field may be empty, which stands for a value suggested for the format."""
        return not self.field.required and not isinstance(self.field, forms.BooleanField)

    def get(self, settings: Any) -> Any:
        """Return the value in *settings*; None where they don't have it, like boards without teams."""
        value = settings
        for part in self.path.split(".") if self.path else ():
            value = getattr(value, part, None)
        return value

    def put(self, settings: Any, value: Any) -> Any:
        """Return *settings* with this *value*."""
        assert self.path is not None
        return _replace_part(settings, self.path, value)

    def is_valid(self, settings: Any) -> bool:
        """Return whether the value in *settings* is within its bounds."""
        try:
            self.field.run_validators(self.get(settings) if self.path else None)
        except ValidationError:
            return False
        return True

    def describe(self, settings: Any) -> str:
        """Return its sentence about *settings*; empty if there is nothing to say."""
        value, sentence = self.get(settings), self.sentence
        if value is None:
            return ""
        if isinstance(sentence, Mapping):
            sentence = sentence.get(value, sentence.get(None, ""))
        elif callable(sentence):
            return sentence(settings)
        elif not value:
            return ""
        return sentence.format(
            **{"time": format_span(value)} if isinstance(value, timedelta) else {"n": value}
        )

    def show(self, settings: Any) -> str:
        """Return its value in *settings* in a few words; its sentence if the form puts the value together."""
        if self.path is None:
            return self.describe(settings).rstrip(".")
        value = self.get(settings)
        if isinstance(self.field, forms.BooleanField):
            return _("yes") if value else _("no")
        if isinstance(self.field, forms.ChoiceField):
            return str(dict(self.field.choices).get(self.field.prepare_value(value), value))  # type: ignore[arg-type]
        if isinstance(value, timedelta):
            return format_span(value)
        return "–" if value is None else str(value)

    @property
    def log_name(self) -> str:
        """Its name in the log."""
        return str(self.log or (self.path is None and self.fact) or self.field.label)


def _replace_part(there: Any, path: str, value: Any) -> Any:
    name, _dot, rest = path.partition(".")
    return replace(there, **{name: _replace_part(getattr(there, name), rest, value) if rest else value})


def setting(
    default: Any, field: forms.Field, sentence: Any, fact: StrOrPromise = "", *, name: str = "", **more: Any
) -> Any:
    """Declare a field of a dataclass that is one setting, of the same *name* if no other is given."""
    declared = Setting(name, field, sentence, fact, **more)
    log = declared.log or field.label or ""
    return group(declared, own=True, log=log, parse=_parse_as(default), default=default)


def group(
    *parts: Setting,
    own: bool = False,
    log: StrOrPromise,
    parse: Callable[[Any], Any],
    write: Callable[[Any], Any] | None = None,
    **default: Any,
) -> Any:
    """Declare a field of a dataclass with a value that has settings as *parts*."""
    metadata = {"parts": parts, "own": own, "log": log, "parse": parse, "write": write or _write}
    return declare(**default, metadata=metadata)


def nested(kind: type[T], log: StrOrPromise) -> Any:
    """Declare a field of a dataclass with the settings of another one."""
    return group(
        *list_settings(kind),
        log=log,
        parse=partial(parse_settings, kind),
        write=write_settings,
        default_factory=kind,
    )


def list_settings(kind: Any) -> tuple[Setting, ...]:
    """Return the settings declared in a dataclass, in their order."""
    return _list_settings(kind)


@cache
def _list_settings(kind: Any) -> tuple[Setting, ...]:
    return tuple(
        replace(each, name=each.name or there.name, path=_find_path(there, each))
        for there in fields(kind)
        for each in there.metadata["parts"]
    )


def _find_path(there: Field[Any], part: Setting) -> str | None:
    if there.metadata["own"]:
        return there.name
    return None if part.path is None else f"{there.name}.{part.path or part.name}"


def write_settings(settings: Any) -> dict[str, Any]:
    """Return the stored form of a dataclass of settings."""
    return {there.name: there.metadata["write"](getattr(settings, there.name)) for there in fields(settings)}


def parse_settings(kind: type[T], stored: Mapping[str, Any]) -> T:
    """Parse what :func:`write_settings` wrote; what is missing has its default."""
    known = [there for there in fields(kind) if stored.get(there.name) is not None]  # type: ignore[arg-type]
    return kind(**{there.name: there.metadata["parse"](stored[there.name]) for there in known})


def _write(value: Any) -> Any:
    match value:
        case timedelta():
            return int(value.total_seconds())
        case Enum():
            return value.value
        case None | bool() | int() | str():
            return value
    return value.to_json()


def _parse_as(default: Any) -> Callable[[Any], Any]:
    match default:
        case timedelta():
            return lambda stored: timedelta(seconds=stored)
        case Enum():
            return type(default)
    return lambda stored: stored
