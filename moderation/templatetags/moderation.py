"""Filters for pages of moderation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django import template

from games.words.sanctions import choose_text
from moderation.forms.sanctions import IMPOSE
from moderation.words.signals import (
    describe_base_rate_of_pairs,
    describe_base_rate_of_people,
    format_number,
    format_percentage,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

register = template.Library()


class SanctionWay(NamedTuple):
    """A form that imposes a sanction: the last part of its URL, and its titles."""

    slug: str
    title: StrOrPromise
    short_title: StrOrPromise


@register.simple_tag
def sanction_forms() -> list[SanctionWay]:
    """Return the forms that impose sanctions."""
    return [SanctionWay(slug, form.title, form.short_title) for slug, form in IMPOSE.items()]


register.filter("in_own_language", choose_text)
register.filter("number", format_number)
register.filter("percentage", format_percentage)
register.filter("base_rate_of_pairs", describe_base_rate_of_pairs)
register.filter("base_rate_of_people", describe_base_rate_of_people)
