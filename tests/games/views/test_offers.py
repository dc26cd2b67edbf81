"""Tests of offers on the pages of a game: making and answering them, pauses, gifts, breaking off."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import play
from games.models import Ending, Game, Kind, Notice, Proposal, Status
from games.notices import relevance
from games.notices.email import compose
from tests.games.factories import heart_beats, make_game, new_process, play_turns
from tests.games.views.at_tables import said
from tests.games.visitors import signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    now = timezone.now()
    return play_turns(make_game(seats=3, name="Albi", now=now), 4, now=now)


def at_hand(client: Client, game: Game, page: str = "table") -> list[str]:
    """The acts besides turns that the page offers."""
    return Page(client.get(url(game, page))).texts(".at-hand button")


def propose(client: Client, game: Game, **data: Any) -> Any:
    return client.post(url(game, "offers"), data, follow=True)


def answer(client: Client, game: Game, how: str) -> Any:
    return client.post(url(game, "answer", game.offers.latest("pk").pk, how), {"sure": "yes"}, follow=True)


def test_an_end_is_proposed_agreed_to_and_come_about(game: Game) -> None:
    anna, bruno, clara = map(signed_in, ("Anna", "Bruno", "Clara"))
    assert Page(anna.get(url(game))).link("Propose, pause, give time") == url(game, "offers")
    assert said(propose(anna, game, kind="end")) == ["We've asked the others."]
    assert at_hand(anna, game) == ["Cancel the proposal"]
    assert at_hand(bruno, game) == at_hand(bruno, game, "text") == ["Agree", "Decline"]
    assert at_hand(Client(), game) == []
    offered = Page(bruno.get(url(game))).text(".at-hand p")
    assert offered.startswith("Anna proposed ending the game as it stands, without a winner.")
    assert offered.endswith(
        "If everyone agrees, the game ends at once: it's unrated, and nobody wins or loses."
    )
    answer(bruno, game, "agree")
    assert at_hand(bruno, game) == []
    assert Page(bruno.get(url(game))).text(".at-hand .muted") == "You've agreed."
    assert said(answer(clara, game, "agree")) == ["Everyone agreed: the game is over."]
    game.refresh_from_db()
    assert (game.status, game.ending) == (Status.ABORTED, Ending.AGREED)
    page = Page(anna.get(url(game)))
    assert page.text("h2#outcome + p") == "Everyone agreed to end the game. Nobody won or lost."
    assert any("Everyone agreed to end the game." in line for line in page.texts(".told li"))


def test_one_declines(game: Game) -> None:
    propose(signed_in("Anna"), game, kind="end")
    answer(signed_in("Clara"), game, "decline")
    assert at_hand(signed_in("Bruno"), game) == []
    assert said(answer(signed_in("Bruno"), game, "agree")) == ["This proposal is no longer open."]


def test_a_pause_is_proposed_by_its_last_day_and_ended_by_one(game: Game) -> None:
    last = (timezone.localtime() + 5 * DAY).date()
    propose(signed_in("Anna"), game, kind="pause", until=f"{last:%Y-%m-%d}")
    for name in ("Bruno", "Clara"):
        answer(signed_in(name), game, "agree")
    game.refresh_from_db()
    ((_begin, end, why),) = game.stops
    assert (why, timezone.datetime.fromisoformat(end).date()) == ("pause", last + DAY)
    assert at_hand(signed_in("Clara"), game) == ["End the pause"]
    assert Page(Client().get(url(game))).text(".at-hand p").startswith("The game is paused until")
    assert said(signed_in("Clara").post(url(game, "resume"), follow=True)) == ["The pause is over."]
    assert at_hand(signed_in("Clara"), game) == []


@pytest.mark.parametrize(
    ("until", "why"),
    [
        ("", "Choose the last day of the pause."),
        ("2000-01-01", "A pause lasts from an hour to sixty days. Choose another day."),
        ("soon", "Enter a valid date."),
        ("9999-12-31", "Enter a valid date."),
    ],
)
def test_a_pause_that_can_not_be(game: Game, until: str, why: str) -> None:
    assert said(propose(signed_in("Anna"), game, kind="pause", until=until)) == [why]
    assert not game.offers.exists()


def test_nobody_else_proposes_or_answers(game: Game) -> None:
    assert signed_in("Anna").post(url(game, "offers"), {"kind": "chaos"}).status_code == 404
    propose(signed_in("Anna"), game, kind="end")
    offer = game.offers.get()
    assert signed_in("Bruno").post(url(game, "answer", offer.pk, "shout")).status_code == 404
    assert signed_in("Bruno").post(url(game, "answer", offer.pk + 1, "agree")).status_code == 404
    other = make_game(now=timezone.now())
    assert signed_in("Bruno").post(url(other, "answer", offer.pk, "agree")).status_code == 404
    assert said(signed_in("Clara").get(url(other, "offers"), follow=True)) == ["You're not at this table."]


def test_time_is_given_to_one_or_to_all(game: Game) -> None:
    page = Page(signed_in("Anna").get(url(game, "offers")))
    assert page.texts("select[name=to] option") == ["all opponents", "Bruno", "Clara"]
    signed_in("Anna").post(url(game, "give"), {"to": "", "days": 2})
    assert [seat.bank for seat in game.seats.order_by("index")][1:] == [5 * DAY, 5 * DAY]
    assert not Page(signed_in("Anna").get(url(game, "offers"))).has("select[name=to]")


def test_a_game_that_has_hardly_begun_is_broken_off() -> None:
    heart_beats(timezone.now())
    game = make_game(now=timezone.now())
    assert "End the game early" in Page(signed_in("Bruno").get(url(game, "offers"))).texts("button")
    response = signed_in("Bruno").post(url(game, "abort"), {"sure": "yes"}, follow=True)
    assert said(response) == ["The game ended early."]
    ended = "The game ended early, before anyone's second turn."
    assert Page(response).text("h2#outcome + p") == ended
    mail = compose(Notice.objects.filter(kind=Kind.GAME_OVER).first())
    assert ended in mail.body


def test_later_it_can_not_be(game: Game) -> None:
    assert "End the game early" not in Page(signed_in("Bruno").get(url(game, "offers"))).texts("button")
    response = signed_in("Bruno").post(url(game, "abort"), {"sure": "yes"}, follow=True)
    assert said(response) == [
        "Someone has already played a second turn, so you can only propose to end the game."
    ]


def test_a_mail_asks_and_is_dropped_when_the_offer_is_gone(game: Game) -> None:
    propose(signed_in("Anna"), game, kind="end")
    notice = Notice.objects.filter(kind=Kind.TABLE).first()
    mail = compose(notice)
    assert mail.subject == "Anna proposes to end Albi"
    assert "If everyone agrees, the game ends at once" in mail.body
    assert relevance.why_not(notice, timezone.now()) == ""
    play.decline(offer_id=game.offers.get().pk, seat=0, now=timezone.now())
    assert relevance.why_not(notice, timezone.now()) == "stale"


def test_mails_of_a_pause_and_its_end(game: Game) -> None:
    now = timezone.now()
    play.propose(game_id=game.pk, seat=0, kind=Proposal.PAUSE, until=now + 9 * DAY, now=now)
    for seat in (1, 2):
        play.agree(offer_id=game.offers.get().pk, seat=seat, now=now)
    play.resume(game_id=game.pk, seat=1, now=now + DAY)
    told = Notice.objects.filter(kind=Kind.TABLE, recipient__username="Anna").order_by("version")
    assert [compose(notice).subject for notice in told] == ["Albi is paused", "Albi continues"]


def test_a_board_with_an_offer_is_within_its_ceiling(game: Game, django_assert_max_num_queries: Any) -> None:
    play.propose(game_id=game.pk, seat=0, kind=Proposal.END, now=timezone.now())
    bruno = signed_in("Bruno")
    new_process()
    with django_assert_max_num_queries(13):  # one more than other boards may
        assert bruno.get(url(game)).status_code == 200
