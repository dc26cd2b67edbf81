"""The table of limits: every notice has one, every act is counted, and docs/limits.md shows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Player
from games import play, tables
from games.conduct import contacts, limits
from games.conduct.limits import Limit, Scope
from games.exceptions import SENTENCES, Refused, TooMany
from games.models import Contact, Kind, Proposal, Webhook, WebhookShape
from games.notices import own_webhooks
from games.outbox import EVENTS
from leagues import limits as league_limits
from leagues import seasons
from leagues.mails import MAILS
from leagues.models import Match, RequestKind
from leagues.seasons.extending import PartKind, SeasonPart
from tests.games.factories import NOW, make_game, make_player, make_table, play_turns
from tests.leagues.ladder_helpers import begin_ladder, challenge_player
from tests.leagues.organising_helpers import admit_player, get_fixture_between, get_organiser, settle_fixture
from tests.leagues.season_helpers import begin_season, get_numbered_player, make_league
from tests.leagues.team_season_helpers import get_player, make_team, make_team_season
from tests.moderation.limiting import set_limit

ROOT = Path(__file__).parents[1]
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def read_rows(columns: int) -> list[list[str]]:
    """The rows of those tables of docs/limits.md that have so many columns, without their heads."""
    lines = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if line[:1] == "|"]
    return [row for row in rows if len(row) == columns and row[0] not in ("what", "notice", "---")]


LIMIT_ROWS = read_rows(5)
NOTICE_ROWS = {
    name.strip("`"): (frozenset(re.findall(r"`(\w+)`", acts)), why)
    for name, acts, why in read_rows(3)
    if name.startswith("`")
}
"""The acts that cause each notice and are limited, and why no more is needed."""

OF_LEAGUES = "league: "
ACTS = sorted(act for acts, _why in NOTICE_ROWS.values() for act in acts)


def is_held(acts: frozenset[str], why: str) -> bool:
    """Return whether all *acts* have a limit for each sender and another; or there is a reason for none."""
    scopes = [{limit.scope for limit in limits.find_limits_of_act(act)} for act in acts]
    of_others = {Scope.RECIPIENT, Scope.PAIR, Scope.GROUP}
    limited = all(Scope.SENDER in scope and scope & of_others for scope in scopes)
    return limited if acts else why != "–"


class TestEveryNotice:
    def test_is_in_the_document(self) -> None:
        topics = {f"{OF_LEAGUES}{kind}" for kind in MAILS}
        assert set(NOTICE_ROWS) == {*Kind.values, *topics} - {Kind.LEAGUE}

    def test_has_a_limit_or_a_reason(self) -> None:
        assert [name for name, row in NOTICE_ROWS.items() if not is_held(*row)] == []

    def test_without_either_is_found(self) -> None:
        assert not is_held(frozenset({"greeting"}), "–")
        assert not is_held(frozenset(), "–")

    def test_that_somebody_causes_can_be_switched_off(self) -> None:
        of_games = {name for name, (acts, _why) in NOTICE_ROWS.items() if acts and OF_LEAGUES not in name}
        assert of_games <= set(EVENTS)

    def test_the_right_to_more_lifts_no_limit_of_recipients_or_pairs(self) -> None:
        lifted = {limit.scope for limit in limits.LIMITS.values() if limit.lifted}
        assert lifted == {None, Scope.SENDER}
        assert {row[2] for row in LIMIT_ROWS if row[1].endswith("*")} == {"host", "inviter"}

    def test_refusals_have_words(self) -> None:
        assert {limit.code for limit in limits.LIMITS.values()} <= set(SENTENCES)


# Each act is counted by the service that does it.


def _invite(anna: Player) -> None:
    tables.invite(game_id=make_table(host=anna).pk, inviter=anna, player=make_player("Zoe"), now=NOW)


def _invite_address(anna: Player) -> None:
    tables.invite(game_id=make_table(host=anna).pk, inviter=anna, address="zoe@example.com", now=NOW)


def _invite_by_link(anna: Player) -> None:
    tables.invite_by_link(game_id=make_table(host=anna).pk, inviter=anna, now=NOW)


def _rematch(anna: Player) -> None:
    game = play.resign(game_id=play_turns(make_game(), 4).pk, seat=1, now=NOW)
    tables.rematch(game_id=game.pk, player=anna, now=NOW)


def _propose(anna: Player) -> None:
    play.propose(game_id=make_game().pk, seat=0, kind=Proposal.END, now=NOW)


def _give_time(anna: Player) -> None:
    play.give_days(game_id=make_game().pk, seat=0, days=2, now=NOW)


def _nudge(anna: Player) -> None:
    game = make_game()
    opponent = game.seats.exclude(index=game.awaited).get()
    play.nudge(game_id=game.pk, seat=opponent.index, now=NOW + DAY)


def _remove_guest(anna: Player) -> None:
    table = make_table(seats=3, host=anna)
    tables.sit(game_id=table.pk, player=make_player("Zoe"), now=NOW)
    tables.remove_guest(game_id=table.pk, player=anna, seat=1, now=NOW)


def _invite_to_team(anna: Player) -> None:
    team = make_team(make_team_season(), "A", 1)
    make_player("Zoe")
    seasons.invite(team_id=team.pk, captain=team.captain, name="Zoe", now=NOW)


def _hand_over(anna: Player) -> None:
    team = make_team(make_team_season(), "A", 2)
    seasons.hand_over(team_id=team.pk, captain=team.captain, player=get_player("A1"), now=NOW)


def _challenge(anna: Player) -> None:
    challenge_player(begin_ladder(3), 2, 1)


def _ask(anna: Player) -> None:
    seasons.ask(league=make_league(), player=anna, kind=RequestKind.TIME, text="More, please", now=NOW)


def _announce(anna: Player) -> None:
    made = make_league()
    seasons.announce(league=made, text="Welcome", who=get_organiser(), now=NOW)


def _cancel(anna: Player) -> None:
    season = make_league().seasons.get()
    seasons.cancel_season(season_id=season.pk, who=get_organiser(), reason="Ill", now=NOW)


def _admit(anna: Player) -> None:
    admit_player(begin_season(3, division_size=6), make_player("Zoe"))


def _settle(anna: Player) -> None:
    begin_season(2, division_size=2)
    one, other = get_numbered_player(0), get_numbered_player(1)
    settle_fixture(get_fixture_between(one, other), {one: 1, other: 2})


def _appoint(anna: Player) -> None:
    made = make_league()
    seasons.name_organiser(league=made, player=anna, who=get_organiser(), reason="Busy", now=NOW)


def _change_rules(anna: Player) -> None:
    made = make_league()
    settings = replace(made.settings, rounds=2)
    given = {"name": made.name, "text": made.text, "reason": "Wished for"}
    seasons.edit(league=made, settings=settings, who=get_organiser(), now=NOW, **given)


def _extend(anna: Player) -> None:
    season = begin_season(2, division_size=2)
    part = SeasonPart(PartKind.MATCH, Match.objects.get().pk)
    organiser, now = get_organiser(), season.begins + DAY
    seasons.extend(season_id=season.pk, part=part, by=DAY, who=organiser, reason="Ill", now=now)


def _add_webhook(anna: Player) -> None:
    url = "https://hooks.example.com/secret"
    own_webhooks.add_webhook(player=anna, url=url, shape=WebhookShape.MATTERMOST, now=NOW)


def _test_webhook(anna: Player) -> None:
    # With an address that nobody can read: nothing is sent anywhere.
    webhook = Webhook.objects.create(player=anna, shape=WebhookShape.SLACK, encrypted_url="none", since=NOW)
    own_webhooks.send_test(webhook, now=NOW)


CAUSING_NO_NOTICE = {limits.INVITE_BY_LINK, limits.ADD_WEBHOOK, limits.TEST_WEBHOOK}
"""Acts that let guests in, or send requests to other servers, but cause no notice to anybody."""

SCENARIOS: Mapping[str, Callable[[Player], None]] = {
    limits.INVITE: _invite,
    limits.INVITE_ADDRESS: _invite_address,
    limits.INVITE_BY_LINK: _invite_by_link,
    limits.REMATCH: _rematch,
    limits.PROPOSE: _propose,
    limits.GIVE_TIME: _give_time,
    limits.NUDGE: _nudge,
    limits.REMOVE_GUEST: _remove_guest,
    limits.ADD_WEBHOOK: _add_webhook,
    limits.TEST_WEBHOOK: _test_webhook,
    league_limits.INVITE_TO_TEAM: _invite_to_team,
    league_limits.HAND_OVER: _hand_over,
    league_limits.CHALLENGE: _challenge,
    league_limits.ANNOUNCE: _announce,
    league_limits.ASK: _ask,
    league_limits.CHANGE_SEASON: _cancel,
    league_limits.ADMIT: _admit,
    league_limits.SETTLE: _settle,
    league_limits.EXTEND: _extend,
    league_limits.APPOINT: _appoint,
    league_limits.CHANGE_RULES: _change_rules,
}


def test_every_act_of_the_table_is_done_here() -> None:
    counted = {act for limit in limits.LIMITS.values() for act in limit.acts}
    assert set(SCENARIOS) == counted == {*ACTS, *CAUSING_NO_NOTICE}


@pytest.mark.django_db
@pytest.mark.parametrize("act", sorted(SCENARIOS))
def test_every_act_is_written_down_by_its_service(act: str) -> None:
    SCENARIOS[act](make_player("Anna"))
    assert Contact.objects.filter(act=act).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("act", sorted(SCENARIOS))
def test_nobody_does_any_of_it_without_a_confirmed_address(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each act is refused once the sender's address is no longer confirmed."""
    count = contacts.record_contacts

    def count_unconfirmed(act_done: str, sender: Player, *args: object, **more: object) -> None:
        if act_done == act:
            EmailAddress.objects.filter(user=sender).update(verified=False)
        count(act_done, sender, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(contacts, "record_contacts", count_unconfirmed)
    with pytest.raises(Refused, match="Confirm your email address"):
        SCENARIOS[act](make_player("Anna"))
    assert not Contact.objects.filter(act=act).exists()


OF_CONTACTS = sorted(key for key, limit in limits.LIMITS.items() if limit.acts)


@pytest.mark.django_db
@pytest.mark.parametrize("key", OF_CONTACTS)
def test_every_limit_of_contacts_refuses(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by itself, while all others let everything pass."""
    for other in OF_CONTACTS:
        set_limit(monkeypatch, other, 0 if other == key else 1000)
    limit = limits.LIMITS[key]
    # By address nobody is refused because of a recipient: that would tell whose address it is.
    act = min(limit.acts, key=lambda act: (act == limits.INVITE_ADDRESS, act))
    with pytest.raises(TooMany) as error:
        SCENARIOS[act](make_player("Anna"))
    assert error.value.code == limit.code
    assert not Contact.objects.filter(act=act).exists()


# Whoever calls the outbox is known: what a person does there is counted.

BY_THE_GAME = "the game or its clock"
BY_THE_SITE = "the beat, or what follows from a result"
BY_STAFF = "moderators"
ANSWER = "answers what the recipient has asked"
AGREED = "all have agreed"

CALLS: Mapping[str, str] = {
    "games.tables.invitations.tell_invitation": "INVITE",
    "games.tables.invitations.tell_decline": ANSWER,
    "games.mail_in.answering.tell_mail_answer": ANSWER,
    "games.tables.setup.nudge_host": BY_THE_SITE,
    "games.tables.seats.tell_removal": "REMOVE_GUEST",
    "games.play.offers.tell_table_act": "PROPOSE",
    "games.play.claims.tell_table_act": "GIVE_TIME",
    "games.play.nudges.nudge_player": "NUDGE",
    "games.play.turns.tell_table_act": BY_THE_GAME,
    "games.play.timeouts.tell_table_act": BY_THE_GAME,
    "games.play.substitutes.tell_table_act": "a seat changes hands a few times at most",
    "games.play.timeouts.tell_time_ran_out": BY_THE_GAME,
    "games.play.turns.tell_game_began": BY_THE_GAME,
    "games.play.turns.tell_turn_played": BY_THE_GAME,
    "games.play.handing_over.tell_turn_played": BY_THE_GAME,
    "games.play.undo.tell_turn_played": BY_THE_GAME,
    "games.play.turns.tell_game_ended": BY_THE_GAME,
    "games.play.moderation.seats.tell_turn_played": BY_STAFF,
    "games.play.moderation.base.tell_moderation": BY_STAFF,
    "moderation.acts.table_names.notify_table_renamed": BY_STAFF,
    "moderation.acts.sanctions.notify_sanctioned": BY_STAFF,
    "moderation.acts.reports.notify_incident_decided": BY_STAFF,
    "games.notices.reminders.remind": BY_THE_GAME,
    "leagues.seasons.renaming.Renamed": BY_STAFF,
    "leagues.seasons.challenges.Challenged": "CHALLENGE",
    "leagues.seasons.ladders.ChallengeEnded": BY_THE_SITE,
    "leagues.seasons.requests.RequestMade": "ASK",
    "leagues.seasons.requests.RequestAnswered": ANSWER,
    "leagues.seasons.organising.Announced": "ANNOUNCE",
    "leagues.seasons.organising.CalledOff": "CHANGE_SEASON",
    "leagues.seasons.organising.RegistrationOpened": "CHANGE_SEASON",
    "leagues.seasons.postponing.CalledOff": BY_THE_SITE,
    "leagues.seasons.joining.Admitted": "ADMIT",
    "leagues.seasons.replacing.Replaced": ANSWER,
    "leagues.seasons.substitutes.SubstituteAsked": "ADMIT",
    "leagues.seasons.substitutes.SubstituteAnswered": ANSWER,
    "leagues.seasons.penalties.PenaltySet": "SETTLE",
    "leagues.seasons.settling.Settled": "SETTLE",
    "leagues.seasons.taking_out.TakenOut": "SETTLE",
    "leagues.seasons.teams.squads.TeamInvitation": "INVITE_TO_TEAM",
    "leagues.seasons.teams.squads.TeamDeclined": ANSWER,
    "leagues.seasons.teams.squads.Captaincy": "HAND_OVER",
    "leagues.seasons.teams.squads.TeamMateAway": "one mail a day about one player",
    "leagues.seasons.teams.rounds.SeasonBegan": BY_THE_SITE,
    "leagues.seasons.teams.rounds.LineUpDue": BY_THE_SITE,
    "leagues.seasons.teams.rounds.TeamShort": BY_THE_SITE,
    "leagues.seasons.brackets.LineUpDue": BY_THE_SITE,
    "leagues.seasons.drawing.SeasonBegan": BY_THE_SITE,
    "leagues.seasons.drawing.RoundDrawn": BY_THE_SITE,
    "leagues.formats.contenders.RoundDrawn": BY_THE_SITE,
    "leagues.seasons.founding.Appointed": "APPOINT",
    "leagues.seasons.offices.Inherited": BY_THE_SITE,
    "leagues.seasons.organising.RulesChanged": "CHANGE_RULES",
    "leagues.seasons.extending.Extended": "EXTEND",
    "leagues.seasons.warning.EndSoon": BY_THE_SITE,
    "leagues.seasons.warning.DeskNews": BY_THE_SITE,
    "leagues.seasons.tables.ProtestTime": BY_THE_SITE,
    "leagues.seasons.waiting_list.PlaceFree": BY_THE_SITE,
    "leagues.seasons.closing.SeasonOver": BY_THE_SITE,
    "leagues.seasons.closing.NextSeasonWaits": BY_THE_SITE,
    "leagues.seasons.round_times.EndMoved": BY_THE_SITE,
    "leagues.seasons.results.Lapsed": BY_THE_SITE,
    "leagues.seasons.ending_early.EndedEarly": "once a division",
}
"""Calls of outboxes, and mails of leagues, by module, with the act that is counted there (a name in
``limits``), or why none is."""

QUIET = {
    "drop_stale", "drop_game_began", "drop_game_ended", "forget_address",
    "plan_reminders", "push_reminders", "remind_anew", "wants_mail",
}  # fmt: skip
"""Functions of the outboxes that write no notice."""


def calls_of_outboxes() -> Iterator[tuple[str, str]]:
    """Yield each call of an outbox's function, or of a mail of leagues: its place, and the file's source."""
    mails = {mail.__name__ for mail in MAILS.values()}
    for package in ("games", "moderation", "leagues"):
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for node in ast.walk(ast.parse(source)):
                match node:
                    case ast.Attribute(value=ast.Name(id="outbox"), attr=name):
                        yield f"{module}.{name}", source
                    case ast.Attribute(value=ast.Name(id=name), attr="tell") if name in mails:
                        yield f"{module}.{name}", source


def test_who_writes_notices_is_known_and_counts_what_people_do() -> None:
    callers = dict(calls_of_outboxes())
    writing = {call for call in callers if call.rpartition(".")[2] not in QUIET or call in CALLS}
    writing -= {call for call in writing if call.startswith("leagues.mails.")}  # one mail that brings another
    assert writing == set(CALLS)
    for call, act in CALLS.items():
        if act.isupper():
            assert f"limits.{act}" in callers[call], call


# What docs/limits.md says


def how_much(limit: Limit) -> str:
    """The number and the time of *limit* as in the document."""
    star = " *" if limit.lifted else ""
    units = {None: "", timedelta(minutes=1): " a minute", HOUR: " an hour", DAY: " a day", 7 * DAY: " a week"}
    if limit.within in units:
        return f"{limit.most}{units[limit.within]}{star}"
    assert limit.within is not None
    return f"{limit.most} in {limit.within // HOUR} hours{star}"


def test_the_document_shows_every_limit_as_it_is() -> None:
    shown = [(row[3].strip("`"), row[1]) for row in LIMIT_ROWS if row[3] != "–"]
    assert sorted(shown) == sorted((key, how_much(limit)) for key, limit in limits.LIMITS.items())
