"""Tests of the outbox: owed notices, stale notices, and unsubscribing with one click."""

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.core import mail, signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.address_hashes import hash_address
from games import play, tables, tasks
from games.exceptions import NotYourTurn
from games.models import Game, Kind, Notice, Seat, SilentAddress
from games.notices import delivery, email, relevance, unsubscribe
from games.notices import reminders as to_remind
from tests.games.factories import (
    NOW,
    heart_beats,
    make_game,
    make_player,
    make_table,
    play_turns,
    reminder_due,
    reminders,
)
from tests.html import Page
from tests.preferences import never, wants_mails

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def owed(game: Game) -> list[tuple[str, str]]:
    """The kind and recipient of the waiting notices about *game*."""
    waiting = game.notices.filter(sent=None, dropped=None).order_by("due", "pk")
    return list(waiting.values_list("kind", "recipient__username"))


def recent_game(**settings: Any) -> Game:
    """A game that has just begun, its first notices delivered."""
    game = make_game(now=timezone.now(), **settings)
    tasks.deliver_notices()
    mail.outbox.clear()
    return game


def test_a_turn_owes_a_notice_and_its_reminders_to_the_seat_awaited() -> None:
    game = play_turns(make_game(), 1)
    turn = game.notices.get(version=3)
    assert turn.recipient.username == "Bruno"
    assert (turn.kind, turn.due) == (Kind.YOUR_TURN, NOW)
    assert reminders(game) == [NOW + 36 * HOUR, NOW + 48 * HOUR]
    for hours, number in ((35, 0), (37, 1), (47, 1), (49, 2)):
        heart_beats(NOW + hours * HOUR)
        Notice.objects.filter(pk=turn.pk).update(sent=NOW)
        to_remind.owe(NOW + hours * HOUR)
        owed_then = game.notices.filter(version=3, kind=Kind.REMINDER).order_by("due")
        assert [one.due - NOW for one in owed_then] == [36 * HOUR, 48 * HOUR][:number]
        assert {one.recipient.username for one in owed_then} <= {"Bruno"}


def test_what_was_owed_about_a_turn_is_dropped_when_it_is_played() -> None:
    game = play_turns(make_game(), 2)
    assert owed(game) == [
        ("started", "Bruno"),
        ("your_turn", "Anna"),
    ]
    dropped = game.notices.exclude(dropped=None)
    assert set(dropped.values_list("why_dropped", flat=True)) == {"stale"}


def test_a_list_keeps_its_name_apart_from_its_address(settings: Any) -> None:
    settings.SITE_NAME = "Kraków, by mail"
    make_game()
    told = email.compose(Notice.objects.filter(kind=Kind.YOUR_TURN).get()).message()
    assert told["List-ID"].endswith(" <games.carcassonne.example>")


def test_a_refused_turn_owes_nothing() -> None:
    game = make_game()
    before = list(Notice.objects.values())
    with pytest.raises(NotYourTurn):
        play.play(game_id=game.pk, seat=1, action=None, expected_version=1, now=NOW)
    assert list(Notice.objects.values()) == before


def test_who_has_just_played_is_told_after_a_pause(settings: Any) -> None:
    settings.NOTICE_PAUSE_SECONDS = 120
    game = play_turns(make_game(), 2)  # Anna at noon, Bruno a minute later
    notice = game.notices.get(kind=Kind.YOUR_TURN, version=game.turn_version)
    assert notice.recipient.username == "Anna"
    assert notice.due == NOW + timedelta(seconds=120)


@pytest.mark.parametrize(
    ("event", "kinds"),
    [
        ("started", {"your_turn", "reminder"}),
        ("your_turn", {"reminder", "started"}),
        ("reminder", {"your_turn", "started"}),
    ],
)
def test_preferences_are_respected(event: str, kinds: set[str]) -> None:
    make_player("Anna", notice_timings=never(event))
    make_player("Bruno", notice_timings=never(event))
    game = play_turns(make_game(), 1)
    game.notices.filter(kind=Kind.YOUR_TURN, dropped=None).update(sent=NOW)
    heart_beats(NOW + 37 * HOUR)
    to_remind.owe(NOW + 37 * HOUR)
    assert set(game.notices.values_list("kind", flat=True)) == kinds


def bot_begins(seats: int, now: datetime) -> Game:
    """Make a game in which the bot was drawn to play first, without notices of other games."""
    while True:
        game = make_game(seats=seats, bots=1, options={}, now=now)
        if game.seats.get(index=game.awaited).played_by_program:
            Notice.objects.exclude(game=game).update(dropped=now)
            return game


def test_where_a_bot_begins_one_mail_tells_that_the_game_has_begun_and_whose_turn_it_is(
    settings: Any,
) -> None:
    settings.NOTICE_PAUSE_SECONDS = 120
    now = timezone.now()
    game = bot_begins(2, now)
    tasks.deliver_notices()
    assert mail.outbox == []
    tasks.play_bot(game.pk)
    for later in (1, 121):
        with time_machine.travel(now + timedelta(seconds=later), tick=False):
            tasks.deliver_notices()
    (told,) = mail.outbox
    assert told.subject.startswith("Your turn in")
    begun = f"All seats in {game.name} are taken, and the game has started. It's your turn."
    assert begun in told.body.split("\n")
    assert Page(told.alternatives[0][0]).texts("p")[1].startswith(begun)
    assert game.notices.get(kind=Kind.STARTED).why_dropped == "stale"


def test_who_waits_for_a_person_after_the_bot_learns_after_the_pause_that_it_has_begun(settings: Any) -> None:
    settings.NOTICE_PAUSE_SECONDS = 120
    now = timezone.now()
    game = bot_begins(3, now)
    tasks.play_bot(game.pk)
    game.refresh_from_db()
    for later, mails in ((1, 1), (121, 2)):
        with time_machine.travel(now + timedelta(seconds=later), tick=False):
            tasks.deliver_notices()
        assert len(mail.outbox) == mails
    first, second = mail.outbox
    assert first.to == [game.seats.get(index=game.awaited).player.email] != second.to
    assert second.subject == f"{game.name} has started"


def test_that_the_game_has_begun_is_told_once() -> None:
    game = make_game(now=timezone.now())
    tasks.deliver_notices()
    game = play_turns(game, 1, now=timezone.now() - HOUR)
    tasks.deliver_notices()
    to_bruno = [message.body.split("\n")[2] for message in mail.outbox if message.to == ["bruno@example.org"]]
    assert to_bruno == [
        f"All seats in {game.name} are taken, and the game has started.",
        f"It's your turn in {game.name}.",
    ]


def test_a_preference_changed_after_the_cause_is_respected_too() -> None:
    game = make_game(now=timezone.now())
    game.host.notice_timings = never("your_turn")
    game.host.save()
    tasks.deliver_notices()
    assert [mail.to for mail in mail.outbox] == [["bruno@example.org"]]
    assert game.notices.get(kind=Kind.YOUR_TURN).why_dropped == "unwanted"


def test_bots_and_seats_that_gave_up_are_told_nothing() -> None:
    game = play_turns(make_game(seats=3, bots=1), 1)
    play.resign(game_id=game.pk, seat=1, now=NOW)
    assert {name for _kind, name in owed(game)} <= {"Bruno"}
    assert [kind for kind, name in owed(game)] == ["started"]
    tasks.deliver_notices()
    assert mail.outbox == []


def test_a_stale_notice_is_not_sent() -> None:
    game = make_game(now=timezone.now())
    Notice.objects.filter(kind=Kind.STARTED).delete()
    play_turns(game, 1, now=timezone.now())
    Notice.objects.update(dropped=None, why_dropped="")  # as if somebody had asked for all to be sent again
    tasks.deliver_notices()
    assert [mail.to for mail in mail.outbox] == [["bruno@example.org"]]


def test_a_notice_stays_good_when_another_seat_resigns() -> None:
    game = play_turns(make_game(seats=3, now=timezone.now()), 3, now=timezone.now() - HOUR)
    play.resign(game_id=game.pk, seat=2, now=timezone.now())
    tasks.deliver_notices()
    assert [mail.to for mail in mail.outbox] == [["anna@example.org"]]


def test_a_reminder_is_sent_when_due() -> None:
    game = recent_game(days_per_move=1)
    tasks.deliver_notices()
    assert mail.outbox == []
    Notice.objects.filter(kind=Kind.YOUR_TURN).update(sent=timezone.now() - 12 * HOUR)
    reminder_due(game, timezone.now())
    tasks.deliver_notices()
    (reminder,) = mail.outbox
    assert reminder.subject.startswith(f"Still your turn in {game.name} – ")
    assert reminder.subject.endswith(" hours left")
    assert "the clock is running" in reminder.body


def test_no_two_mails_about_a_turn_within_six_hours() -> None:
    game = recent_game()
    sent = Notice.objects.get(kind=Kind.YOUR_TURN)
    Notice.objects.filter(pk=sent.pk).update(sent=timezone.now() - 5 * HOUR)
    reminder_due(game, timezone.now())
    tasks.deliver_notices()
    assert mail.outbox == []
    assert set(Notice.objects.filter(kind=Kind.REMINDER).values_list("why_dropped", flat=True)) == {"stale"}


def test_of_two_reminders_that_come_late_only_one_is_sent() -> None:
    game = recent_game()
    Notice.objects.filter(kind=Kind.YOUR_TURN).update(sent=timezone.now() - 30 * HOUR)
    Game.objects.filter(pk=game.pk).update(remind_at=timezone.now(), remind_again=timezone.now())
    tasks.deliver_notices()
    assert len(mail.outbox) == 1
    assert game.notices.filter(kind=Kind.REMINDER).count() == 2


def test_a_turn_told_late_gets_the_lost_time_back() -> None:
    game = make_game(now=timezone.now() - 10 * HOUR)
    began = game.turn_began
    assert began is not None
    tasks.deliver_notices()
    game.refresh_from_db()
    assert game.deadline is not None
    late = game.deadline - (began + timedelta(days=3))
    assert abs(late - 10 * HOUR) < timedelta(minutes=1)
    assert abs(reminders(game)[0] - began - 46 * HOUR) < timedelta(minutes=1)


def test_a_notice_in_time_moves_nothing() -> None:
    game = make_game(now=timezone.now() - timedelta(minutes=30))
    deadline = game.deadline
    tasks.deliver_notices()
    game.refresh_from_db()
    assert game.deadline == deadline


def test_a_claimed_notice_is_left_alone() -> None:
    make_game(now=timezone.now())
    Notice.objects.update(claimed=timezone.now())
    tasks.deliver_notices()
    assert mail.outbox == []


def test_a_fault_in_one_mail_does_not_hold_up_the_others(monkeypatch: Any) -> None:
    make_game(now=timezone.now(), seats=3)
    compose = email.compose

    def faulty(notice: Notice) -> Any:
        if notice.recipient.username == "Anna":
            raise KeyError("a fault of ours")
        return compose(notice)

    monkeypatch.setattr(email, "compose", faulty)
    tasks.deliver_notices()
    assert sorted(message.to[0] for message in mail.outbox) == ["bruno@example.org", "clara@example.org"]
    failed = Notice.objects.get(kind=Kind.YOUR_TURN)
    assert failed.last_error == "KeyError: 'a fault of ours'"
    assert failed.next_try > timezone.now()


def test_what_is_due_beyond_one_batch_is_delivered_too(monkeypatch: Any) -> None:
    monkeypatch.setattr(delivery, "BATCH", 2)
    make_game(seats=5)
    assert not delivery.deliver_due(seconds=60)
    assert len(mail.outbox) == 5


def test_what_is_left_when_the_time_is_up_is_told() -> None:
    make_game(seats=5)
    assert delivery.deliver_due(seconds=-1)
    assert mail.outbox == []


def test_a_notice_that_cannot_be_judged_does_not_hold_up_the_others(monkeypatch: Any) -> None:
    make_game(seats=3, now=timezone.now())
    first = Notice.objects.order_by("next_try", "pk").first()
    judge = relevance.why_not

    def fail(notice: Notice, now: Any) -> str:
        if notice == first:
            raise RuntimeError("a fault of ours")
        return judge(notice, now)

    monkeypatch.setattr(relevance, "why_not", fail)
    assert not delivery.deliver_due(seconds=60)
    assert len(mail.outbox) == 2
    first.refresh_from_db()
    assert (first.last_error, first.claimed) == ("RuntimeError: a fault of ours", None)


@pytest.mark.parametrize(("attempts", "minutes"), [(1, 1), (2, 2), (5, 16), (6, 30), (5000, 30)])
def test_pauses_grow_but_never_beyond_half_an_hour(attempts: int, minutes: int) -> None:
    assert delivery.pause_after(attempts) == timedelta(minutes=minutes)


# ------------------------------------------------------------------------------------------- stopping


def stop_link(message: Any) -> str:
    link = re.fullmatch(r"<https://[^/]+(/.*)>", message.extra_headers["List-Unsubscribe"])
    assert link is not None
    return link[1]


def a_mail(kind: str = "your_turn", **settings: Any) -> Any:
    make_game(now=timezone.now(), **settings)
    tasks.deliver_notices()
    (notice,) = Notice.objects.filter(kind=kind).exclude(sent=None)
    return notice, next(message for message in mail.outbox if message.to == [notice.recipient.email])


def test_one_click_stops_mails_of_the_kind_without_cookies_or_csrf() -> None:
    notice, message = a_mail()
    client = Client(enforce_csrf_checks=True)
    answer = client.post(stop_link(message), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    notice.recipient.refresh_from_db()
    assert not wants_mails(notice.recipient, "your_turn")
    assert wants_mails(notice.recipient, "reminder")
    assert client.post(stop_link(message)).status_code == 200


def test_looking_at_the_page_stops_nothing(client: Client) -> None:
    notice, message = a_mail()
    page = Page(client.get(stop_link(message)))
    assert "No more emails of this kind: your turn" in page.texts("form label")
    notice.recipient.refresh_from_db()
    assert wants_mails(notice.recipient, "your_turn")


def test_the_page_can_stop_a_game_or_everything(client: Client) -> None:
    notice, message = a_mail()
    client.post(stop_link(message), {"scope": "game"})
    seat = Seat.objects.get(game=notice.game, player=notice.recipient)
    assert seat.is_silent
    notice.recipient.refresh_from_db()
    assert wants_mails(notice.recipient, "your_turn")
    client.post(stop_link(message), {"scope": "all"})
    notice.recipient.refresh_from_db()
    player = notice.recipient
    assert not any(
        (
            wants_mails(player, "your_turn"),
            wants_mails(player, "reminder"),
            wants_mails(player, "game_over"),
            wants_mails(player, "invitation"),
        )
    )


@pytest.mark.parametrize("scope", ["kind", "game", "all"])
def test_what_was_stopped_can_come_again(scope: str, client: Client) -> None:
    notice, message = a_mail()
    stopped = Page(client.post(stop_link(message), {"scope": scope}))
    resume = stopped.one("button[name=resume]")["value"]
    page = Page(client.post(stop_link(message), {"resume": resume}))
    assert "You'll get these emails again." in page.texts("main p")
    notice.recipient.refresh_from_db()
    assert wants_mails(notice.recipient, "your_turn")
    assert not Seat.objects.get(game=notice.game, player=notice.recipient).is_silent


def test_only_what_the_page_has_stopped_comes_again(client: Client) -> None:
    notice, message = a_mail()
    player = notice.recipient
    player.notice_timings = never("reminder")
    player.save()
    stopped = Page(client.post(stop_link(message), {"scope": "all"}))
    client.post(stop_link(message), {"resume": stopped.one("button[name=resume]")["value"]})
    player.refresh_from_db()
    assert wants_mails(player, "your_turn") and not wants_mails(player, "reminder")
    client.post(stop_link(message), {"scope": "kind"})
    again = Page(client.post(stop_link(message), {"scope": "kind"}))
    assert not again.has("button[name=resume]"), "it has stopped nothing"


def test_nothing_comes_again_but_by_a_click_on_our_page() -> None:
    notice, message = a_mail()
    client = Client(enforce_csrf_checks=True)
    link = stop_link(message)
    stopped = Page(client.post(link, {"List-Unsubscribe": "One-Click"}))
    resume = stopped.one("button[name=resume]")["value"]
    for answer in (
        client.get(link, {"resume": resume}),
        client.head(link, {"resume": resume}),
        client.post(f"{link}?{urlencode({'resume': resume})}"),
        client.post(link, {"resume": resume}),
        Client().post(link, {"resume": "yes"}),
        Client().post(link, {"resume": unsubscribe.build_resume_token("another", {"your_turn": "at_once"})}),
    ):
        assert answer.status_code in (200, 403, 404)
        notice.recipient.refresh_from_db()
        assert not wants_mails(notice.recipient, "your_turn")
    token = stopped.one("main input[name=csrfmiddlewaretoken]")["value"]
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        late = client.post(link, {"resume": resume, "csrfmiddlewaretoken": token})
        assert late.status_code == 404
    assert client.post(link, {"resume": resume, "csrfmiddlewaretoken": token}).status_code == 200
    notice.recipient.refresh_from_db()
    assert wants_mails(notice.recipient, "your_turn")


def test_a_link_stops_mails_for_a_year(client: Client) -> None:
    notice, message = a_mail()
    link = stop_link(message)
    with time_machine.travel(timezone.now() + timedelta(days=364)):
        assert client.get(link).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(days=366)):
        for answer in (client.get(link), client.post(link)):
            assert answer.status_code == 410
            assert "more than a year old" in Page(answer).text("main")
    notice.recipient.refresh_from_db()
    assert wants_mails(notice.recipient, "your_turn")


@pytest.mark.parametrize("scope", ["kind", "all"])
def test_a_game_with_mails_of_its_own_is_silent_then_too(client: Client, scope: str) -> None:
    notice, message = a_mail()
    seat = Seat.objects.get(game=notice.game, player=notice.recipient)
    Seat.objects.filter(pk=seat.pk).update(notice_timing="at_once")
    stopped = Page(client.post(stop_link(message), {"scope": scope}))
    mail.outbox.clear()
    play_turns(notice.game, 2, now=timezone.now() - HOUR)
    tasks.deliver_notices()
    assert [message.to for message in mail.outbox if message.to == ["anna@example.org"]] == []
    client.post(stop_link(message), {"resume": stopped.one("button[name=resume]")["value"]})
    seat.refresh_from_db()
    assert seat.notice_timing == "at_once"


def test_a_silenced_game_is_silent() -> None:
    notice, _message = a_mail()
    unsubscribe.stop_mails(unsubscribe.read(unsubscribe.build_token(notice)), "game")
    mail.outbox.clear()
    play_turns(notice.game, 2, now=timezone.now() - HOUR)
    tasks.deliver_notices()
    assert [message.to for message in mail.outbox if message.to == ["anna@example.org"]] == []


def test_a_tampered_token_is_refused(client: Client) -> None:
    notice, message = a_mail()
    link = stop_link(message)
    for forged in (link[:-3] + "xx/", reverse("games:unsubscribe", args=["e30"])):
        assert client.post(forged).status_code == 404
    notice.recipient.refresh_from_db()
    assert wants_mails(notice.recipient, "your_turn")


def test_an_address_without_an_account_can_be_silenced(client: Client) -> None:
    game = make_table(now=timezone.now())
    tables.invite(game_id=game.pk, inviter=game.host, address="new@example.org", now=timezone.now())
    tasks.deliver_notices()
    (message,) = mail.outbox
    assert "new@example.org" in Page(client.get(stop_link(message))).text("main")
    client.post(stop_link(message), {"List-Unsubscribe": "One-Click"})
    assert SilentAddress.objects.get().mark == hash_address("new@example.org")
    asked = game.invitations.get()
    tables.decline(token=asked.token, player=None, now=timezone.now())  # else there would be no second mail
    again = make_table(now=timezone.now(), host=make_player("Clara"))
    tables.invite(game_id=again.pk, inviter=again.host, address="new@example.org", now=timezone.now())
    assert Notice.objects.filter(address="new@example.org").count() == 2
    tasks.deliver_notices()
    assert [message.to for message in mail.outbox].count(["new@example.org"]) == 1


def test_no_address_stands_in_a_link_and_old_links_work_until_their_day(client: Client) -> None:
    game = make_table(now=timezone.now())
    tables.invite(game_id=game.pk, inviter=game.host, address="new@example.org", now=timezone.now())
    notice = Notice.objects.get(address="new@example.org")
    told = unsubscribe.build_token(notice).split(":")[0]
    assert signing.b64_decode(told.encode()).decode() == f'{{"n":{notice.pk}}}'
    of_before = {"a": "new@example.org", "k": notice.kind, "g": game.pk}
    link = reverse("games:unsubscribe", args=[signing.Signer(salt=unsubscribe.SALT).sign_object(of_before)])
    assert client.get(link).status_code == 200
    with time_machine.travel(unsubscribe.OLD_LINKS_UNTIL):
        assert client.get(link).status_code == 410


def test_the_page_speaks_the_readers_language(client: Client) -> None:
    notice, message = a_mail()
    notice.recipient.language = "is"
    notice.recipient.save()
    assert Page(client.get(stop_link(message))).one("html")["lang"] == "is"
