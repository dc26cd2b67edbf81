"""Tests of sanctions: permissions, ends, appeals, the log."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.models import Player
from accounts.services import close_account
from games.conduct import active_sanctions
from games.exceptions import Refused
from games.models import Notice, Sanction, SanctionKind
from moderation.acts import sanctions
from moderation.models import Appeal, AppealOutcome, ConductAct
from tests.games.factories import NOW, make_player
from tests.moderation.sanctioning import DAY, asked, moderator, mute, suspend, warned

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


def refused(act: Any, *args: Any, **kwargs: Any) -> str:
    with transaction.atomic(), pytest.raises(Refused) as why:
        act(*args, **kwargs)
    assert why.value.message
    return why.value.code


class TestQuestions:
    def test_who_was_never_sanctioned_costs_no_query(
        self, anna: Player, django_assert_num_queries: Any
    ) -> None:
        with django_assert_num_queries(0):
            assert active_sanctions.find_unread_warning(anna) is None
            assert (
                active_sanctions.find_mute_end(anna, NOW)
                is active_sanctions.find_suspension_end(anna, NOW)
                is None
            )
            active_sanctions.must_be_free_to_speak(anna, NOW)

    def test_each_costs_one_query_of_who_was(self, anna: Player, django_assert_num_queries: Any) -> None:
        suspend(anna)
        for ask in (active_sanctions.find_mute_end, active_sanctions.find_suspension_end):
            with django_assert_num_queries(1):
                ask(anna, NOW)
        with django_assert_num_queries(1):
            active_sanctions.find_unread_warning(anna)

    def test_the_longest_one_counts_and_ends_by_itself(self, anna: Player) -> None:
        for days in (3, 7):
            mute(anna, days=days)
        suspend(anna, days=1)
        assert active_sanctions.find_mute_end(anna, NOW) == NOW + 7 * DAY
        assert active_sanctions.find_suspension_end(anna, NOW) == NOW + DAY
        assert active_sanctions.find_suspension_end(anna, NOW + DAY) is None
        assert active_sanctions.find_mute_end(anna, NOW + 7 * DAY) is None

    def test_a_warning_counts_until_it_is_read_by_whom_it_is_for(self, anna: Player) -> None:
        warning = warned(anna)
        sanctions.acknowledge(sanction_id=warning.pk, player=make_player("Bruno"), now=NOW)
        assert active_sanctions.find_unread_warning(anna) == warning
        sanctions.acknowledge(sanction_id=warning.pk, player=anna, now=NOW + DAY)
        sanctions.acknowledge(sanction_id=warning.pk, player=anna, now=NOW + 2 * DAY)
        assert active_sanctions.find_unread_warning(anna) is None
        warning.refresh_from_db()
        assert warning.acknowledged == NOW + DAY


class TestRefusalsSay:
    def test_until_when_and_where_to_appeal(self, anna: Player) -> None:
        suspend(anna)
        with pytest.raises(Refused) as why:
            active_sanctions.must_not_be_suspended(anna, NOW)
        assert "until 8 March 2026, 12:00" in why.value.message
        assert "/conduct/" in why.value.message

    def test_the_warning_itself(self, anna: Player) -> None:
        warned(anna, words="On Sunday {again}.")
        with pytest.raises(Refused) as why:
            active_sanctions.must_be_free_to_act(anna, NOW)
        assert "as you would at a real table. On Sunday {again}." in why.value.message


class TestImposing:
    @pytest.mark.parametrize(
        ("given", "code"),
        [
            ({"reason": " "}, "sanction_reason"),
            ({"reason": "x" * 501}, "sanction_reason"),
            ({"template": "", "words": " "}, "sanction_words"),
            ({"template": "no-such"}, "sanction_words"),
            ({"words": "x" * 1001}, "sanction_words_too_long"),
        ],
    )
    def test_says_why_to_both(self, anna: Player, given: dict[str, str], code: str) -> None:
        assert refused(sanctions.impose, SanctionKind.WARNING, asked(anna, **given)) == code
        assert not Sanction.objects.exists() and not ConductAct.objects.exists()

    @pytest.mark.parametrize("span", [timedelta(minutes=59), timedelta(days=367), -DAY])
    def test_lasts_an_hour_to_a_year(self, anna: Player, span: timedelta) -> None:
        assert refused(sanctions.impose, SanctionKind.SUSPENSION, asked(anna), NOW + span) == "sanction_ends"

    def test_is_for_moderators_and_about_people_of_lower_rank(self, anna: Player) -> None:
        mira, bot = moderator(), make_player("Bot", is_bot=True)
        root = make_player("Root", is_staff=True, is_superuser=True)
        other = moderator("Mona")
        for who, whom in ((anna, mira), (mira, mira), (mira, other), (mira, root), (mira, bot), (root, root)):
            assert refused(sanctions.impose, SanctionKind.WARNING, asked(whom, who=who)) == "may_not_sanction"
        sanctions.impose(SanctionKind.WARNING, asked(mira, who=root))

    def test_is_not_about_closed_accounts(self, anna: Player) -> None:
        close_account(player=anna, now=NOW)
        assert refused(sanctions.impose, SanctionKind.WARNING, asked(anna)) == "may_not_sanction"

    def test_is_logged_and_told(self, anna: Player) -> None:
        made = suspend(anna, about="incident 12")
        act = ConductAct.objects.get()
        assert (act.kind, act.player, act.who, act.why) == ("suspend", anna, moderator(), "Reported twice.")
        assert (act.before, act.after["ends"]) == ({}, (NOW + 7 * DAY).isoformat())
        notice = Notice.objects.get()
        assert (notice.recipient, notice.about) == (anna, {"topic": "imposed", "sanction": made.pk})

    def test_the_log_stands(self, anna: Player) -> None:
        warned(anna)
        act = ConductAct.objects.get()
        with pytest.raises(TypeError):
            act.delete()
        with pytest.raises(TypeError):
            ConductAct.objects.update(why="Otherwise")
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE moderation_conductact SET why = 'Otherwise'")


class TestLifting:
    def test_ends_it_at_once_and_says_why(self, anna: Player) -> None:
        made = suspend(anna)
        assert refused(sanctions.lift, sanction_id=made.pk, who=anna, why="Hm", now=NOW) == "may_not_sanction"
        for _again in range(2):
            sanctions.lift(sanction_id=made.pk, who=moderator(), why="A mistake.", now=NOW + DAY)
        assert active_sanctions.find_suspension_end(anna, NOW + DAY) is None
        assert list(ConductAct.objects.values_list("kind", "why")) == [
            ("lift", "A mistake."),
            ("suspend", "Reported twice."),
        ]
        assert Notice.objects.filter(about__topic="lifted").count() == 1

    def test_what_is_over_can_not_be_lifted(self, anna: Player) -> None:
        made = suspend(anna, days=1)
        late = NOW + 2 * DAY
        assert (
            refused(sanctions.lift, sanction_id=made.pk, who=moderator(), why="Hm", now=late)
            == "sanction_over"
        )

    def test_settles_an_open_appeal(self, anna: Player) -> None:
        made = suspend(anna)
        asked_again = sanctions.appeal(sanction_id=made.pk, player=anna, words="It was my cat.", now=NOW)
        sanctions.lift(sanction_id=made.pk, who=moderator(), why="A mistake.", now=NOW)
        asked_again.refresh_from_db()
        assert asked_again.outcome == AppealOutcome.LIFTED


class TestAppeals:
    @pytest.fixture
    def appeal(self, anna: Player) -> Appeal:
        made = suspend(anna)
        return sanctions.appeal(sanction_id=made.pk, player=anna, words="It was my cat.", now=NOW)

    def answer(
        self, appeal: Appeal, outcome: AppealOutcome, who: Player | None = None, **more: Any
    ) -> Appeal:
        return sanctions.answer(
            appeal_id=appeal.pk,
            who=who or moderator("Mona"),
            outcome=outcome,
            now=NOW + DAY,
            **{"words": "We looked again.", **more},
        )

    def test_is_due_in_a_week(self, appeal: Appeal) -> None:
        assert appeal.due == NOW + 7 * DAY

    def test_comes_once_and_within_thirty_days(self, appeal: Appeal, anna: Player) -> None:
        again = {"player": anna, "words": "Really.", "now": NOW}
        assert refused(sanctions.appeal, sanction_id=appeal.sanction_id, **again) == "appeal_too_late"
        other = warned(anna)
        again["now"] = NOW + 30 * DAY
        assert refused(sanctions.appeal, sanction_id=other.pk, **again) == "appeal_too_late"

    def test_is_for_whom_it_meets(self, anna: Player) -> None:
        made, bruno = suspend(anna), make_player("Bruno")
        refusal = refused(sanctions.appeal, sanction_id=made.pk, player=bruno, words="Please.", now=NOW)
        assert refusal == "no_sanction"
        assert (
            refused(sanctions.appeal, sanction_id=made.pk, player=anna, words=" ", now=NOW) == "appeal_words"
        )

    def test_another_moderator_answers(self, appeal: Appeal) -> None:
        assert refused(self.answer, appeal, AppealOutcome.UPHELD, moderator()) == "appeal_own"
        self.answer(appeal, AppealOutcome.UPHELD)
        assert refused(self.answer, appeal, AppealOutcome.LIFTED) == "appeal_answered"
        assert Notice.objects.filter(about__topic="answered").count() == 1

    def test_may_lift(self, appeal: Appeal, anna: Player) -> None:
        self.answer(appeal, AppealOutcome.LIFTED)
        assert active_sanctions.find_suspension_end(anna, NOW + DAY) is None
        assert ConductAct.objects.first().after["outcome"] == "lifted"  # type: ignore[union-attr]

    def test_may_shorten(self, appeal: Appeal, anna: Player) -> None:
        for ends in (None, NOW, NOW + 7 * DAY):
            assert refused(self.answer, appeal, AppealOutcome.SHORTENED, ends=ends) == "not_shorter"
        self.answer(appeal, AppealOutcome.SHORTENED, ends=NOW + 2 * DAY)
        assert active_sanctions.find_suspension_end(anna, NOW + DAY) == NOW + 2 * DAY
        act = ConductAct.objects.first()
        assert act is not None
        assert (act.before["ends"], act.after["ends"]) == (
            (NOW + 7 * DAY).isoformat(),
            (NOW + 2 * DAY).isoformat(),
        )

    def test_says_something(self, appeal: Appeal) -> None:
        assert refused(self.answer, appeal, AppealOutcome.UPHELD, words=" ") == "appeal_words"


class TestRows:
    @pytest.mark.parametrize(("kind", "ends"), [("warning", NOW), ("mute", None), ("ban", NOW)])
    def test_the_database_holds_what_ends(self, anna: Player, kind: str, ends: Any) -> None:
        with transaction.atomic(), pytest.raises(IntegrityError):
            Sanction.objects.create(player=anna, who=anna, reason="x", begun=NOW, kind=kind, ends=ends)
