"""The table of limits: every notice has one, every act is counted, and docs/limits.md shows it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Player
from games import play, tables
from games.conduct import contacts, limits
from games.conduct.limits import Limit, NoticeRule, Scope
from games.exceptions import SENTENCES, Refused, TooMany
from games.models import Contact, Kind, Proposal
from games.outbox import PREFERENCES
from leagues import limits as league_limits
from leagues import seasons
from leagues.outbox import Topic
from tests.games.conduct.limiting import set_limit
from tests.games.factories import NOW, make_game, make_player, make_table, play_turns
from tests.leagues import test_ladders as ladders
from tests.leagues import test_organising as organising
from tests.leagues import test_team_seasons as teams
from tests.leagues.test_seasons import begun, league

ROOT = Path(__file__).parents[1]
DAY, HOUR = timedelta(days=1), timedelta(hours=1)

KINDS: Mapping[str, NoticeRule] = {kind.value: rule for kind, rule in limits.NOTICES.items()}
TOPICS: Mapping[str, NoticeRule] = {topic.value: rule for topic, rule in league_limits.TOPICS.items()}
ACTS = sorted(act for rule in (*KINDS.values(), *TOPICS.values()) for act in rule.acts)


def without_limit(notices: Iterable[str], rules: Mapping[str, NoticeRule]) -> list[str]:
    """Those of *notices* that neither a limit of each sender nor a reason holds."""
    return [name for name in notices if not _is_held(rules.get(name))]


def _is_held(rule: NoticeRule | None) -> bool:
    if rule is None:
        return False
    scopes = [{limit.scope for limit in limits.of_act(act)} for act in rule.acts]
    of_others = {Scope.RECIPIENT, Scope.PAIR, Scope.GROUP}
    limited = all(Scope.SENDER in one and one & of_others for one in scopes)
    return limited if rule.acts else bool(rule.why)


class TestEveryNotice:
    def test_of_games_has_a_limit_or_a_reason(self) -> None:
        assert without_limit(Kind.values, KINDS) == []
        assert set(KINDS) == set(Kind.values)

    def test_of_leagues_has_a_limit_or_a_reason(self) -> None:
        topics = [topic.value for topic in Topic]
        assert without_limit(topics, TOPICS) == []
        assert set(TOPICS) == set(topics)

    def test_without_either_is_found(self) -> None:
        unknown_act = {"greeting": NoticeRule(frozenset({"greeting"}))}
        assert without_limit(["greeting", "your_turn"], KINDS) == ["greeting"]
        assert without_limit(["greeting"], unknown_act) == without_limit(["greeting"], {}) == ["greeting"]
        assert without_limit(["greeting"], {"greeting": NoticeRule()}) == ["greeting"]

    def test_that_somebody_causes_can_be_switched_off(self) -> None:
        assert {kind for kind, rule in limits.NOTICES.items() if rule.acts} <= set(PREFERENCES)

    def test_the_right_to_more_lifts_no_limit_of_recipients_or_pairs(self) -> None:
        lifted = {limit.scope for limit in limits.LIMITS.values() if limit.lifted}
        assert lifted == {None, Scope.SENDER}
        shown = [limit.counted_for for limit in limits.LIMITS.values() if limit.lifted]
        assert set(shown) == {"host", "inviter"}

    def test_refusals_have_words(self) -> None:
        assert {limit.code for limit in limits.LIMITS.values()} <= set(SENTENCES)


# Each act is counted by the service that does it.


def _invite(anna: Player) -> None:
    tables.invite(game_id=make_table(host=anna).pk, inviter=anna, player=make_player("Zoe"), now=NOW)


def _invite_address(anna: Player) -> None:
    tables.invite(game_id=make_table(host=anna).pk, inviter=anna, address="zoe@example.com", now=NOW)


def _rematch(anna: Player) -> None:
    game = play.resign(game_id=play_turns(make_game(), 4).pk, seat=1, now=NOW)
    tables.rematch(game_id=game.pk, player=anna, now=NOW)


def _propose(anna: Player) -> None:
    play.propose(game_id=make_game().pk, seat=0, kind=Proposal.END, now=NOW)


def _give_time(anna: Player) -> None:
    play.give_days(game_id=make_game().pk, seat=0, days=2, now=NOW)


def _remove_guest(anna: Player) -> None:
    table = make_table(seats=3, host=anna)
    tables.sit(game_id=table.pk, player=make_player("Zoe"), now=NOW)
    tables.remove_guest(game_id=table.pk, player=anna, seat=1, now=NOW)


def _invite_to_team(anna: Player) -> None:
    team = teams.make_team(teams.team_league(), "A", 1)
    make_player("Zoe")
    seasons.invite(team_id=team.pk, captain=team.captain, name="Zoe", now=NOW)


def _hand_over(anna: Player) -> None:
    team = teams.make_team(teams.team_league(), "A", 2)
    seasons.hand_over(team_id=team.pk, captain=team.captain, player=teams.person("A1"), now=NOW)


def _challenge(anna: Player) -> None:
    ladders.challenge(ladders.ladder(3), 2, 1)


def _announce(anna: Player) -> None:
    made = league()
    seasons.announce(league=made, text="Welcome", who=organising.organiser(), now=NOW)


def _cancel(anna: Player) -> None:
    season = league().seasons.get()
    seasons.cancel_season(season_id=season.pk, who=organising.organiser(), reason="Ill", now=NOW)


def _admit(anna: Player) -> None:
    organising.admit(begun(3, division_size=6), make_player("Zoe"))


def _settle(anna: Player) -> None:
    begun(2, division_size=2)
    one, other = organising.player(0), organising.player(1)
    organising.settle(organising.between(one, other), {one: 1, other: 2})


SCENARIOS: Mapping[str, Callable[[Player], None]] = {
    limits.INVITE: _invite,
    limits.INVITE_ADDRESS: _invite_address,
    limits.REMATCH: _rematch,
    limits.PROPOSE: _propose,
    limits.GIVE_TIME: _give_time,
    limits.REMOVE_GUEST: _remove_guest,
    league_limits.INVITE_TO_TEAM: _invite_to_team,
    league_limits.HAND_OVER: _hand_over,
    league_limits.CHALLENGE: _challenge,
    league_limits.ANNOUNCE: _announce,
    league_limits.CHANGE_SEASON: _cancel,
    league_limits.ADMIT: _admit,
    league_limits.SETTLE: _settle,
}


def test_every_act_of_the_table_is_done_here() -> None:
    counted = {act for limit in limits.LIMITS.values() for act in limit.acts}
    assert set(SCENARIOS) == counted == set(ACTS)


@pytest.mark.django_db
@pytest.mark.parametrize("act", sorted(SCENARIOS))
def test_every_act_is_written_down_by_its_service(act: str) -> None:
    SCENARIOS[act](make_player("Anna"))
    assert Contact.objects.filter(act=act).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("act", sorted(SCENARIOS))
def test_nobody_does_any_of_it_without_a_confirmed_address(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever did it first can't do it again once the address is not confirmed any more."""
    count = contacts.count

    def count_unconfirmed(act_done: str, sender: Player, *args: object, **more: object) -> None:
        if act_done == act:
            EmailAddress.objects.filter(user=sender).update(verified=False)
        count(act_done, sender, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(contacts, "count", count_unconfirmed)
    with pytest.raises(Refused, match="Confirm your e-mail address"):
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
    "games.tables.invitations.invited": "INVITE",
    "games.tables.invitations.declined": ANSWER,
    "games.tables.setup.nudged": BY_THE_SITE,
    "games.tables.seats.removed": "REMOVE_GUEST",
    "games.play.offers.act_of_table": "PROPOSE",
    "games.play.claims.act_of_table": "GIVE_TIME",
    "games.play.turns.act_of_table": BY_THE_GAME,
    "games.play.ladder.act_of_table": BY_THE_GAME,
    "games.play.substitutes.act_of_table": "a seat changes hands a few times at most",
    "games.play.ladder.time_ran_out": BY_THE_GAME,
    "games.play.turns.game_began": BY_THE_GAME,
    "games.play.turns.turn_played": BY_THE_GAME,
    "games.play.undo.turn_played": BY_THE_GAME,
    "games.play.turns.game_ended": BY_THE_GAME,
    "games.play.moderation.seats.turn_played": BY_STAFF,
    "games.play.moderation.door.moderated": BY_STAFF,
    "games.tables.renaming.table_renamed": BY_STAFF,
    "games.conduct.sanctions.sanctioned": BY_STAFF,
    "games.conduct.reports.incident_decided": BY_STAFF,
    "games.notices.reminders.remind": BY_THE_GAME,
    "leagues.seasons.renaming.renamed": BY_STAFF,
    "leagues.seasons.challenges.challenged": "CHALLENGE",
    "leagues.seasons.ladders.challenge_ended": BY_THE_SITE,
    "leagues.seasons.organising.announced": "ANNOUNCE",
    "leagues.seasons.organising.called_off": "CHANGE_SEASON",
    "leagues.seasons.organising.opened_again": "CHANGE_SEASON",
    "leagues.seasons.postponing.called_off": BY_THE_SITE,
    "leagues.seasons.joining.admitted": "ADMIT",
    "leagues.seasons.replacing.replaced": "ADMIT",
    "leagues.seasons.settling.settled": "SETTLE",
    "leagues.seasons.teams.squads.invited": "INVITE_TO_TEAM",
    "leagues.seasons.teams.squads.invitation_declined": ANSWER,
    "leagues.seasons.teams.squads.captain_named": "HAND_OVER",
    "leagues.seasons.teams.squads.team_mate_left": "one mail a day about one player",
    "leagues.seasons.teams.squads.team_mate_away": "one mail a day about one player",
    "leagues.seasons.teams.rounds.season_began": BY_THE_SITE,
    "leagues.seasons.teams.rounds.line_ups_due": BY_THE_SITE,
    "leagues.seasons.teams.rounds.team_left_out": BY_THE_SITE,
    "leagues.seasons.teams.brackets.line_ups_due": BY_THE_SITE,
    "leagues.seasons.drawing.season_began": BY_THE_SITE,
    "leagues.seasons.drawing.round_drawn": BY_THE_SITE,
    "leagues.seasons.finals.round_drawn": BY_THE_SITE,
    "leagues.seasons.warning.season_ends_soon": BY_THE_SITE,
    "leagues.seasons.warning.on_the_desk": BY_THE_SITE,
    "leagues.seasons.waiting.place_came_free": BY_THE_SITE,
    "leagues.seasons.closing.season_over": BY_THE_SITE,
}
"""Who calls what of an outbox, and which act is counted there (a name in ``limits``), or why none is."""

QUIET = {
    "drop_stale", "forget_address", "game_began", "goes_on", "plan_reminders", "push_reminders",
    "remind_anew",
    "told_elsewhere", "wants", "reachable",
}  # fmt: skip
"""What of the outboxes writes no notice; ``game_began`` is that of leagues, which takes one away."""


def calls_of_outboxes() -> Iterator[tuple[str, str]]:
    """Each call of a function of an outbox: where, and the source of the file."""
    for package in ("games", "leagues"):
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for node in ast.walk(ast.parse(source)):
                match node:
                    case ast.Attribute(value=ast.Name(id="outbox"), attr=name):
                        yield f"{module}.{name}", source


def test_who_writes_notices_is_known_and_counts_what_people_do() -> None:
    found = dict(calls_of_outboxes())
    writing = {call for call in found if call.rpartition(".")[2] not in QUIET or call in CALLS}
    assert writing == set(CALLS)
    for call, act in CALLS.items():
        if act.isupper():
            assert f"limits.{act}" in found[call], call


# What docs/limits.md says


def how_much(limit: Limit) -> str:
    """The number and the time of *limit* as the document writes them."""
    star = " *" if limit.lifted else ""
    units = {None: "", timedelta(minutes=1): " a minute", HOUR: " an hour", DAY: " a day", 7 * DAY: " a week"}
    if limit.within in units:
        return f"{limit.most}{units[limit.within]}{star}"
    assert limit.within is not None
    return f"{limit.most} in {limit.within // HOUR} hours{star}"


def rows_of_limits() -> set[tuple[str, str, str]]:
    return {(limit.what, how_much(limit), limit.counted_for) for limit in limits.LIMITS.values()}


def row_of_notice(name: str, rule: NoticeRule) -> tuple[str, ...]:
    """What the document says of a notice: its limits by scope, its rest after a "no", and the reason."""
    found = [limit for limit in limits.LIMITS.values() if limit.acts & rule.acts]

    def cell(*scopes: Scope) -> str:
        shown = [f"{limit.what}: {how_much(limit)}" for limit in found if limit.scope in scopes]
        return "; ".join(dict.fromkeys(shown)) or "–"

    rests = "a week" if rule.acts & limits.RESTING else "–"
    scopes = (Scope.SENDER, Scope.RECIPIENT, Scope.PAIR, Scope.GROUP)
    return (name, *(cell(scope) for scope in scopes), rests, rule.why or "–")


def rows_of_notices() -> list[tuple[str, ...]]:
    of_games = [row_of_notice(f"`{name}`", rule) for name, rule in KINDS.items() if name != Kind.LEAGUE]
    return [*of_games, *(row_of_notice(f"`league: {name}`", rule) for name, rule in TOPICS.items())]


def documented() -> list[tuple[str, ...]]:
    """The rows of all tables of docs/limits.md."""
    lines = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").splitlines()
    return [
        tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in lines if line[:1] == "|"
    ]


def test_the_document_shows_every_limit_as_it_is() -> None:
    named = {limit.what for limit in limits.LIMITS.values()}
    shown = {row[:3] for row in documented() if row[0] in named}
    assert shown == rows_of_limits()


def test_the_document_shows_what_holds_each_notice() -> None:
    shown = [row for row in documented() if row[0].startswith("`") and len(row) == 7]
    expected = rows_of_notices()
    assert shown == expected, "\n".join("| " + " | ".join(row) + " |" for row in expected)
