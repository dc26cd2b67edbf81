"""Tests that all subjects of reports, and all verdicts, have words."""

from moderation.models import Category, Verdict
from moderation.words.reports import CATEGORIES, OUTCOMES


def test_each_category_is_explained_and_each_verdict_told() -> None:
    assert list(CATEGORIES) == Category.values
    assert list(OUTCOMES) == Verdict.values
