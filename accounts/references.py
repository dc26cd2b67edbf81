"""People in texts of staff and organisers: stored as references, shown as names.

A reason outlives the account that it names, and most logs are append-only. So names are replaced by ``<@17>``
when a row is written, by :class:`PeopleText` and :class:`PeopleLine`, and looked up whenever it is read. A
closed account is shown as "a former player".

Recognised are ``@name`` of anybody, addresses of accounts, and, as whole words, the names of the people whom
the row is about (:class:`AboutPeople`). Other addresses are stored masked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from django.apps import apps
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import names
from accounts.address_hashes import mask_address

REFERENCE = re.compile(r"<@(\d{1,18})>")
ADDRESS = re.compile(r"(?<![^\s@<>(),;:\"'])[^\s@<>(),;:\"']++@[^\s@<>(),;:\"']++")
NAMED = re.compile(r"(?<![\w@])@(?!\d{1,18}>)(?=\w)")
LONGEST_NAME = 30


class AboutPeople(Protocol):
    """A row with people fields."""

    def people_named(self) -> QuerySet[Any]:
        """The players whom the row is about; their names are recognised without an ``@``."""


def store(text: str, about: QuerySet[Any] | None = None) -> str:
    """Return *text* with references instead of names: of the players *about*, and of ``@name`` of anybody.

    References that it holds already stay as they are.
    """
    text = _replace_addresses(text)
    text = _replace_named(text)
    return text if about is None else _replace_words(text, about)


def show(texts: Iterable[str]) -> list[str]:
    """*texts* with names instead of references; one query, none if they hold no reference."""
    texts = list(texts)
    keys = {int(key) for text in texts for key in REFERENCE.findall(text)}
    if not keys:
        return texts
    players = _players().filter(pk__in=keys, closed=None)
    called = dict(players.values_list("pk", "username"))

    def name(match: re.Match[str]) -> str:
        return called.get(int(match[1])) or _("a former player")

    return [REFERENCE.sub(name, text) for text in texts]


def show_text(text: str) -> str:
    """*text* with names instead of references."""
    return show([text])[0]


def show_rows(rows: Iterable[Any]) -> list[Any]:
    """Return model instances with names in their people fields; to be read, not saved. One query."""
    rows = list(rows)
    places = [(row, field.attname) for row in rows for field in list_people_fields(type(row))]
    places = [(row, name) for row, name in places if name in row.__dict__]  # skips deferred fields
    for (row, name), text in zip(places, show(getattr(*place) for place in places), strict=True):
        setattr(row, name, text)
    return rows


def show_values(values: Iterable[Mapping[str, Any]], *fields: str) -> list[dict[str, Any]]:
    """Return dictionaries with names instead of references in *fields*."""
    rows = [dict(row) for row in values]
    texts = iter(show(row[field] for row in rows for field in fields))
    for row in rows:
        row.update((field, next(texts)) for field in fields)
    return rows


def says(row: models.Model, **typed: str) -> bool:
    """Return whether the people fields of *row* were written from the texts *typed*, as by a second click."""
    fields = {field.attname: field for field in list_people_fields(type(row))}
    return all(getattr(row, name) == fields[name].to_stored(row, text) for name, text in typed.items())


def cut(text: str, longest: int | None) -> str:
    """*text* cut to *longest* characters, if there is a limit, without half a reference at its end."""
    if longest is None or len(text) <= longest:
        return text
    return re.sub(r"<@?\d*\Z", "", text[:longest])


def find_players(*keys: int | None) -> QuerySet[Any]:
    """The players with these *keys*, ignoring ``None``."""
    return _players().filter(pk__in=[key for key in keys if key is not None])


def list_people_fields(model: type[models.Model]) -> list[Any]:
    """The fields of *model* that store references to people."""
    return [field for field in model._meta.concrete_fields if isinstance(field, _WithPeople)]


def find_words(path: str) -> Callable[[str], Q]:
    """Build a finder of rows whose people field *path* holds the text, or a reference to that player."""

    def find(text: str) -> Q:
        return find_in((text, *find_references(text)), path)

    return find


def find_references(name: str) -> list[str]:
    """The reference to the player with that *name*, if there is one. One query."""
    called = _players().filter(name_key=names.build_key(name.lstrip("@")), closed=None)
    return [f"<@{key}>" for key in called.values_list("pk", flat=True)]


def find_in(texts: Iterable[str], *paths: str) -> Q:
    """Build a condition that one of the people fields *paths* holds one of *texts*, as they are stored."""
    return Q(*((f"{path}__icontains", text) for path in paths for text in texts), _connector=Q.OR)


class _WithPeople:
    """Mixin that replaces names by references when the row is saved."""

    attname: str
    max_length: int | None

    def to_stored(self, row: Any, text: str) -> str:
        """*text* as it will be stored in *row*."""
        if not text:
            return text
        longest = self.max_length if isinstance(self, models.CharField) else None
        return cut(store(text, row.people_named()), longest)

    def pre_save(self, row: Any, add: bool) -> str:
        text = self.to_stored(row, getattr(row, self.attname))
        setattr(row, self.attname, text)
        return text


class PeopleText(_WithPeople, models.TextField):
    """Text field that stores people as references. For the database and migrations it is a ``TextField``."""

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


class PeopleLine(_WithPeople, models.CharField):
    """Character field that stores people as references; its end may be cut, as these can be longer."""

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


def _players() -> Any:
    """All accounts. Looked up late, as the model has fields of this module."""
    return apps.get_model("accounts", "Player")._default_manager.all()


def _reference(key: int) -> str:
    return f"<@{key}>"


def _replace_addresses(text: str) -> str:
    addresses = {_bare(address).lower() for address in ADDRESS.findall(text)}
    if not addresses:
        return text
    owners = dict(_players().filter(email__in=addresses).values_list("email", "pk"))
    more = apps.get_model("account", "EmailAddress")._default_manager.filter(email__in=addresses)
    owners.update(more.values_list("email", "user"))
    by_address = {address.lower(): key for address, key in owners.items()}

    def replace_address(match: re.Match[str]) -> str:
        address = _bare(match[0])
        if "." not in address.partition("@")[2]:
            return match[0]
        key = by_address.get(address.lower())
        return (mask_address(address) if key is None else _reference(key)) + match[0][len(address) :]

    return ADDRESS.sub(replace_address, text)


def _bare(address: str) -> str:
    """*address* without the punctuation that ends a sentence."""
    return address.rstrip(".!?")


def _replace_named(text: str) -> str:
    """Replace ``@name`` by a reference, choosing the longest name that exists."""
    starts = [match.end() for match in NAMED.finditer(text)]
    candidates = {start: list(_prefixes(text, start)) for start in starts}
    keys = {names.build_key(name) for prefixes in candidates.values() for name in prefixes}
    if not keys:
        return text
    known = dict(_players().filter(name_key__in=keys, closed=None).values_list("name_key", "pk"))
    for start in reversed(starts):
        name = next((name for name in candidates[start] if names.build_key(name) in known), None)
        if name is not None:
            key = known[names.build_key(name)]
            text = text[: start - 1] + _reference(key) + text[start + len(name) :]
    return text


def _prefixes(text: str, start: int) -> Iterable[str]:
    """Yield what may be a name at *start* of *text*, the longest first; it ends where a word does."""
    for end in range(min(len(text), start + LONGEST_NAME), start, -1):
        if _of_word(text[end - 1]) and not _of_word(text[end : end + 1]):
            yield text[start:end]


def _of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _replace_words(text: str, about: QuerySet[Any]) -> str:
    people = about.filter(closed=None, is_bot=False).values_list("name_key", "pk")
    known = dict(people)
    if not known:
        return text
    pieces = re.split(r"(<@\d{1,18}>)", names.normalize_name(text))
    return "".join(piece if number % 2 else _named_in(piece, known) for number, piece in enumerate(pieces))


def _named_in(text: str, known: Mapping[str, int]) -> str:
    done, start = [], 0
    while start < len(text):
        begins = _of_word(text[start]) and not (start and _of_word(text[start - 1]))
        named = (
            (name for name in _prefixes(text, start) if names.build_key(name) in known)
            if begins
            else iter(())
        )
        name = next(named, None)
        done.append(text[start] if name is None else _reference(known[names.build_key(name)]))
        start += 1 if name is None else len(name)
    return "".join(done)
