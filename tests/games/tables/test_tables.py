"""Tests of tables: joining, starting, invitations, rematch and talk."""

from dataclasses import FrozenInstanceError, replace
from datetime import timedelta
from typing import Any

import pytest

from accounts.services import remove_unconfirmed
from games import access, play, tables
from games.clocks import DAY, HOUR, PRESETS, USUAL_CLOCK, ClockSettings, Ladder, TimeoutStep
from games.exceptions import SENTENCES, Refused
from games.models import (
    Answer,
    Ending,
    Game,
    Invitation,
    Kind,
    Message,
    Notice,
    Room,
    Seat,
    Status,
    Visibility,
)
from games.play import bag
from games.rules import RuleSet
from games.selectors import lists
from games.selectors.invitation_recipients import list_declined_names
from games.selectors.my_games import load_my_games
from games.tables import presets as rule_set_presets
from games.tables.seats import save_notice_timing
from games.tables.settings import TableSettings
from games.tables.setup import TOWNS
from moderation.acts.messages import delete_own
from tests.games.factories import (
    NOW,
    keeps_time,
    make_game,
    make_player,
    make_players,
    make_table,
    play_turns,
    reminders,
    sign_up_only,
)
from tests.preferences import never

pytestmark = [pytest.mark.django_db, pytest.mark.database]
LATER = NOW + timedelta(hours=1)


def refused(code: str, service: Any, **arguments: Any) -> None:
    """Check that *service* refuses with *code* and writes nothing."""
    before = [list(model.objects.values()) for model in (Game, Seat, Invitation, Notice)]
    with pytest.raises(Refused) as error:
        service(**arguments, now=LATER)
    assert error.value.code == code
    assert error.value.message
    assert [list(model.objects.values()) for model in (Game, Seat, Invitation, Notice)] == before


def test_every_refusal_has_a_sentence() -> None:
    for code in SENTENCES.keys() - {"text"}:
        assert Refused(code, who="Mira", n=5).message.endswith(".")
    assert Refused("text", what="No {braces}.").message == "No {braces}."
    assert Refused("talking_fast").message == "That's a lot of messages at once. Please wait a minute."
    assert Refused("talk_too_long", n=1000).message == "A message can have at most 1000 characters."
    told = Refused("reliability_low", asked=90, yours=75).message
    assert told == "This table asks for a reliability of at least 90%; yours is 75%."


@pytest.mark.parametrize(
    ("least", "most", "told"),
    [
        (1600, None, "This table is for ratings from 1600; yours is 1500."),
        (None, 1400, "This table is for ratings up to 1400; yours is 1500."),
        (1600, 1800, "This table is for ratings 1600 to 1800; yours is 1500."),
    ],
)
def test_a_rating_outside_is_refused_with_both(least: int | None, most: int | None, told: str) -> None:
    assert Refused("rating_outside", least=least, most=most, yours=1500).message == told


def test_a_table_is_set_up_with_every_option_written_out() -> None:
    anna = make_player("Anna")
    rules = RuleSet.of(seats=3, options={"fields": "none"})
    agreed = TableSettings(rules=rules, name="  Béziers  by night ", colour="red")
    game = tables.create_table(host=anna, settings=agreed, now=NOW)
    assert (game.name, game.places, game.status, game.version) == ("Béziers by night", 3, Status.OPEN, 0)
    assert game.rule_set["options"]["fields"] == "none"
    assert game.rule_set["options"]["two_tile_city"] == 4
    assert game.rules == rules
    first, *others = game.seats.all()
    assert (first.player, first.colour) == (anna, "red")
    assert all(seat.free for seat in others)
    assert len(game.code) == 12


def test_a_table_without_a_name_gets_that_of_a_town() -> None:
    assert make_table().name in TOWNS


def test_a_name_is_what_can_be_read() -> None:
    assert make_table(name="\u202eLagny\u200b\x07 \u2066by\u2028night").name == "Lagny by night"
    assert make_table(name="\u200b \u2060").name in TOWNS
    assert make_table(name="Žilina – Łódź · 🏰 ").name == "Žilina – Łódź · 🏰"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": "x" * 61}, "name_too_long"),
        ({"clock": replace(USUAL_CLOCK, cap=HOUR)}, "clock"),
        ({"clock": ClockSettings.per_move(61)}, "clock"),
        ({"ladder": Ladder(excuses=6)}, "clock"),
        ({"min_reliability": 101}, "reliability"),
        ({"min_rating": -1}, "rating_range"),
        ({"max_rating": 4001}, "rating_range"),
        ({"min_rating": 4001}, "rating_range"),
        ({"min_rating": 1601, "max_rating": 1600}, "rating_range"),
        ({"bots": 2}, "bots"),
        ({"bots": -1}, "bots"),
        ({"bots": 1, "rated": True}, "rated_with_bot"),
        ({"rules": RuleSet.of(options={"fields": "none"}), "rated": True}, "rated_house_rules"),
        ({"colour": "green"}, "colour"),
    ],
)
def test_bad_settings_are_refused(wrong: dict[str, Any], code: str) -> None:
    settings = TableSettings(**{"rules": RuleSet.of(seats=2), **wrong})
    refused(code, tables.create_table, host=make_player("Anna"), settings=settings)


def test_every_fault_of_the_settings_is_named() -> None:
    settings = TableSettings(rules=RuleSet.of(options={"fields": "none"}), bots=2, rated=True)
    assert [refused.code for refused in settings.refusals()] == [
        "bots",
        "rated_with_bot",
        "rated_house_rules",
    ]


def test_the_settings_of_a_table_are_those_it_was_set_up_with() -> None:
    settings = TableSettings(
        rules=RuleSet.of(seats=4, sets=("base", "winter"), options={"fields": "none"}),
        name="Agde",
        clock=PRESETS["classic"],
        ladder=Ladder(excuses=2, last=TimeoutStep.CLAIM),
        min_reliability=90,
        min_rating=1500,
        max_rating=1500,
        visibility=Visibility.LINK,
        purist=True,
        bots=2,
        colour="pink",
    )
    game = tables.create_table(host=make_player("Anna"), settings=settings, now=NOW)
    assert TableSettings.of(Game.objects.get(pk=game.pk)) == settings
    rated = TableSettings(rules=RuleSet.of(seats=3), name="Albi", rated=True)
    game = tables.create_table(host=game.host, settings=rated, now=NOW)
    assert TableSettings.of(Game.objects.get(pk=game.pk)) == replace(rated, ladder=Ladder.usual(3))


def test_one_person_can_play_the_bot_at_once() -> None:
    game = tables.play_the_bot(host=make_player("Anna"), now=NOW)
    assert game.status == Status.PLAYING
    assert game.clock == PRESETS["relaxed"]
    assert sorted(seat.bot for seat in game.seats.all()) == ["", "house"]
    assert (game.deadline is None) == bool(game.seats.get(index=game.awaited).bot)


def test_the_game_begins_when_the_last_seat_is_taken() -> None:
    _anna, bruno, clara = make_players(3)
    game = make_table(seats=3)
    assert tables.sit(game_id=game.pk, player=bruno, now=LATER).status == Status.OPEN
    assert tables.sit(game_id=game.pk, player=clara, now=LATER).status == Status.PLAYING
    game.refresh_from_db()
    assert game.started == LATER
    assert [seat.player.username for seat in game.seats.all()] == ["Anna", "Bruno", "Clara"]
    kinds = Notice.objects.order_by("pk").values_list("kind", "recipient__username")
    assert list(kinds) == [
        ("started", "Bruno"),
        ("started", "Clara"),
        ("your_turn", "Anna"),
    ]
    assert len(reminders(game)) == 2


def test_who_wants_no_mails_of_a_game_takes_that_along_when_seats_move_round(monkeypatch: Any) -> None:
    monkeypatch.setattr(bag, "choose_first_place", lambda *args, **more: 1)
    table = make_table(seats=3, options={})
    save_notice_timing(table.seats.get(index=0), "never")
    for player in make_players(3)[1:]:
        tables.sit(game_id=table.pk, player=player, now=NOW)
    told = table.seats.order_by("index").values_list("player__username", "notice_timing")
    assert list(told) == [("Bruno", ""), ("Clara", ""), ("Anna", "never")]


def test_who_sits_down_gets_the_mails_that_whoever_left_did_not_want() -> None:
    _anna, bruno, clara = make_players(3)
    table = make_table(seats=3)
    tables.sit(game_id=table.pk, player=bruno, now=NOW)
    save_notice_timing(table.seats.get(player=bruno), "never")
    tables.leave(game_id=table.pk, player=bruno, now=NOW)
    tables.sit(game_id=table.pk, player=clara, now=NOW)
    assert table.seats.get(player=clara).notice_timing == ""


def test_sitting_down_twice_is_harmless() -> None:
    game = make_table(seats=3)
    bruno = make_player("Bruno")
    tables.sit(game_id=game.pk, player=bruno, now=LATER)
    tables.sit(game_id=game.pk, player=bruno, now=LATER)
    assert game.seats.filter(player=bruno).count() == 1


def test_a_colour_belongs_to_one_seat() -> None:
    game = make_table(seats=3, colour="black")
    bruno = make_player("Bruno")
    refused("colour_taken", tables.sit, game_id=game.pk, player=bruno, colour="black")
    refused("colour", tables.sit, game_id=game.pk, player=bruno, colour="mauve")


def test_a_full_table_takes_nobody() -> None:
    game = make_game()
    refused("not_open", tables.sit, game_id=game.pk, player=make_player("Clara"))


def test_a_player_can_leave_before_the_game_begins() -> None:
    game, bruno = make_table(seats=3), make_player("Bruno")
    refused("not_seated", tables.leave, game_id=game.pk, player=bruno)
    tables.sit(game_id=game.pk, player=bruno, now=LATER, colour="red")
    tables.leave(game_id=game.pk, player=bruno, now=LATER)
    assert game.seats.get(index=1).free
    assert game.seats.get(index=1).colour == ""
    refused("host_cancels", tables.leave, game_id=game.pk, player=game.host)
    begun = make_game()
    refused("not_open", tables.leave, game_id=begun.pk, player=begun.host)


def test_only_the_host_cancels_and_only_an_open_table() -> None:
    game, bruno = make_table(), make_player("Bruno")
    refused("not_host", tables.cancel, game_id=game.pk, player=bruno)
    tables.cancel(game_id=game.pk, player=game.host, now=LATER)
    tables.cancel(game_id=game.pk, player=game.host, now=LATER)
    game.refresh_from_db()
    assert (game.status, game.ending, game.finished) == (Status.ABORTED, Ending.CANCELLED, LATER)
    refused("not_open", tables.sit, game_id=game.pk, player=bruno)
    begun = make_game()
    refused("not_open", tables.cancel, game_id=begun.pk, player=begun.host)


def test_an_open_table_closes_after_four_weeks() -> None:
    game = make_table()
    tables.expire(game_id=game.pk, now=NOW + timedelta(days=28))
    game.refresh_from_db()
    assert game.status == Status.OPEN
    tables.expire(game_id=game.pk, now=NOW + timedelta(days=28, seconds=1))
    game.refresh_from_db()
    assert (game.status, game.ending) == (Status.ABORTED, Ending.EXPIRED)


def test_the_host_puts_bots_on_free_seats() -> None:
    game, bruno = make_table(seats=3), make_player("Bruno")
    refused("not_host", tables.add_bot, game_id=game.pk, player=bruno)
    tables.add_bot(game_id=game.pk, player=game.host, now=LATER)
    assert game.seats.get(index=1).bot == "house"
    tables.add_bot(game_id=game.pk, player=game.host, now=LATER)
    game.refresh_from_db()
    assert game.status == Status.PLAYING


def test_an_invitation_keeps_a_seat() -> None:
    game, bruno, clara = make_table(visibility="public"), make_player("Bruno"), make_player("Clara")
    invitation = tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=LATER)
    refused("table_full", tables.sit, game_id=game.pk, player=clara)
    refused("table_full", tables.invite, game_id=game.pk, inviter=game.host, player=clara)
    refused("not_yours", tables.accept, token=invitation.token, player=clara)
    tables.accept(token=invitation.token, player=bruno, now=LATER)
    game.refresh_from_db()
    assert game.status == Status.PLAYING
    assert tables.accept(token=invitation.token, player=bruno, now=LATER).pk == game.pk


def test_sitting_down_accepts_ones_invitation() -> None:
    game, bruno = make_table(visibility="private"), make_player("Bruno")
    refused("private_table", tables.sit, game_id=game.pk, player=bruno)
    tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=LATER)
    tables.sit(game_id=game.pk, player=bruno, now=LATER)
    assert Invitation.objects.get().answer == Answer.ACCEPTED


def test_a_declined_seat_is_free_again() -> None:
    game, bruno, clara = make_table(), make_player("Bruno"), make_player("Clara")
    invitation = tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=LATER)
    refused("not_yours", tables.decline, token=invitation.token, player=None)
    refused("not_yours", tables.decline, token=invitation.token, player=clara)
    refused("no_invitation", tables.decline, token="forged", player=bruno)
    tables.decline(token=invitation.token, player=bruno, now=LATER)
    tables.decline(token=invitation.token, player=bruno, now=LATER)
    refused("no_invitation", tables.accept, token=invitation.token, player=bruno)
    tables.sit(game_id=game.pk, player=clara, now=LATER)
    game.refresh_from_db()
    assert game.status == Status.PLAYING


def test_inviter_and_host_are_told_who_declines() -> None:
    game = make_table(seats=3)
    bruno, clara = make_player("Bruno"), make_player("Clara")
    tables.sit(game_id=game.pk, player=bruno, now=LATER)
    invitation = tables.invite(game_id=game.pk, inviter=bruno, player=clara, now=LATER)
    for _again in range(2):
        tables.decline(token=invitation.token, player=clara, now=LATER)
    told = Notice.objects.filter(kind=Kind.DECLINED)
    assert {notice.recipient for notice in told} == {game.host, bruno} and len(told) == 2
    assert list_declined_names(game, game.host) == ["Clara"]


def test_who_wants_no_such_mails_is_not_told() -> None:
    game, bruno = make_table(), make_player("Bruno")
    game.host.notice_timings = never("invitation")
    game.host.save()
    invitation = tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=LATER)
    tables.decline(token=invitation.token, player=bruno, now=LATER)
    assert not Notice.objects.filter(kind=Kind.DECLINED).exists()


def test_an_address_that_declines_is_told_to_its_inviter_alone() -> None:
    game, bruno, clara = make_table(seats=3), make_player("Bruno"), make_player("Clara")
    tables.sit(game_id=game.pk, player=bruno, now=LATER)
    invitation = tables.invite(game_id=game.pk, inviter=bruno, address=clara.email, now=LATER)
    tables.decline(token=invitation.token, player=clara, now=LATER)
    assert list_declined_names(game, bruno) == [clara.email]
    assert list_declined_names(game, game.host) == []


def test_an_invitation_has_a_line_of_ones_own() -> None:
    game, bruno = make_table(), make_player("Bruno")
    invitation = tables.invite(
        game_id=game.pk, inviter=game.host, player=bruno, now=LATER, greeting=" A quiet\n one? \u202e "
    )
    assert invitation.greeting == "A quiet one?"
    tables.say_goodbye(player=game.host, now=LATER)
    invitation.refresh_from_db()
    assert invitation.greeting == ""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("x" * 201, "greeting_too_long"),
        ("see https://example.org", "greeting_link"),
        ("see WWW.example.org", "greeting_link"),
    ],
)
def test_a_line_is_short_and_without_links(line: str, code: str) -> None:
    game, bruno = make_table(), make_player("Bruno")
    refused(code, tables.invite, game_id=game.pk, inviter=game.host, player=bruno, greeting=line)
    assert not Notice.objects.exists()


def test_whoever_has_the_link_accepts_an_invitation_to_an_address() -> None:
    game = make_table()
    invitation = tables.invite(game_id=game.pk, inviter=game.host, address="New@Example.org ", now=LATER)
    assert (invitation.player, invitation.address) == (None, "new@example.org")
    notice = Notice.objects.get()
    assert (notice.kind, notice.recipient, notice.address) == (Kind.INVITATION, None, "new@example.org")
    newcomer = make_player("Nora")
    tables.accept(token=invitation.token, player=newcomer, now=LATER)
    game.refresh_from_db()
    assert game.status == Status.PLAYING
    invitation.refresh_from_db()
    assert (invitation.player, invitation.answer) == (newcomer, Answer.ACCEPTED)


def test_an_address_of_an_account_invites_the_account() -> None:
    game, bruno = make_table(), make_player("Bruno")
    invitation = tables.invite(game_id=game.pk, inviter=game.host, address="bruno@example.org", now=LATER)
    assert invitation.player == bruno
    assert Notice.objects.get().recipient == bruno


def test_who_wants_no_invitation_mails_is_invited_without_one() -> None:
    game, bruno = make_table(), make_player("Bruno", notice_timings=never("invitation"))
    tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=LATER)
    assert not Notice.objects.exists()
    assert access.is_invited(bruno, game)


def test_invitations_that_make_no_sense_are_refused() -> None:
    game, bruno = make_table(seats=4), make_player("Bruno")
    bot = make_player("Robot", is_bot=True)
    table = {"game_id": game.pk, "inviter": game.host}
    refused("nobody_invited", tables.invite, **table)
    refused("nobody_invited", tables.invite, **table, player=bot)
    refused("seated_already", tables.invite, **table, player=game.host)
    refused("not_seated", tables.invite, game_id=game.pk, inviter=bruno, address="x@example.org")
    refused("seated_already", tables.invite, **table, address="Anna@example.org")
    tables.invite(**table, player=bruno, now=LATER)
    refused("invited_already", tables.invite, **table, player=bruno)
    tables.invite(**table, address="x@example.org", now=LATER)
    refused("invited_already", tables.invite, **table, address="X@example.org")


def test_who_has_not_confirmed_the_address_gets_no_invitation() -> None:
    game, nora = make_table(seats=3), sign_up_only("Nora")
    refused("nobody_invited", tables.invite, game_id=game.pk, inviter=game.host, player=nora)
    invitation = tables.invite(game_id=game.pk, inviter=game.host, address=nora.email, now=LATER)
    notice = Notice.objects.get()
    assert (invitation.player, notice.recipient, notice.address) == (None, None, "nora@example.org")


def test_an_unconfirmed_account_that_was_invited_goes_and_speaks_for_no_address() -> None:
    """As accounts could once be invited. What waits for the address may be meant for its owner."""
    game, nora = make_table(seats=4), make_player("Nora")
    by_name = tables.invite(game_id=game.pk, inviter=game.host, player=nora, now=LATER)
    nora.emailaddress_set.update(verified=False)
    by_mail = tables.invite(game_id=game.pk, inviter=game.host, address=nora.email, now=LATER)
    later = nora.date_joined + timedelta(days=8)
    assert remove_unconfirmed(now=later) == 1
    assert remove_unconfirmed(now=later) == 0
    for one in (nora, by_name, by_mail):
        one.refresh_from_db()
    assert (nora.closed, by_name.answer, by_mail.answer) == (later, Answer.DECLINED, Answer.PENDING)
    assert by_mail.address == "nora@example.org"


@pytest.mark.parametrize(
    "whose", ["nobody", "seated", "invited", "invited later", "of no mails", "unconfirmed"]
)
def test_who_invites_an_address_learns_nothing_about_it(whose: str) -> None:
    game = make_table(seats=5)
    anna = game.host
    bruno = make_player("Bruno", notice_timings=never("invitation") if whose == "of no mails" else {})
    table = {"game_id": game.pk, "inviter": anna, "now": LATER}
    if whose == "seated":
        tables.sit(game_id=game.pk, player=bruno, now=LATER)
    if whose == "invited":
        tables.invite(**table, player=bruno)
    if whose == "unconfirmed":
        bruno.emailaddress_set.update(verified=False)
    address = "nobody@example.org" if whose == "nobody" else bruno.email
    invitation = tables.invite(**table, address=address)
    refused("invited_already", tables.invite, game_id=game.pk, inviter=anna, address=address)
    if whose == "invited later":
        tables.invite(**table, player=bruno)
    if "invited" in whose:
        tables.sit(game_id=game.pk, player=bruno, now=LATER)
    invitation.refresh_from_db()
    assert (invitation.address, invitation.answer) == (address, Answer.PENDING)
    lists.seat_players([game], anna)
    kept = [(seat.name, seat.kept_for) for seat in game.seated if seat.kept is not None]
    assert [name for _seat, name in kept] == [address]
    told = Notice.objects.filter(invitation=invitation)
    assert told.count() == (0 if whose == "of no mails" else 1)


def test_whose_address_is_invited_twice_may_decline_and_frees_the_seat() -> None:
    game, bruno = make_table(seats=3), make_player("Bruno")
    tables.sit(game_id=game.pk, player=bruno, now=LATER)
    invitation = tables.invite(game_id=game.pk, inviter=game.host, address=bruno.email, now=LATER)
    assert [invitation.pk for invitation in load_my_games(bruno, LATER).invitations] == [invitation.pk]
    assert Notice.objects.get(invitation=invitation).recipient == bruno
    tables.accept(token=invitation.token, player=bruno, now=LATER)
    assert game.seats.filter(player=bruno).count() == 1
    tables.decline(token=invitation.token, player=bruno, now=LATER)
    tables.sit(game_id=game.pk, player=make_player("Clara"), now=LATER)
    game.refresh_from_db()
    assert game.status == Status.PLAYING


def test_nobody_floods_the_world_with_invitations() -> None:
    anna = make_player("Anna")
    day = timedelta(days=1)
    for number in range(30):
        game = make_table(host=anna)
        now = LATER - day + timedelta(minutes=number + 1)
        tables.invite(game_id=game.pk, inviter=anna, player=make_player(f"Guest{number}"), now=now)
    game, last = make_table(host=anna), make_player("Last")
    refused("too_many_invitations", tables.invite, game_id=game.pk, inviter=anna, player=last)
    after = LATER + timedelta(minutes=1)
    tables.invite(game_id=game.pk, inviter=anna, player=last, now=after)


def test_an_invitation_can_be_withdrawn() -> None:
    game, bruno = make_table(), make_player("Bruno")
    invitation = tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=LATER)
    refused("not_host", tables.withdraw_invitation, invitation_id=invitation.pk, player=bruno)
    tables.withdraw_invitation(invitation_id=invitation.pk, player=game.host, now=LATER)
    refused("no_invitation", tables.accept, token=invitation.token, player=bruno)


def finished(**settings: Any) -> Game:
    """Make a game in which, after some turns, one player after the other resigns."""
    game = play_turns(make_game(**settings), 4)
    while game.status == Status.PLAYING:
        giving_up = next(seat.index for seat in game.seats.order_by("index") if seat.played_by_person)
        play.resign(game_id=game.pk, seat=giving_up, now=LATER)
        game.refresh_from_db()
    play.score(game_id=game.pk, now=LATER)
    return game


def test_a_rematch_rotates_the_seats_and_invites_the_others() -> None:
    old = finished(
        seats=3, days_per_move=5, visibility="link", purist=True, options={"first_player": "random"}
    )
    order = [seat.player for seat in old.seats.select_related("player")]
    new = tables.rematch(game_id=old.pk, player=order[2], now=LATER)
    assert (new.status, new.rematch_of_id) == (Status.OPEN, old.pk)
    assert TableSettings.of(new).columns() == TableSettings.of(old).columns()
    assert tables.rematch(game_id=old.pk, player=order[0], now=LATER) == new
    tables.accept(token=new.invitations.get(player=order[1]).token, player=order[1], now=LATER)
    new.refresh_from_db()
    assert new.status == Status.PLAYING
    assert [seat.player for seat in new.seats.all()] == [order[1], order[2], order[0]]


def test_who_asks_for_a_rematch_again_is_led_to_it_before_and_after_it_begins() -> None:
    old = finished()
    anna, bruno = (seat.player for seat in old.seats.order_by("index"))
    new = tables.rematch(game_id=old.pk, player=anna, now=LATER)
    assert tables.rematch(game_id=old.pk, player=anna, now=LATER) == new
    assert new.seats.filter(player=anna).count() == 1 and Game.objects.count() == 2
    tables.rematch(game_id=old.pk, player=bruno, now=LATER)
    new.refresh_from_db()
    assert new.status == Status.PLAYING
    moves = new.moves.count()
    for player in (anna, bruno):
        assert tables.rematch(game_id=old.pk, player=player, now=LATER) == new
    assert (new.moves.count(), Game.objects.count()) == (moves, 2)


def test_a_rematch_has_the_same_clock_but_not_its_hard_end() -> None:
    clock = replace(PRESETS["brisk"], ends=LATER + 40 * DAY)
    ladder = Ladder(excuses=3, last=TimeoutStep.CLAIM)
    old = finished(clock=clock, ladder=ladder, min_reliability=60, min_rating=0, max_rating=1700)
    new = tables.rematch(game_id=old.pk, player=old.host, now=LATER)
    assert (new.clock, new.ladder, new.min_reliability) == (PRESETS["brisk"], ladder, 60)
    assert (new.min_rating, new.max_rating) == (0, 1700)


def test_a_game_has_a_day_at_least_before_its_hard_end() -> None:
    anna = make_player("Anna")
    for ends, code in ((LATER + DAY, ""), (LATER + DAY - HOUR, "ends_too_soon")):
        settings = TableSettings(rules=RuleSet.of(seats=2), clock=replace(USUAL_CLOCK, ends=ends))
        if code:
            refused(code, tables.create_table, host=anna, settings=settings)
        else:
            game = tables.create_table(host=anna, settings=settings, now=LATER)
            assert game.expires == ends, "nobody sits down when no time is left"


@pytest.mark.parametrize("preset", rule_set_presets.PRESETS)
@pytest.mark.parametrize("seats", range(2, 7))
def test_every_preset_can_be_played_by_the_usual_clock(preset: str, seats: int) -> None:
    settings = TableSettings(rules=rule_set_presets.PRESETS[preset].rules(seats=seats))
    assert list(settings.refusals()) == []


def test_games_can_be_arranged_for_others() -> None:
    anna, bruno, clara = make_players(3)
    settings = TableSettings(rules=RuleSet.of(seats=3), rated=True, name="Round 1")
    game = tables.begin_game(players=[clara, anna, bruno], settings=settings, now=LATER)
    assert [seat.player for seat in game.seats.order_by("index")] == [clara, anna, bruno]
    assert (game.status, game.awaited, game.rated) == (Status.PLAYING, 0, True)
    too_soon = replace(settings, clock=replace(USUAL_CLOCK, ends=LATER + HOUR))
    refused("ends_too_soon", tables.begin_game, players=[clara, anna, bruno], settings=too_soon)


def test_a_table_may_ask_for_a_reliability() -> None:
    table, bruno = make_table(seats=4, min_reliability=90), make_player("Bruno")
    keeps_time(bruno, *[False] * 12, True, True)
    refused("reliability_low", tables.sit, game_id=table.pk, player=bruno)
    table.min_reliability = 88
    table.save()
    tables.sit(game_id=table.pk, player=bruno, now=LATER)
    tables.sit(game_id=table.pk, player=make_player("Clara"), now=LATER)  # reliability unknown
    david = make_player("David")
    tables.invite(game_id=table.pk, inviter=table.host, player=david, now=LATER)
    keeps_time(david, *[True] * 20)
    tables.sit(game_id=table.pk, player=david, now=LATER)
    assert table.seats.filter(player=None).count() == 0


def test_a_rematch_against_the_bot_begins_at_once() -> None:
    old = finished(bots=1)
    new = tables.rematch(game_id=old.pk, player=old.host, now=LATER)
    assert new.status == Status.PLAYING
    assert new.seats.get(index=0).bot == "house"


def test_a_rematch_is_for_those_who_played_and_after_the_end() -> None:
    game = make_game()
    refused("not_ended", tables.rematch, game_id=game.pk, player=game.host)
    refused("not_seated", tables.rematch, game_id=finished().pk, player=make_player("Stranger"))
    table = make_table()
    tables.cancel(game_id=table.pk, player=table.host, now=LATER)
    refused("not_ended", tables.rematch, game_id=table.pk, player=table.host)


def test_a_cancelled_rematch_can_be_asked_for_again() -> None:
    old = finished()
    first = tables.rematch(game_id=old.pk, player=old.host, now=LATER)
    tables.cancel(game_id=first.pk, player=old.host, now=LATER)
    assert tables.rematch(game_id=old.pk, player=old.host, now=LATER) != first


def test_what_was_agreed_is_a_value_that_nobody_changes() -> None:
    agreed = TableSettings(rules=RuleSet.of(seats=2))
    with pytest.raises(FrozenInstanceError):
        agreed.rated = True  # type: ignore[misc]


def test_players_talk_at_their_table() -> None:
    game = make_game()
    message = tables.say(game_id=game.pk, player=game.host, text=" Good luck! \n", now=LATER)
    assert (message.text, message.author, message.at) == ("Good luck!", game.host, LATER)
    for nothing in (" \n ", "\u200b\u2060"):
        refused("nothing_said", tables.say, game_id=game.pk, player=game.host, text=nothing)
    refused("talk_too_long", tables.say, game_id=game.pk, player=game.host, text="x" * 1001)
    refused("may_not_talk", tables.say, game_id=game.pk, player=make_player("Clara"), text="Hello")
    seated = {"game_id": game.pk, "player": game.host, "text": "Hello"}
    refused("may_not_comment", tables.say, **seated, room=Room.GALLERY)


def test_nobody_talks_more_than_ten_times_a_minute() -> None:
    game = make_game()
    for seconds in range(50, 60):
        past = LATER - timedelta(seconds=seconds)
        tables.say(game_id=game.pk, player=game.host, text=f"{seconds}!", now=past)
    refused("talking_fast", tables.say, game_id=game.pk, player=game.host, text="!")
    tables.say(game_id=game.pk, player=game.seats.get(index=1).player, text="Slowly!", now=LATER)
    tables.say(game_id=game.pk, player=game.host, text="!", now=LATER + timedelta(seconds=1))


class TestALineSentAgain:
    """A message that is sent again, by a double click or a retry, is stored once."""

    def said(self, game: Game, text: str, *, seconds: int = 0, **more: Any) -> Message:
        now = LATER + timedelta(seconds=seconds)
        return tables.say(**{"game_id": game.pk, "player": game.host, "text": text, "now": now, **more})

    def test_stands_once(self) -> None:
        game = make_game()
        assert self.said(game, "Hello") == self.said(game, " Hello\n", seconds=59)
        assert game.talk.count() == 1

    def test_is_told_even_who_has_just_said_all_that_may_be_said(self) -> None:
        game = make_game()
        last = [self.said(game, f"{number}!") for number in range(10)][-1]
        assert self.said(game, "9!") == last

    def test_is_another_line_later_or_after_others(self) -> None:
        game, other = make_game(), make_game(name="Other")
        bruno = game.seats.get(index=1).player
        self.said(game, "Hello")
        self.said(other, "Hello")
        self.said(game, "Hello", player=bruno)
        self.said(game, "Hello")  # Bruno spoke in between
        self.said(game, "Hello", seconds=60)
        assert (game.talk.count(), other.talk.count()) == (4, 1)

    def test_is_another_line_once_the_first_was_deleted(self) -> None:
        game = make_game()
        first = self.said(game, "Hello")
        delete_own(message_id=first.pk, player=game.host, now=LATER)
        assert self.said(game, "Hello") != first


def test_who_closes_an_account_leaves_every_table() -> None:
    from accounts.services import close_account

    own, other, kept = (
        make_table(seats=3),
        make_table(host=make_player("Bruno"), seats=3),
        make_table(host=make_player("Clara"), seats=3),
    )
    anna = own.host
    tables.sit(game_id=other.pk, player=anna, now=LATER)
    tables.invite(game_id=kept.pk, inviter=kept.host, address="anna@example.org", now=LATER)
    close_account(player=anna, now=LATER)
    own.refresh_from_db()
    assert (own.status, own.ending) == (Status.ABORTED, Ending.CANCELLED)
    assert not other.seats.filter(player=anna).exists()
    invitation = Invitation.objects.get()
    assert (invitation.answer, invitation.address) == (Answer.DECLINED, "")


def test_no_address_of_a_closed_account_is_left() -> None:
    from accounts.services import close_account

    early, twice = make_table(seats=3), make_table(seats=3, host=make_player("Clara"))
    tables.invite(game_id=early.pk, inviter=early.host, address="nora@example.org", now=LATER)
    tables.invite(game_id=twice.pk, inviter=twice.host, address="nora@example.org", now=LATER)
    nora = make_player("Nora")  # signs up after that
    tables.invite(game_id=twice.pk, inviter=twice.host, player=nora, now=LATER)
    Notice.objects.update(last_error="550 <nora@example.org>: no such mailbox")
    close_account(player=nora, now=LATER)
    assert set(Invitation.objects.values_list("answer", "address", "player")) == {
        (Answer.DECLINED, "", nora.pk)
    }
    hers = Notice.objects.exclude(kind=Kind.DECLINED)
    assert set(hers.values_list("recipient", "address", "last_error")) == {(nora.pk, "", "")}
    told = Notice.objects.filter(kind=Kind.DECLINED)
    assert set(told.values_list("recipient", "address")) == {(early.host.pk, ""), (twice.host.pk, "")}
