"""Tests of mails about a warning, a mute or a suspension."""

import pytest

from accounts.models import Player
from games.models import Notice
from games.notices.email import compose
from games.outbox import wants_mail
from moderation.acts import sanctions
from moderation.models import AppealOutcome
from tests.games.factories import NOW, make_player
from tests.moderation.sanctioning import DAY, moderator, mute, suspend, warned
from tests.preferences import never

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


def mailed(topic: str = "imposed") -> tuple[str, str]:
    mail = compose(Notice.objects.get(about__topic=topic))
    assert "List-Unsubscribe" not in mail.extra_headers
    (html, _type) = mail.alternatives[0]  # type: ignore[misc]
    assert "https://carcassonne.example/conduct/" in str(html)
    assert "https://carcassonne.example/conduct/" in mail.body
    assert "mail/stop" not in mail.body + str(html)
    return mail.subject, str(mail.body)


def test_says_why_until_when_and_how_to_appeal(anna: Player) -> None:
    suspend(anna, words="On Sunday.")
    subject, body = mailed()
    assert subject == "Your account is suspended"
    for said in ("at a real table", "On Sunday.", "Until: 8 March 2026, 12:00", "you can appeal once"):
        assert said in body


def test_a_warning_has_no_end(anna: Player) -> None:
    warned(anna)
    subject, body = mailed()
    assert subject == "A warning" and "Until:" not in body


def test_comes_in_the_reader_s_language(anna: Player) -> None:
    anna.language = "pl"
    anna.save()
    mute(anna)
    assert compose(Notice.objects.get()).alternatives[0][0].count('lang="pl"') == 1  # type: ignore[index]


def test_comes_whatever_mails_somebody_has_switched_off(anna: Player) -> None:
    anna.notice_timings = never()
    anna.save()
    warned(anna)
    assert wants_mail(anna, "conduct") and Notice.objects.filter(kind="conduct").exists()


def test_tells_that_it_is_lifted(anna: Player) -> None:
    made = mute(anna)
    sanctions.lift(sanction_id=made.pk, who=moderator(), why="A mistake of ours.", now=NOW)
    subject, body = mailed("lifted")
    assert subject == "You're no longer muted"
    assert "A mistake of ours." not in body


def test_tells_the_answer_to_an_appeal(anna: Player) -> None:
    made = suspend(anna)
    appeal = sanctions.appeal(sanction_id=made.pk, player=anna, words="It was my cat.", now=NOW)
    sanctions.answer(
        appeal_id=appeal.pk,
        who=moderator("Mona"),
        outcome=AppealOutcome.SHORTENED,
        words="Half of it.",
        ends=NOW + DAY,
        now=NOW,
    )
    subject, body = mailed("answered")
    assert subject == "Your appeal has been answered"
    assert "Half of it." in body and "Until: 2 March 2026, 12:00" in body
