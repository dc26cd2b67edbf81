"""Tests that nobody decides in their own matters: interests of moderators, and who decides instead."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import acts
from accounts.interests import find_recusal, find_shared_interest
from accounts.models import AccountAct, Player
from games import access, play, tables
from games.models import ModerationAct, Sanction, SanctionKind, SeatState
from games.play import moderation
from leagues.models import Entry, EntryState, Phase, Season
from moderation.acts import reports, sanctions
from moderation.fair_play import signals
from moderation.interests import find_recusal_from_incident
from moderation.models import AppealOutcome, ConductAct, IncidentAct, SignalVerdict
from tests.accounts.signing_in import sign_in
from tests.games.factories import NOW, make_game, make_player, make_table
from tests.games.play.moderating import asked as wish
from tests.html import Page
from tests.moderation.fair_play.making import make_signal
from tests.moderation.own_matter_helpers import administrator, beside, refused, season_of
from tests.moderation.reporting import decide, named, report
from tests.moderation.sanctioning import DAY, asked, moderator, mute, suspend, warned

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


@pytest.fixture
def mira(anna: Player) -> Player:
    return moderator()


@pytest.fixture
def mona() -> Player:
    """Another moderator, without interests."""
    return moderator("Mona")


class TestInterest:
    def test_a_running_game_is_one_until_it_is_over(self, anna: Player, mira: Player) -> None:
        assert find_shared_interest(mira, anna) is None
        table = make_table(seats=3, host=mira)
        tables.sit(game_id=table.pk, player=anna, now=NOW)
        assert find_shared_interest(mira, anna) is None  # nothing is played yet
        game = beside(mira, anna)
        shared = find_shared_interest(mira, anna)
        assert shared is not None and game.name in shared.why and "Anna" in shared.why
        play.resign(game_id=game.pk, seat=0, now=NOW)
        assert find_shared_interest(mira, anna) is None

    def test_a_running_season_is_one(self, anna: Player, mira: Player) -> None:
        season = season_of(mira, anna)
        shared = find_shared_interest(mira, anna)
        assert shared is not None and "Albi" in shared.why
        Entry.objects.filter(player=mira).update(state=EntryState.WITHDRAWN, withdrew=NOW)
        assert find_shared_interest(mira, anna) is None
        Entry.objects.filter(player=mira).update(state=EntryState.PLAYING, withdrew=None)
        Season.objects.filter(pk=season.pk).update(phase=Phase.CLOSED, closed=NOW)
        assert find_shared_interest(mira, anna) is None

    def test_an_open_report_is_one_from_both_sides(self, anna: Player, mira: Player, mona: Player) -> None:
        made = report("Anna", "Mira").incident
        shared = find_shared_interest(mira, anna)
        assert shared is not None and shared.why == ""  # reporters stay anonymous
        decide(made, who="Mona")
        assert find_shared_interest(mira, anna) is None
        made = report("Mira", "Anna").incident
        assert find_shared_interest(mira, anna) is not None
        decide(made, who="Mona")
        assert find_shared_interest(mira, anna) is None

    def test_what_arose_after_the_case_was_opened_does_not_count(self, anna: Player, mira: Player) -> None:
        opened = NOW
        beside(mira, anna, now=NOW + HOUR)
        season_of(mira, anna, registered=NOW + HOUR)
        report("Anna", "Mira", now=NOW + HOUR)
        assert find_shared_interest(mira, anna, opened=opened) is None
        assert find_shared_interest(mira, anna, opened=NOW + 2 * HOUR) is not None
        assert find_shared_interest(mira, anna) is not None

    def test_who_sits_down_later_in_a_game_shares_it_since_then(self, anna: Player, mira: Player) -> None:
        bruno = make_player("Bruno")
        game = beside(bruno, mira)
        moderation.replace(wish(game, who=moderator("Mona"), now=NOW + HOUR), 0, anna)
        assert find_shared_interest(mira, anna, opened=NOW + timedelta(minutes=30)) is None
        assert find_shared_interest(mira, anna, opened=NOW + HOUR) is not None

    def test_one_s_own_report_counts_whenever_it_was_made(self, anna: Player, mira: Player) -> None:
        report("Mira", "Anna", now=NOW + HOUR)
        assert find_shared_interest(mira, anna, opened=NOW) is not None

    def test_asking_costs_three_queries_however_much_there_is(
        self, anna: Player, mira: Player, django_assert_num_queries: Any
    ) -> None:
        for _more in range(5):
            make_game()
        with django_assert_num_queries(3):
            find_shared_interest(mira, anna)


class TestOthers:
    def test_who_shares_nothing_is_named(self, anna: Player, mira: Player, mona: Player) -> None:
        beside(mira, anna)
        nora = moderator("Nora")
        beside(nora, anna)
        recusal = find_recusal(mira, anna, permission=access.MODERATE)
        assert recusal is not None and [other.username for other in recusal.others] == ["Mona"]
        assert not recusal.may_act and "Mona" in recusal.sentence

    def test_an_administrator_may_act_where_nobody_else_can(self, anna: Player, mira: Player) -> None:
        ada = administrator()
        beside(ada, anna)
        recusal = find_recusal(ada, anna, permission=access.MODERATE)
        assert recusal is not None and not recusal.may_act  # Mira can
        beside(mira, anna)
        recusal = find_recusal(ada, anna, permission=access.MODERATE)
        assert recusal is not None and recusal.may_act and recusal.warning
        left = find_recusal(mira, anna, permission=access.MODERATE)
        assert left is not None and not left.may_act and left.others == (ada,)

    def test_a_moderator_alone_who_is_no_administrator_may_not(self, anna: Player, mira: Player) -> None:
        beside(mira, anna)
        assert refused(sanctions.impose, SanctionKind.WARNING, asked(anna)) == "recused"


class TestSanctions:
    def test_an_opponent_is_left_to_others(self, anna: Player, mira: Player, mona: Player) -> None:
        beside(mira, anna)
        assert refused(sanctions.impose, SanctionKind.SUSPENSION, asked(anna), NOW + 30 * DAY) == "recused"
        assert refused(sanctions.impose, SanctionKind.WARNING, asked(anna)) == "recused"
        assert not Sanction.objects.exists() and not ConductAct.objects.exists()
        assert suspend(anna, who=mona).acts.get().own_matter is None

    def test_a_day_is_always_allowed_and_marked(self, anna: Player, mira: Player, mona: Player) -> None:
        beside(mira, anna)
        assert (
            refused(sanctions.impose, SanctionKind.MUTE, asked(anna), NOW + DAY + timedelta(seconds=1))
            == "recused"
        )
        assert mute(anna, days=1).acts.get().own_matter is True

    def test_who_was_reported_disables_nobody_by_sitting_down_or_reporting(
        self, anna: Player, mira: Player, mona: Player
    ) -> None:
        case = report("Bruno", "Anna", now=NOW).incident
        beside(mira, anna, now=NOW + HOUR)
        report("Anna", "Mira", now=NOW + HOUR)
        later = NOW + 2 * HOUR
        assert (
            refused(sanctions.impose, SanctionKind.SUSPENSION, asked(anna, later), later + 7 * DAY)
            == "recused"
        )
        made = suspend(anna, later, incident=case.pk)
        assert sanctions.incident_behind(made) == case and made.acts.get().own_matter is None
        sanctions.lift(sanction_id=made.pk, who=mira, why="A mistake.", now=later)

    def test_a_case_is_about_its_person_and_not_old(self, anna: Player, mira: Player) -> None:
        other = report("Anna", "Bruno").incident
        assert (
            refused(sanctions.impose, SanctionKind.WARNING, asked(anna, incident=other.pk)) == "no_such_case"
        )
        own = decide(report("Bruno", "Anna").incident, who="Mira")
        late = NOW + 31 * DAY
        assert (
            refused(sanctions.impose, SanctionKind.WARNING, asked(anna, late, incident=own.pk))
            == "no_such_case"
        )
        warned(anna, NOW + DAY, incident=own.pk)

    def test_an_administrator_without_another_is_marked(self, anna: Player) -> None:
        ada = administrator()
        beside(ada, anna)
        assert suspend(anna, who=ada, days=30).acts.get().own_matter is True

    def test_lifting_and_answering_are_left_to_others_too(
        self, anna: Player, mira: Player, mona: Player
    ) -> None:
        nora = moderator("Nora")
        beside(nora, anna)
        made = suspend(anna, NOW + HOUR, who=mira)
        appeal = sanctions.appeal(sanction_id=made.pk, player=anna, words="It was my cat.", now=NOW + HOUR)
        lifting = {"sanction_id": made.pk, "why": "A friend.", "now": NOW + 2 * HOUR}
        answering = {
            "appeal_id": appeal.pk, "outcome": AppealOutcome.LIFTED, "words": "Fine.", "now": NOW + 2 * HOUR
        }  # fmt: skip
        assert refused(sanctions.lift, who=nora, **lifting) == "recused"
        assert refused(sanctions.answer, who=nora, **answering) == "recused"
        sanctions.answer(who=mona, **answering)


class TestAppeals:
    def test_who_did_it_is_nobody_s_substitute(self, client: Client, anna: Player, mira: Player) -> None:
        ada, now = administrator(), timezone.now()
        beside(ada, anna, now=now)
        made = suspend(anna, now)
        appeal = sanctions.appeal(sanction_id=made.pk, player=anna, words="My cat.", now=now)
        sign_in(client, ada)
        assert Page(client.get(reverse("moderation:desk"))).texts("section[aria-labelledby=appeals] a")
        page = Page(client.get(reverse("moderation:desk_sanction", args=[made.pk])))
        assert page.has("section[aria-labelledby=appeal] form")
        sanctions.answer(
            appeal_id=appeal.pk, who=ada, outcome=AppealOutcome.UPHELD, words="It stands.", now=now
        )
        assert ConductAct.objects.get(kind="answer").own_matter is True


class TestIncidents:
    def test_is_decided_by_who_shares_nothing(self, anna: Player, mira: Player, mona: Player) -> None:
        beside(mira, anna)
        case = report("Bruno", "Anna", now=NOW + HOUR).incident
        assert refused(decide, case, who="Mira") == "recused"
        assert refused(reports.take, incident_id=case.pk, who=mira, now=NOW) == "recused"
        decide(case, who="Mona")
        assert refused(
            reports.reopen, incident_id=case.pk, who=mira, remark="My friend.", now=NOW
        ) == "recused"  # fmt: skip

    def test_an_administrator_without_another_decides_and_is_marked(self, anna: Player) -> None:
        ada = administrator()
        beside(ada, anna)
        case = report("Bruno", "Anna", now=NOW + HOUR).incident
        decide(case, who="Ada")
        assert IncidentAct.objects.get().own_matter is True

    def test_it_stays_in_the_queue_of_the_others(
        self, client: Client, anna: Player, mira: Player, mona: Player
    ) -> None:
        now = timezone.now()
        beside(mira, anna, now=now)
        case = report("Bruno", "Anna", now=now + HOUR).incident

        def queue(who: Player) -> Any:
            sign_in(client, who)
            return Page(client.get(reverse("moderation:desk"))).texts("section[aria-labelledby=reports] a")

        assert queue(mira) == [] and len(queue(mona)) == 1
        sign_in(client, mira)
        answer = client.get(reverse("moderation:desk_incident", args=[case.pk]))
        assert answer.status_code == 403 and "Mona" in Page(answer).text("#refused")

    def test_administrators_see_it_where_nobody_else_is(self, client: Client, anna: Player) -> None:
        now, ada = timezone.now(), administrator()
        beside(ada, anna, now=now)
        case = report("Bruno", "Anna", now=now + HOUR).incident
        sign_in(client, ada)
        desk = Page(client.get(reverse("moderation:desk")))
        assert len(desk.texts("section[aria-labelledby=reports] a")) == 1
        assert Page(client.get(reverse("moderation:desk_incident", args=[case.pk]))).has("#own-matter")

    def test_who_is_part_of_it_is_named_as_nobody_s_substitute(self, anna: Player, mira: Player) -> None:
        moderator("Mona")
        case = report("Mona", "Anna").incident
        beside(mira, anna)
        recusal = find_recusal_from_incident(mira, case)
        assert recusal is not None and recusal.others == () and not recusal.may_act


class TestSignals:
    def test_is_settled_by_who_shares_nothing(self, anna: Player, mira: Player, mona: Player) -> None:
        beside(mira, anna)
        signal = make_signal(beside(make_player("Bruno"), anna))
        given = {"signal": signal.pk, "verdict": SignalVerdict.NOTHING, "why": "Honest.", "now": NOW}
        assert refused(signals.settle, who=mira, **given) == "recused"
        assert signals.settle(who=mona, **given).own_matter is None


class TestGames:
    def test_who_plays_elsewhere_with_somebody_takes_no_seat_from_them(
        self, anna: Player, mira: Player, mona: Player
    ) -> None:
        beside(mira, anna)
        other = beside(make_player("Bruno"), anna)
        seat = other.seats.get(player=anna).index
        for act in (moderation.hand_to_ladder, lambda wished, at: moderation.replace(wished, at, None)):
            assert refused(act, wish(other, who=mira), seat) == "recused"
        assert refused(moderation.adjudicate, wish(other, who=mira), [1, 2], [9, 0]) == "recused"
        moderation.replace(wish(other, who=mona), seat, None)
        assert other.seats.get(index=seat).state == SeatState.REPLACED
        assert not ModerationAct.objects.filter(own_matter=True).exists()


class TestAccounts:
    def test_every_act_on_an_account_is_left_to_others(self, anna: Player) -> None:
        ada, other = administrator(), administrator("Oskar")
        beside(ada, anna)
        for act in (acts.close, acts.sign_out, acts.remove_second_factor):
            with pytest.raises(acts.ActRefused, match="Oskar"):
                act(actor=ada, player=anna, why="because", now=NOW)
        with pytest.raises(acts.ActRefused, match="Oskar"):
            acts.change_address(actor=ada, player=anna, new="new@example.org", why="because", now=NOW)
        assert not AccountAct.objects.exists()
        acts.sign_out(actor=other, player=anna, why="because", now=NOW)
        assert AccountAct.objects.get().own_matter is None

    def test_one_without_another_acts_and_is_marked(self, anna: Player) -> None:
        root = make_player("Root", is_staff=True, is_superuser=True)
        beside(root, anna)
        acts.sign_out(actor=root, player=anna, why="because", now=NOW)
        assert AccountAct.objects.get().own_matter is True

    def test_the_admin_says_so_and_shows_no_form(self, client: Client, anna: Player) -> None:
        root = make_player("Root", is_staff=True, is_superuser=True)
        make_player("Oskar", is_staff=True, is_superuser=True)
        beside(root, anna)
        sign_in(client, root)
        page = Page(client.get(reverse("admin:accounts_player_change", args=[anna.pk])))
        assert "Oskar" in page.text(".messagelist") and not page.has("[name=username]")


class TestPages:
    @pytest.fixture
    def opponent(self, client: Client, anna: Player, mira: Player, mona: Player) -> Player:
        beside(mira, anna, now=timezone.now())
        sign_in(client, mira)
        return anna

    def test_a_warning_is_refused_with_who_else_can_and_how_it_gets_there(
        self, client: Client, opponent: Player
    ) -> None:
        answer = client.get(reverse("moderation:sanction", args=["Anna", "warn"]))
        page = Page(answer)
        assert answer.status_code == 403 and "Mona" in page.text("#refused")
        assert reverse("moderation:report_player", args=["Anna"]) in page.links()
        client.post(reverse("moderation:report_player", args=["Anna"]), {"category": "insults"})
        sign_in(client, named("Mona"))
        assert Page(client.get(reverse("moderation:desk"))).texts("section[aria-labelledby=reports] a")

    def test_a_stop_is_offered_for_a_day(self, client: Client, opponent: Player) -> None:
        where = reverse("moderation:sanction", args=["Anna", "suspend"])
        page = Page(client.get(where))
        assert "own matter" in page.text("#own-matter")
        assert page.one("[name=days]")["max"] == "1"
        sent = {"template": "insults", "reason": "Now.", "version": 0, "confirmed": "yes"}
        assert client.post(where, {**sent, "days": "2"}).status_code == 200
        assert not Sanction.objects.exists()
        assert client.post(where, {**sent, "days": "1"}).status_code == 302
        page = Page(client.get(reverse("moderation:desk_person", args=["Anna"])))
        assert "own matter" in page.texts("section[aria-labelledby=in-force] li strong")
        page = Page(client.get(reverse("moderation:desk_sanction", args=[Sanction.objects.get().pk])))
        assert page.texts(".desk-log strong") == ["own matter"]

    def test_the_page_of_the_person_offers_no_more(self, client: Client, opponent: Player) -> None:
        where = reverse("moderation:desk_person", args=["Anna"])
        page = Page(client.get(where))
        assert "Mona" in page.text("#left")
        assert reverse("moderation:sanction", args=["Anna", "warn"]) not in page.links()
        beside(make_player("Bruno"), opponent, now=timezone.now())
        refused = Page(client.post(where, {"what": "ladder", "reason": "Mine."})).texts(".note.warning")
        assert len(refused) == 2 and sum("Mona" in one for one in refused) == 1
