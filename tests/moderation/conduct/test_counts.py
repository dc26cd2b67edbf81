"""Tests of the public summary of a year."""

from datetime import UTC, datetime
from typing import Any

import pytest

from moderation.acts import sanctions
from moderation.models import AppealOutcome
from moderation.selectors.yearly_counts import APPEALS, OPEN, SANCTIONS
from tests.games.factories import NOW, make_player
from tests.moderation.conduct.sanctioning import moderator, mute, suspend, warned

pytestmark = pytest.mark.django_db
LAST = datetime(2025, 12, 31, 23, 59, tzinfo=UTC)


def test_counts_kinds_and_outcomes_of_each_year_in_a_query_each(django_assert_num_queries: Any) -> None:
    anna = make_player("Anna")
    warned(anna, LAST)
    first, second, _third = suspend(anna), warned(anna), warned(anna)
    mute(anna, LAST)
    for made in (first, second):
        sanctions.appeal(sanction_id=made.pk, player=anna, words="Please.", now=NOW)
    sanctions.answer(
        appeal_id=first.appeal.pk, who=moderator("Mona"), outcome=AppealOutcome.UPHELD, words="No.", now=NOW
    )
    with django_assert_num_queries(2):
        imposed, appealed = set(SANCTIONS.find()), set(APPEALS.find())
    assert imposed == {
        (2026, "warning", 2), (2026, "suspension", 1), (2025, "warning", 1), (2025, "mute", 1),
    }  # fmt: skip
    assert appealed == {(2026, "upheld", 1), (2026, OPEN, 1)}
    assert {kind for _year, kind, _n in imposed | appealed} <= {*SANCTIONS.labels, *APPEALS.labels}
