"""Lists of the admin whose cost doesn't grow with the number of rows.

No rows are counted from end to end, none are sorted but by the primary key, and no search scans the table: a
search looks up indexed keys, a filter looks through the latest rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ORDER_VAR, ChangeList
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db.models import IntegerField, Max, Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from accounts.references import list_people_fields, show_rows

MOST = 1000
"""Maximum number of rows on the pages of a list; a search finds the others."""

LATEST = 5000
"""Number of the newest keys among which a filter looks."""

Finder = Callable[[str], Q]
"""Function from the text of a search to a condition on the rows of a list, by keys that have an index."""


class FirstRows(Paginator):
    """Paginator of the first :data:`MOST` rows of a list, which doesn't count the others."""

    @cached_property
    def count(self) -> int:
        """The number of rows, at most :data:`MOST`."""
        return self._rows_and_one_more if self.whole else MOST

    @property
    def whole(self) -> bool:
        """Return whether the pages hold all rows."""
        return self._rows_and_one_more <= MOST

    @cached_property
    def _rows_and_one_more(self) -> int:
        # In the order of the list, which is that of the key: without any a database may begin with a table
        # that is joined, and pass many of its rows that have none of ours.
        rows: Any = self.object_list
        return rows.values("pk")[: MOST + 1].count()


class SortedByIndex(ChangeList):
    """A list that is sorted by no columns but those that ``sortable_by`` names. Django doesn't link to
    others, but would follow such a link."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[Any]:
        asked = self.params.get(ORDER_VAR, "")
        if not all(self._is_sortable(part) for part in asked.split(".")):
            self.params.pop(ORDER_VAR, None)
        ordering: list[Any] = super().get_ordering(request, queryset)
        return ordering

    def _is_sortable(self, part: str) -> bool:
        number = part.removeprefix("-")
        column = int(number) if number.isdecimal() and len(number) < 4 else len(self.list_display)
        return column < len(self.list_display) and self.list_display[column] in (self.sortable_by or ())


class LatestRows(SortedByIndex):
    """A list whose filters look through the latest rows only, unless something is searched."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        # The key of the newest row is one look into its index; numbers may be missing below it.
        if self.has_active_filters and not self.query and isinstance(self.lookup_opts.pk, IntegerField):
            newest = self.model._base_manager.aggregate(newest=Max("pk"))["newest"] or 0
            return rows.filter(pk__gt=newest - LATEST)
        return rows

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if not self.result_count:  # saves a second query
            self.result_list = self.queryset.none()
        elif list_people_fields(self.model):
            self.result_list = show_rows(self.result_list)


class LargeTable(admin.ModelAdmin):
    """Admin of a large table, whose list shows the latest rows first."""

    paginator = FirstRows
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # each facet would be a count
    ordering = ("-pk",)
    sortable_by = ()
    view_on_site = False  # carcassonne/admin_site.py has no such redirect
    finders: ClassVar[Sequence[Finder]] = []

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LatestRows

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Replace references to people in the row by their names."""
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            show_rows([row])
        return row

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Return any field if there are finders: Django only checks whether the list is empty."""
        return ["pk"] if self.finders else []

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows that any of :attr:`finders` matches."""
        text = search_term.strip().replace("\0", "")
        if not text:
            return queryset, False
        condition = Q(pk__in=[])
        for finder in self.finders:
            condition |= finder(text)
        return queryset.filter(condition), False

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *more: Any) -> Any:
        """Refuse an action on rows that no page of the list shows.

        :raises BadRequest: all rows are selected, and they are more than the list shows
        """
        if request.POST.get("select_across", "0") != "0" and not FirstRows(queryset, MOST).whole:
            raise BadRequest("An action on more rows than the list holds")
        return super().response_action(request, queryset, *more)


def find_exact(path: str) -> Finder:
    """Build a finder of rows whose column *path* equals the text."""
    return lambda text: Q((path, text))


def find_related(path: str, model: type[Model], finder: Finder, key: str = "pk") -> Finder:
    """Build a finder of rows whose *path* is the *key* of a row of *model* that *finder* matches.

    The latest :data:`MOST` keys are looked up first: if one of several conditions joins tables, no database
    uses an index for the others.
    """

    def find(text: str) -> Q:
        keys = model._base_manager.filter(finder(text)).order_by("-pk").values_list(key, flat=True)
        return Q((f"{path}__in", list(keys[:MOST])))

    return find
