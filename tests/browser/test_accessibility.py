"""Tests that axe finds nothing on any page, in both schemes, on a wide screen and on a phone.

The list of pages is compared with the URL patterns, so none can be forgotten.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import LazySettings
from django.contrib.auth.models import Permission
from django.core import mail as sent
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import get_resolver, reverse
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts import addresses, closing, provisional
from accounts.models import AddressChange, PauseCause, Player
from carcassonne.local.mailbox import EmailBackend, kept_mails
from games import play, tables
from games.clocks import DAY
from games.conduct import blocks
from games.models import Game, ModerationAct, Notice, OwnStop, Proposal, PushSubscription, WebhookShape
from games.notices.email import compose
from games.notices.unsubscribe import build_token
from games.pages.rulebook import contents
from games.play import moderation, positions
from games.rules import RuleSet
from games.rules.geometry import get_coordinates
from leagues import seasons
from leagues.models import Entry, Phase, RequestKind, Season, SubstituteOffer, Team
from leagues.schedules.team_rules import TeamRules
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules
from moderation.acts import sanctions
from moderation.models import Appeal, Incident, Signal
from tests.accounts.signing_in import create_session
from tests.browser.accessibility_helpers import ALL_RULES, WCAG, WIDE, find_violations
from tests.browser.game_helpers import build_turn_query, get_awaited_player
from tests.browser.sign_in_helpers import sign_in
from tests.games.factories import heart_beats, make_game, make_player, make_table, play_turns
from tests.games.notices.webhook_helpers import make_webhook
from tests.games.play.decision_helpers import CREATOR_BEGINS, make_entering_game, make_transferring_game
from tests.games.play.moderating import asked, make_moderator
from tests.games.play.simultaneous_helpers import make_undoable_game
from tests.games.play.substitute_helpers import make_offered_game
from tests.moderation.fair_play.making import make_signal
from tests.moderation.reporting import decide, report
from tests.moderation.sanctioning import suspend, warned
from tests.permissions.world import walk

pytestmark = pytest.mark.django_db(transaction=True)

POST = "does something by a POST and shows no page of its own"

NO_PAGES = {
    "accounts:strength": "a part of a form",
    "games:icon": "a picture",
    "games:record": "a file to keep",
    "games:svg": "a file to keep",
    "games:png": "a file to keep",
    "games:ply_svg": "a file to keep",
    "games:ply_png": "a file to keep",
    "games:thumbnail": "a picture",
    "games:preview": "a picture",
    "games:layer": "the links over a board",
    "manifest": "a file",
    "worker": "a script",
    "games:next": "leads to a board or to the list",
    "games:play_bot": POST,
    "games:sit": POST,
    "games:leave": POST,
    "games:follow": POST,
    "games:follow_player": POST,
    "games:block": POST,
    "games:rename": POST,
    "games:resume_mails": POST,
    "games:switch_on_device": POST,
    "games:switch_off_device": POST,
    "games:try_device": POST,
    "games:push_key": "for the worker: a key",
    "games:renew_feeds": POST,
    "games:switch_off_feeds": POST,
    "games:private_news": "a feed for readers of news",
    "games:private_calendar": "a calendar",
    "games:remove_guest": POST,
    "games:invite_by_link": POST,
    "games:hours": POST,
    "games:enter_holiday": POST,
    "games:cancel_holiday": POST,
    "games:begin_emergency": POST,
    "games:add_webhook": POST,
    "games:test_webhook": POST,
    "games:remove_webhook": POST,
    "games:end_emergency": POST,
    "games:cancel": POST,
    "games:add_bot": POST,
    "games:invite": POST,
    "games:withdraw": POST,
    "games:rematch": POST,
    "games:play": POST,
    "games:nudge": POST,
    "games:come_back": POST,
    "games:claim": POST,
    "games:give": POST,
    "games:answer": POST,
    "games:undo": POST,
    "games:abort": POST,
    "games:resume": POST,
    "moderation:incident_act": POST,
    "moderation:desk_note": POST,
    "games:change_plan": POST,
    "moderation:acknowledge": POST,
    "moderation:appeal": POST,
    "moderation:lift": POST,
    "moderation:answer_appeal": POST,
    "games:spread_out": "the set-up form, filled in; games:new is the same page",
    "set_language": POST,
    "accounts:theme": POST,
    "accounts:photo": "a picture",
    "moderation:desk_clear_profile": POST,
    "accounts:end_session": POST,
    "accounts:export_file": "a file to keep",
    "mfa_download_recovery_codes": "a file to keep",
    "mfa_login_webauthn": "sends on to the sign-in, or says to a script what a passkey is to sign",
    **dict.fromkeys(["live", "ready", "metrics"], "for machines: a word, or numbers"),
    "security_txt": "a file for finders of holes",
    "well_known_change_password": "leads to the page that changes a password",
    "league:feed": "a feed for readers of news",
    "league:calendar": "a calendar",
    "league:tables_csv": "a file to keep",
    "league:teams_csv": "a file to keep",
    "league:games_csv": "a file to keep",
    "league:season_json": "a file to keep",
    "league:register": POST,
    "league:withdraw": POST,
    "league:stay": POST,
    "league:challenge": POST,
    "league:decline_challenge": POST,
    "league:join": POST,
    "league:wait": POST,
    "league:team_act": POST,
    "mailbox-picture": "a picture",
    "mailbox-reply": POST,
}
"""Addresses without a page, and why. The admin is Django's own."""


class World(NamedTuple):
    """Site and games that the pages show."""

    site: str
    running: Game
    ended: Game
    open: Game
    asked: Game
    entering: Game
    hand: Game  # with a proposal
    kept: Game  # with a seat that seeks a substitute
    held: Game  # with a turn that can still be undone
    judged: Game  # rolled back and stopped by a moderator
    token: str  # of an invitation
    stop: str  # of a mail
    mail: str
    league: Season  # running; another league has registration open


def url(name: str, *args: Any) -> str:
    return reverse(name, args=args)


Stop = Callable[[World], str]
Steps = Callable[[Page, World], None]


class Visit(NamedTuple):
    """A page: the name of its URL, the player who looks, and the steps before the check."""

    name: str
    player: str | None = None  # "to move" is whoever the running game waits for
    where: Stop | None = None
    then: Steps | None = None
    rules: Sequence[str] = ALL_RULES

    @property
    def title(self) -> str:
        return f"{self.name} as {self.player or 'a stranger'}"


def board(world: World, query: str = "") -> str:
    return url("games:table", world.running.code) + query


def of(game: str, name: str, *args: Any) -> Stop:
    return lambda world: url(name, getattr(world, game).code, *args)


def of_league(name: str, *args: Any) -> Stop:
    return lambda world: url(name, world.league.league.slug, world.league.number, *args)


def guest_seats_of_anna(world: World) -> str:
    """The page at which Anna takes over the games of a guest with her address."""
    guest = provisional.create_guest(name="Gustav", language="en", time_zone="UTC")
    anna = Player.objects.get(username="Anna")
    return urlsplit(provisional.build_seats_link(guest, anna.email)).path


def of_a_shared_draw(world: World) -> str:
    """The board of a game with a shared draw, which is hidden from strangers."""
    return url("games:table", Game.objects.get(deal__games__status="playing", status="playing").code)


def ask_organisers(world: World) -> str:
    """The page on which a question of Bruno's is answered."""
    league, bruno = world.league.league, Player.objects.get(username="Bruno")
    asked = league.requests.filter(player=bruno).first()
    if asked is None:
        seasons.ask(league=league, player=bruno, kind=RequestKind.TIME, text="Two days?", now=timezone.now())
        asked = league.requests.get(player=bruno)
    return url("league:answer", league.slug, asked.pk)


def offer_place(world: World) -> str:
    """The page on which Bruno is asked to play on for somebody."""
    bruno = Player.objects.get(username="Bruno")
    entry = Entry.objects.filter(
        season__phase=Phase.RUNNING, division__isnull=False, replaced_by=None
    ).first()
    offer, _new = SubstituteOffer.objects.get_or_create(
        entry=entry, player=bruno, defaults={"asked": timezone.now()}
    )
    return offer.get_absolute_url()


def of_team(name: str, league: str = "team-cup") -> str:
    return url(name, league, 1, Team.objects.get(season__league__slug=league, name="Alpha").pk)


def token_of_team() -> str:
    return Team.objects.get(season__league__slug="open-team-cup").token


def by_way_of(name: str) -> Stop:
    return lambda world: url(name)


def code_mailed() -> str:
    match = re.search(r"^    (\S+)$", sent.outbox[-1].body, re.MULTILINE)
    assert match, sent.outbox[-1].body
    return match[1]


def ask_for_a_code(page: Page, world: World) -> None:
    page.locator("main input[type=email]").fill("anna@example.org")
    page.locator("main form button").first.click()
    page.wait_for_url(lambda now: "code/confirm" in now or "reset/confirm" in now)


def sit_down_as_a_guest(page: Page, world: World) -> None:
    """Join a table of three by a link; then open the page on which the guest creates an account."""
    anna, now = Player.objects.get(username="Anna"), timezone.now()
    table = make_table(host=anna, seats=3, now=now)
    asked = tables.invite_by_link(game_id=table.pk, inviter=anna, now=now)
    page.goto(world.site + url("games:invitation", asked.token))
    page.get_by_label("Your name").fill("Quentin")
    page.get_by_role("button", name="Play as a guest").click()
    page.wait_for_url("**/g/*/")
    page.goto(world.site + url("accounts:create_account"))


def choose_a_new_password(page: Page, world: World) -> None:
    ask_for_a_code(page, world)
    page.get_by_label("Code").fill(code_mailed())
    page.locator("main form button").first.click()
    page.wait_for_url("**/password/reset/complete/")


def sign_up(page: Page, world: World) -> None:
    page.get_by_label("Email address").fill("gustav@example.org")
    page.get_by_label("Name", exact=True).fill("Gustav")
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/confirm-email/")


def be_mailed_a_code(page: Page, world: World) -> None:
    page.locator("main form button").first.click()
    page.get_by_label("Code").wait_for()


def ask_to_close(page: Page, world: World) -> None:
    """Schedule the closing of Emma's account, of which the next sign-in tells."""
    emma = Player.objects.get(username="Emma")
    closing.ask(player=emma, now=timezone.now())
    page.goto(world.site + url("accounts:close"))


def token_of_closing() -> str:
    return closing.token_for(Player.objects.get(username="Emma"))


def token_of_change() -> str:
    anna = Player.objects.get(username="Anna")
    change = AddressChange.objects.create(player=anna, old="old@example.org", new=anna.email)
    return addresses.token_for(change)


def second_factors(player: Player) -> None:
    """Give *player* an app, recovery codes and a key."""
    TOTP.activate(player, generate_totp_secret())
    RecoveryCodes.activate(player)
    data = json.loads(Path(__file__).with_name("passkey.json").read_text())  # one that Chromium has made
    Authenticator.objects.create(user=player, type=Authenticator.Type.WEBAUTHN, data=data)


def key_of_clara() -> int:
    return Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN).pk


def sign_in_halfway(page: Page, world: World) -> None:
    """Sign in as Clara up to the question for her second factor."""
    page.locator("[name=login]").fill("clara@example.org")
    page.locator("[name=password]").fill("seven tiles of road")
    page.locator("main form button:not([type=button])").first.click()
    page.wait_for_url("**/second-factor/authenticate/")


def press(key: str, shown: str) -> Steps:
    def steps(page: Page, world: World) -> None:
        page.keyboard.press(key)
        page.locator(shown).wait_for()

    return steps


def send_nothing(page: Page, world: World) -> None:
    """Send a form with all fields missing or wrong."""
    with page.expect_navigation():
        page.locator("main form").first.evaluate("form => { form.noValidate = true; form.submit(); }")


def confirm_an_act(page: Page, world: World) -> None:
    """Open the preview of an organiser's act."""
    page.locator("[name=reason]").fill("Holidays")
    page.locator("form.act button").click()
    page.locator(".effects").first.wait_for()


def pause_everywhere(page: Page, world: World) -> None:
    bulk = page.locator("section[aria-labelledby=bulk]")
    bulk.locator("summary").click()
    bulk.locator("[name=what][value=pause]").check()
    bulk.locator("[name=reason]").fill("Holidays")
    bulk.locator("form button").click()
    page.locator(".effects").first.wait_for()


def unfold_all(page: Page, world: World) -> None:
    """Open all details."""
    page.locator("main").evaluate(
        "main => main.querySelectorAll('details').forEach(one => (one.open = true))"
    )


def see_a_name(page: Page, world: World) -> None:
    """Open the preview of a new name."""
    page.locator("[name=name]").fill("Albi")
    page.locator("[name=reason]").fill("It offends.")
    with page.expect_navigation():
        page.locator("form.act button").click()


def named(game: str, name: str) -> Callable[[World], str]:
    """Build a function that returns the URL *name* for the table's name of that game."""
    return lambda world: url(name, "table", getattr(world, game).code)


def see_a_suspension(page: Page, world: World) -> None:
    page.locator("[name=template]").select_option("insults")
    confirm_an_act(page, world)


def appealed() -> int:
    return Appeal.objects.get().sanction_id


def branch(world: World) -> tuple[int, ...]:
    """The version of the act that rolled back the game."""
    return (world.judged.moderation.get(kind="roll_back").version,)


def incident(world: World, game: str | None = "running") -> Incident:
    """The incident about Anna in that game, or in none."""
    return Incident.objects.get(game=getattr(world, game) if game else None)


def message(world: World) -> int:
    """The key of Anna's message in the running game."""
    return world.running.talk.get().pk


def sorts_of_answers(page: Page, world: World) -> None:
    page.locator("#line").fill("help")
    page.keyboard.press("Enter")
    page.locator("#answer li").first.wait_for()


def write_a_note(page: Page, world: World) -> None:
    page.goto(world.site + url("games:ply", world.running.code, 3))
    page.locator("#note-text").fill("A bold move")
    page.get_by_role("button", name="Keep").click()
    page.get_by_text("Your note is saved.").wait_for()
    page.goto(world.site + url("games:notes", world.running.code))


def plan_a_turn(page: Page, world: World) -> None:
    page.locator(".coming .choice").first.click()
    page.locator("#turn-map .mark").first.dispatch_event("click")
    page.get_by_role("link", name="No meeple", exact=True).click()
    page.locator("#send").click()
    page.locator(".plan-list li").wait_for()


def after_another(world: World) -> str:
    return a_space(world).replace("/space/", "/plan/after/")


def go_on_holiday(page: Page, world: World) -> None:
    """Enter a holiday, and another one, which is refused."""
    for _ in range(2):
        page.fill("[name=end]", (timezone.localdate() + timedelta(days=5)).isoformat())
        page.click(".enter button")
        page.wait_for_load_state()


def have_webhooks(page: Page, world: World) -> None:
    """Make a webhook that works, and one that was switched off."""
    anna, now = Player.objects.get(username="Anna"), timezone.now()
    make_webhook(anna, last_sent=now)
    off = {"off": now, "why_off": "failing", "failed": now, "last_error": "status", "last_status": 500}
    make_webhook(anna, WebhookShape.SLACK, **off)
    page.reload()


def lose_mails(page: Page, world: World) -> None:
    """Let Anna's mails bounce, so that every page says so."""
    Notice.objects.filter(recipient__username="Anna").update(
        sent=None, dropped=timezone.now(), why_dropped="paused"
    )
    paused = {"mail_paused": timezone.now(), "mail_pause_cause": PauseCause.BOUNCED}
    Player.objects.filter(username="Anna").update(**paused)
    page.reload()


def switch_on_devices(page: Page, world: World) -> None:
    """Enable notifications in two browsers, and show all messages about this one."""
    anna = Player.objects.get(username="Anna")
    for number in range(2):
        key = create_session(anna)
        PushSubscription.objects.create(
            player=anna,
            endpoint=f"https://web.push.apple.com/{key}",
            session_key=key,
            browser="Safari",
            device="iPhone",
            since=timezone.now(),
            last_success=timezone.now() if number else None,
        )
    page.reload()
    page.locator("#push [data-state]:not([hidden])").wait_for()
    page.evaluate("document.querySelectorAll('#push [hidden]').forEach((part) => { part.hidden = false; })")


def a_space(world: World) -> str:
    state = positions.load_position(world.running).state
    x, y = get_coordinates(min(state.board.needs))
    return url("games:space", world.running.code, f"{x},{y}")


STRANGER = [
    Visit("games:home"),
    Visit("privacy"),
    Visit("games:home", then=press("?", "dialog[open]")),
    Visit("games:rules"),
    *(
        Visit("games:rules_page", where=lambda world, slug=slug: url("games:rules_page", slug))  # type: ignore[misc]
        for slug in contents.PAGES
    ),
    Visit("games:keys"),
    Visit("league:list"),
    Visit("league:log", where=lambda world: url("league:log", world.league.league.slug)),
    Visit("league:announcements", where=lambda world: url("league:announcements", world.league.league.slug)),
    Visit("league:archive", where=lambda world: url("league:archive", world.league.league.slug)),
    Visit("league:champions", where=lambda world: url("league:champions", world.league.league.slug)),
    Visit("leagues:career", where=lambda world: url("leagues:career", "Anna")),
    Visit("league:season", where=of_league("league:season")),
    Visit("league:division", where=of_league("league:division", 1)),
    Visit("league:division", where=lambda world: url("league:division", "knock-out", 1, 1)),
    Visit("league:division", where=lambda world: url("league:division", "team-cup", 1, 1)),
    Visit("league:division", where=lambda world: url("league:division", "team-bracket", 1, 1)),
    Visit("league:teams", where=lambda world: url("league:teams", "team-cup", 1)),
    Visit("league:team", where=lambda world: of_team("league:team")),
    Visit("league:team_match", where=lambda world: url("league:team_match", "team-cup", 1, 1, 1, 1)),
    Visit("games:lobby"),
    Visit("games:seats"),
    Visit("games:archive"),
    Visit("games:player", where=lambda world: url("games:player", "Anna")),
    Visit("games:people", "Anna"),
    Visit("accounts:profile", "Anna"),
    Visit("games:blocked", "Anna"),
    Visit("games:mails", "Anna"),
    Visit("games:mails", "Anna", then=lose_mails),
    Visit("games:devices", "Anna"),
    Visit("games:devices", "Anna", then=switch_on_devices),
    Visit("games:feeds", "Anna"),
    Visit("games:feeds", "Felix"),  # has none
    Visit("games:player", "Anna", where=lambda world: url("games:player", "Felix")),
    Visit("games:webhooks", "Anna"),
    Visit("games:webhooks", "Anna", then=have_webhooks),
    Visit("games:time", "Anna"),
    Visit("games:time", "Anna", then=go_on_holiday),
    Visit("ratings:leaderboard"),
    Visit("games:rating_history", where=lambda world: url("games:rating_history", "Anna")),
    Visit("ratings:calibration"),
    Visit("games:table", where=board),
    Visit("games:table", where=of("open", "games:table")),
    Visit("games:table", where=of_a_shared_draw),
    Visit("games:text", where=of("running", "games:text")),
    Visit("games:features", where=of("running", "games:features")),
    Visit("games:show", where=lambda world: board(world, "?show=fields")),
    Visit("games:show", where=lambda world: board(world, "?show=spaces")),
    Visit("games:space", where=a_space),
    Visit("games:feature", where=of("running", "games:feature", "0,0", "city", "N")),
    Visit("games:gallery", where=of("running", "games:gallery")),
    Visit("offline"),
    Visit("games:invitation", where=lambda world: url("games:invitation", world.token)),
    Visit("games:unsubscribe", where=lambda world: url("games:unsubscribe", world.stop)),
    Visit("account_login"),
    Visit("account_login", then=send_nothing),
    Visit("account_signup"),
    Visit("account_signup", then=send_nothing),
    Visit("account_inactive"),
    Visit("account_request_login_code"),
    Visit("account_reset_password"),
    Visit("account_password_reset_completed"),
    Visit(
        "account_confirm_login_code",
        where=lambda world: url("account_request_login_code"),
        then=ask_for_a_code,
    ),
    Visit(
        "account_confirm_password_reset_code",
        where=lambda world: url("account_reset_password"),
        then=ask_for_a_code,
    ),
    Visit(
        "account_complete_password_reset",
        where=lambda world: url("account_reset_password"),
        then=choose_a_new_password,
    ),
    Visit("account_email_verification_sent", None, by_way_of("account_signup"), sign_up),
    Visit("mailbox"),
    Visit("mailbox-mail", where=lambda world: url("mailbox-mail", world.mail)),
    # A mail stands in a frame, or in a mail program: what is good practice for pages is not asked of it.
    Visit("mailbox-html", where=lambda world: url("mailbox-html", world.mail), rules=WCAG),
]
PLAYERS = [
    Visit("games:table", "to move", board),
    Visit("games:table", "to move", lambda world: board(world, build_turn_query(world.running))),
    Visit("games:table", "to move", lambda world: board(world, "?at=0,0")),
    Visit("games:table", "to move", board, press("?", "dialog[open]")),
    Visit("games:text", "to move", of("running", "games:text")),
    Visit("games:text", "to move", of("running", "games:text"), sorts_of_answers),
    Visit("games:text", "to move", lambda world: url("games:text", world.running.code) + "?say=9,9+r0"),
    Visit("games:table", "waiting", board),
    Visit("games:plan", "waiting", of("running", "games:plan")),
    Visit("games:plan", "waiting", of("running", "games:plan"), plan_a_turn),
    Visit("games:plan", "waiting", lambda world: url("games:plan", world.running.code) + "?choose=space"),
    Visit("games:plan_after", "waiting", after_another),
    Visit("games:ply", "waiting", of("running", "games:ply", 7)),
    Visit("games:notes", "waiting", of("running", "games:notes")),
    Visit("games:notes", "waiting", of("running", "games:notes"), write_a_note),
    Visit("games:features", "waiting", of("running", "games:features")),
    Visit("games:quarter", "Anna", of("entering", "games:quarter", "castle")),
    Visit("games:end", "Anna", of("ended", "games:end")),
    Visit("games:end_step", "Anna", of("ended", "games:end_step", 1)),
    Visit("games:files", "Anna", of("ended", "games:files")),
    Visit("games:scores", "waiting", of("running", "games:scores")),
    Visit("games:talk", "waiting", of("running", "games:talk")),
    Visit("games:draw", "waiting", of("running", "games:draw")),
    Visit("games:resign", "waiting", of("running", "games:resign")),
    Visit("games:table", "Anna", of("ended", "games:table")),
    Visit("games:text", "Anna", of("ended", "games:text")),
    Visit("games:draw", "Anna", of("ended", "games:draw")),
    Visit("games:scores", "Anna", of("ended", "games:scores")),
    Visit("games:table", "Anna", of("open", "games:table")),
    Visit("games:table", "Bruno", of("asked", "games:table")),
    Visit("games:text", "Bruno", of("asked", "games:text")),
    Visit("games:table", "Anna", of("entering", "games:table")),
    Visit("games:table", "Anna", of("hand", "games:table")),
    Visit("games:table", "Anna", of("held", "games:table")),
    Visit("games:table", "Emma", of("kept", "games:table")),
    Visit("games:table", "Clara", of("kept", "games:table")),
    Visit("games:take_over", "Emma", of("kept", "games:take_over", 2)),
    Visit("games:offers", "Anna", of("running", "games:offers")),
    Visit("games:seat_notices", "Anna", of("running", "games:seat_notices")),
    Visit("games:transfers", "Anna", of("entering", "games:transfers")),
    Visit("games:keep", "Anna", of("open", "games:keep")),
    Visit("games:text", "Anna", of("hand", "games:text")),
    Visit("games:mine", "Anna"),
    Visit("games:mine", "Emma"),
    Visit("accounts:create_account", then=sit_down_as_a_guest),
    Visit("games:invitation", "David", lambda world: url("games:invitation", world.token)),
    Visit("games:new", "Anna"),
    Visit("games:new", "Anna", then=send_nothing),
    Visit("games:lobby", "Anna"),
    Visit("games:archive", "Anna"),
    Visit("league:ask", "Bruno", where=lambda world: url("league:ask", world.league.league.slug)),
    Visit("league:answer", "Anna", where=ask_organisers),
    Visit("league:offer", "Bruno", where=offer_place),
    Visit("league:found", "Anna"),
    Visit("league:found", "Anna", then=send_nothing),
    Visit("league:found", "Emma"),
    Visit("league:desk", "Anna", lambda world: url("league:desk", world.league.league.slug)),
    Visit("league:act", "Anna", lambda world: url("league:act", world.league.league.slug, "replace")),
    Visit("league:act", "Anna", lambda world: url("league:act", "open-cup", "edit"), send_nothing),
    Visit("league:act", "Anna", lambda world: url("league:act", "open-cup", "cancel"), confirm_an_act),
    Visit("league:league", "Anna", lambda world: url("league:league", world.league.league.slug)),
    Visit("league:division", "Anna", lambda world: url("league:division", "ladder", 1, 1)),
    Visit("league:league", "Emma", lambda world: url("league:league", "open-cup")),
    Visit("league:league", "Anna", lambda world: url("league:league", "team-cup")),
    Visit("league:teams", "Emma", lambda world: url("league:teams", "open-team-cup", 1)),
    Visit("league:team", "Bruno", lambda world: of_team("league:team", "open-team-cup")),
    Visit("league:team", "Anna", lambda world: of_team("league:team")),
    Visit(
        "league:team_invitation", "Clara", lambda world: of_team("league:team_invitation", "open-team-cup")
    ),
    Visit("league:line_up", "Anna", lambda world: of_team("league:line_up")),
    Visit(
        "league:join_team", "Emma", lambda world: url("league:join_team", "open-team-cup", 1, token_of_team())
    ),
    Visit("games:player", "Anna", lambda world: url("games:player", "Anna")),
    Visit("ratings:leaderboard", "Anna"),
    Visit("accounts:settings", "Anna"),
    Visit("accounts:notices", "Anna"),
    Visit("accounts:close", "Anna"),
    Visit("accounts:sessions", "Anna"),
    Visit("accounts:export", "Anna"),
    Visit("accounts:reauthenticate_by_code", "Anna"),
    Visit("accounts:reauthenticate_by_code", "Anna", then=be_mailed_a_code),
    Visit("accounts:close", "Emma", then=ask_to_close),
    Visit("accounts:keep", "Emma", lambda world: url("accounts:keep", token_of_closing())),
    Visit("accounts:undo_address", "Anna", lambda world: url("accounts:undo_address", token_of_change())),
    Visit("mfa_index", "Anna"),
    Visit("mfa_activate_totp", "Anna"),
    Visit("mfa_activate_totp", "Anna", then=send_nothing),
    Visit("mfa_add_webauthn", "Anna"),
    Visit("mfa_index", "Clara"),
    Visit("mfa_deactivate_totp", "Clara"),
    Visit("mfa_view_recovery_codes", "Clara"),
    Visit("mfa_generate_recovery_codes", "Clara"),
    Visit("mfa_list_webauthn", "Clara"),
    Visit("mfa_edit_webauthn", "Clara", lambda world: url("mfa_edit_webauthn", key_of_clara())),
    Visit("mfa_remove_webauthn", "Clara", lambda world: url("mfa_remove_webauthn", key_of_clara())),
    Visit("mfa_reauthenticate", "Clara"),
    Visit("mfa_reauthenticate_webauthn", "Clara"),
    Visit("mfa_authenticate", None, by_way_of("account_login"), sign_in_halfway),
    Visit("account_email", "Anna"),
    Visit("account_change_password", "Felix"),
    Visit("account_set_password", "Anna"),
    Visit("account_reauthenticate", "Felix"),
    Visit("games:table", "Anna", of("judged", "games:table")),
    Visit("moderation:moderation", "Anna", of("judged", "moderation:moderation")),
    Visit(
        "moderation:branch", "Anna", lambda world: url("moderation:branch", world.judged.code, *branch(world))
    ),
    Visit(
        "moderation:branch_step",
        "Anna",
        lambda world: url("moderation:branch_step", world.judged.code, *branch(world), 1),
    ),
    Visit("moderation:desk", "Mira"),
    Visit("moderation:own_stop", "Mona", lambda world: url("moderation:own_stop", OwnStop.objects.get().pk)),
    Visit("games:guest_seats", "Anna", guest_seats_of_anna),
    Visit("moderation:desk_game", "Mira", of("judged", "moderation:desk_game")),
    Visit("moderation:moderate", "Mira", of("judged", "moderation:moderate", "adjudicate")),
    Visit("moderation:moderate", "Mira", of("judged", "moderation:moderate", "pause"), send_nothing),
    Visit("moderation:moderate", "Mira", of("judged", "moderation:moderate", "roll-back"), confirm_an_act),
    Visit("moderation:desk_person", "Mira", lambda world: url("moderation:desk_person", "Anna")),
    Visit(
        "moderation:desk_person",
        "Mira",
        lambda world: url("moderation:desk_person", "Anna"),
        pause_everywhere,
    ),
    Visit("moderation:conduct", "Anna"),
    Visit("moderation:conduct", "Gina"),
    Visit("games:mine", "Gina"),
    Visit("games:table", "Gina", board),
    Visit(
        "moderation:sanction", "Mira", lambda world: url("moderation:sanction", "Anna", "mute"), send_nothing
    ),
    Visit(
        "moderation:sanction",
        "Mira",
        lambda world: url("moderation:sanction", "Anna", "suspend"),
        see_a_suspension,
    ),
    Visit("moderation:desk_person", "Mira", lambda world: url("moderation:desk_person", "Gina")),
    Visit("moderation:desk_mails", "Mira", lambda world: url("moderation:desk_mails", "Anna")),
    Visit("moderation:desk_game", "Mira", of("judged", "moderation:desk_game"), unfold_all),
    Visit("moderation:desk_person", "Mira", lambda world: url("moderation:desk_person", "Anna"), unfold_all),
    Visit("moderation:desk_search", "Mira", lambda world: url("moderation:desk_search") + "?q=an"),
    Visit("moderation:desk_in_force", "Mira"),
    Visit("moderation:desk_templates", "Mira"),
    Visit("moderation:desk_template", "Mira", lambda world: url("moderation:desk_template", "insults")),
    Visit(
        "moderation:desk_new_template",
        "Mira",
        lambda world: url("moderation:desk_new_template"),
        send_nothing,
    ),
    Visit("moderation:desk_rename", "Mira", named("judged", "moderation:desk_rename")),
    Visit("moderation:desk_rename", "Mira", named("judged", "moderation:desk_rename"), see_a_name),
    Visit("moderation:report_name", "Felix", named("judged", "moderation:report_name")),
    Visit("moderation:desk_sanction", "Mira", lambda world: url("moderation:desk_sanction", appealed())),
    Visit("moderation:desk_sanction", "Mona", lambda world: url("moderation:desk_sanction", appealed())),
    Visit(
        "moderation:desk_incident", "Mira", lambda world: url("moderation:desk_incident", incident(world).pk)
    ),
    Visit(
        "moderation:desk_incident",
        "Mira",
        lambda world: url("moderation:desk_incident", incident(world, None).pk),
    ),
    Visit("moderation:report_player", "Anna", lambda world: url("moderation:report_player", "Bruno")),
    Visit("moderation:report_game", "Anna", of("running", "moderation:report_game")),
    Visit("moderation:report_game", "Anna", of("running", "moderation:report_game"), send_nothing),
    Visit(
        "moderation:report_message",
        "Bruno",
        lambda world: url("moderation:report_message", world.running.code, message(world)),
    ),
    Visit(
        "moderation:delete_message",
        "Anna",
        lambda world: url("moderation:delete_message", world.running.code, message(world)),
    ),
    Visit("moderation:signal", "Mira", lambda world: url("moderation:signal", Signal.objects.get().pk)),
    Visit("account_logout", "Anna"),
]
LARGE_TEXT = {
    *("games:home", "games:rules", "games:lobby", "games:text", "games:invitation", "games:player"),
    *("account_login", "account_signup", "league:season", "league:division", "league:team"),
    *("games:table", "games:plan", "games:scores", "games:end", "games:mine", "games:new", "games:mails"),
    *("accounts:profile", "accounts:settings", "league:desk", "moderation:desk"),
}
"""Names of pages that are also seen at twice the size of text, as each kind of player sees them first."""
PROBLEMS = ["400.html", "403.html", "403_csrf.html", "404.html", "429.html", "500.html"]


def running_league(now: datetime) -> Season:
    """Start a season with a finished game in a league of Anna's, who also has one open for registration."""
    anna = Player.objects.get(username="Anna")
    anna.user_permissions.add(Permission.objects.get(codename="found_league"))
    agreed = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2, up=1, down=1))
    seasons.found_league(founder=anna, name="Open Cup", settings=agreed, now=now)
    agreed = replace(agreed, duplicate=True)
    league = seasons.found_league(founder=anna, name="Cup of Foix", settings=agreed, now=now - 8 * DAY)
    season = league.seasons.get()
    for player in Player.objects.filter(username__in=["Anna", "Bruno", "Clara"]):
        seasons.register(season_id=season.pk, player=player, now=now - 8 * DAY)
    seasons.advance(now, seconds=60)
    seasons.withdraw(season_id=season.pk, player=Player.objects.get(username="Clara"), now=now)
    seasons.advance(now, seconds=60)
    seasons.announce(league=league, text="Welcome to Foix", who=anna, now=now)
    team_leagues(anna, now)
    season.refresh_from_db()
    knock_out_and_ladder(anna, agreed, now)
    return season


def knock_out_and_ladder(founder: Player, agreed: LeagueSettings, now: datetime) -> None:
    """Start a knock-out, and a ladder with a challenge, on which Anna may make another."""
    begun = now - 8 * DAY
    players = list(
        Player.objects.filter(username__in=["Anna", "Clara", "David", "Emma"]).order_by("-username")
    )
    for name, schedule in (("Knock-out", Schedule.KNOCK_OUT), ("Ladder", Schedule.LADDER)):
        settings = replace(agreed, standings=Rules.usual(2), schedule=schedule, duplicate=False)
        season = seasons.found_league(founder=founder, name=name, settings=settings, now=begun).seasons.get()
        taking_part = players if schedule == Schedule.LADDER else players[:3]
        for order, player in enumerate(taking_part):
            seasons.register(season_id=season.pk, player=player, now=begun + timedelta(minutes=order))
    seasons.advance(now, seconds=60)
    emma, david, *_ = players
    seasons.challenge(season_id=season.pk, player=david, challenged=emma, now=now)


def team_leagues(anna: Player, now: datetime) -> None:
    """Leagues of teams: two that have begun, one of them a knock-out, and one with a team of Bruno's."""
    bruno = Player.objects.get(username="Bruno")
    agreed = LeagueSettings(
        rules=RuleSet.of(seats=2), standings=Rules.usual(2), teams=TeamRules(boards=1, least=1, most=3)
    )
    running = seasons.found_league(
        founder=anna, name="Team Cup", settings=agreed, now=now - 8 * DAY
    ).seasons.get()
    for name, captain in (("Alpha", anna), ("Beta", bruno)):
        seasons.found_team(season_id=running.pk, captain=captain, name=name, now=now - 8 * DAY)
    cup = replace(agreed, schedule=Schedule.KNOCK_OUT)
    bracket = seasons.found_league(
        founder=anna, name="Team Bracket", settings=cup, now=now - 8 * DAY
    ).seasons.get()
    for name, captain in (("Alpha", "David"), ("Beta", "Emma"), ("Gamma", "Clara")):
        player = Player.objects.get(username=captain)
        seasons.found_team(season_id=bracket.pk, captain=player, name=name, now=now - 8 * DAY)
    opened = seasons.found_league(founder=anna, name="Open Team Cup", settings=agreed, now=now).seasons.get()
    team = seasons.found_team(season_id=opened.pk, captain=bruno, name="Alpha", now=now)
    seasons.invite(team_id=team.pk, captain=bruno, name="Clara", now=now)
    seasons.advance(now, seconds=60)


@pytest.fixture
def world(live_server: LiveServer, settings: LazySettings, tmp_path: Path) -> World:
    settings.OUTBOX_DIR = tmp_path
    settings.DEBUG = True
    settings.EMAIL_URL = settings.KEEP_MAILS
    now = timezone.now()
    heart_beats(now)
    for name in ("Anna", "Bruno", "David", "Emma", "Gina"):
        make_player(name)
    second_factors(make_player("Clara", password="seven tiles of road"))
    make_player("Felix", password="seven tiles of road")
    running = play_turns(make_game(seats=3, now=now), 24, now=now)
    anna = Player.objects.get(username="Anna")
    blocks.block(blocked=Player.objects.get(username="Felix"), player=anna, now=now)
    said = tables.say(game_id=running.pk, player=anna, text="Hello", now=now)
    report("Bruno", "Anna", running, message=said, now=now)
    report("Clara", "Anna", running, category="stalling", ply=20, now=now)
    make_moderator("Helen")  # decides; the groups are gone after the first test with a live server
    decide(report("Bruno", "Anna", category="name", now=now - 2 * DAY).incident, now=now)
    ended = play_turns(make_game(now=now), now=now)
    play.score(game_id=ended.pk, now=now)
    ended.refresh_from_db()
    waiting = make_table(seats=4, now=now)
    tables.sit(game_id=waiting.pk, player=Player.objects.get(username="Bruno"), now=now)
    tables.invite(game_id=waiting.pk, inviter=anna, player=Player.objects.get(username="David"), now=now)
    invitation = waiting.invitations.get()
    notice = Notice.objects.filter(recipient__isnull=False).order_by("pk").first()
    assert notice is not None
    EmailBackend().send_messages([compose(notice)])
    kept = make_offered_game()
    heart_beats(now)
    hand = make_game(options={**CREATOR_BEGINS, "hand": "three_open"}, now=now)
    play.propose(game_id=hand.pk, seat=1, kind=Proposal.END, now=now)
    held_by_moderators = judged(now)
    sanction_gina(now)
    return World(
        site=live_server.url,
        running=running,
        ended=ended,
        open=waiting,
        asked=make_transferring_game(now=now),
        entering=make_entering_game(now=now),
        hand=hand,
        kept=kept,
        held=make_undoable_game(),
        judged=held_by_moderators,
        token=invitation.token,
        stop=build_token(notice),
        mail=kept_mails()[0].name,
        league=running_league(now),
    )


def judged(now: datetime) -> Game:
    game = play_turns(make_game(seats=3, now=now), 8, now=now)
    mira = make_moderator()
    make_signal(game)
    moderation.roll_back(asked(game, mira, now), 5)
    moderation.pause(asked(game, mira, now))
    act = ModerationAct.objects.latest("pk")
    OwnStop.objects.create(who=mira, player=game.seats.get(index=0).player, at=now, act=act)
    return game


def sanction_gina(now: datetime) -> None:
    """Let Mira suspend Gina, who appeals, and Mona warn her."""
    gina, mira, mona = Player.objects.get(username="Gina"), make_moderator(), make_moderator("Mona")
    suspended = suspend(gina, now - DAY, who=mira, words="On Sunday.", about="incident 12")
    sanctions.appeal(sanction_id=suspended.pk, player=gina, words="It was my cat.", now=now)
    warned(gina, now, who=mona, template="stalling")


def everybody(world: World, player: str) -> Player:
    if player == "to move":
        return get_awaited_player(world.running)
    if player == "waiting":
        return world.running.seats.exclude(index=world.running.awaited).first().player  # type: ignore[union-attr,return-value]
    return Player.objects.get(username=player)


@pytest.mark.provokes("Failed to load resource")  # pages that say what went wrong have such a status
@pytest.mark.slow
@pytest.mark.parametrize("visits", [PLAYERS, STRANGER], ids=["players", "strangers"])
def test_axe_finds_nothing(page: Page, live_server: LiveServer, world: World, visits: list[Visit]) -> None:
    violations = []
    seen = None
    large: set[str] = set()
    for visit in visits:
        if visit.player is None:
            page.context.clear_cookies()
        elif visit.player != seen:
            sign_in(page, live_server, everybody(world, visit.player))
        seen = visit.player
        page.set_viewport_size(WIDE)  # type: ignore[arg-type]
        page.goto(world.site + (visit.where(world) if visit.where else url(visit.name)))
        if visit.then:
            visit.then(page, world)
        large_text = visit.name in LARGE_TEXT and visit.title not in large
        large.add(visit.title)
        violations += find_violations(page, visit.title, visit.rules, large_text=large_text)
    assert not violations, "\n\n".join(violations)


def test_axe_finds_nothing_where_something_went_wrong(page: Page, live_server: LiveServer, db: None) -> None:
    violations = []
    request = RequestFactory().get("/made/")
    page.route("**/made/*", lambda route: route.fulfill(body=shown[route.request.url.rsplit("/", 1)[1]]))
    shown = {name: render_to_string(name, request=request) for name in PROBLEMS}
    for name in PROBLEMS:
        page.goto(f"{live_server.url}/made/{name}")
        violations += find_violations(page, name)
    assert not violations, "\n\n".join(violations)


def test_no_page_is_forgotten() -> None:
    known = {name for name, _parts in walk(get_resolver()) if not name.startswith("admin:")}
    visited = {visit.name for visit in (*STRANGER, *PLAYERS)}
    assert known == visited | set(NO_PAGES), "visit the page, or say why there is none"
    assert not visited & set(NO_PAGES)
