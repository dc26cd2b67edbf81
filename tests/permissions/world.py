"""One of everything that a URL can refer to, and a player in every role towards it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts import feed_secrets
from accounts.models import FeedSecret, Player
from games import play, tables
from games.clocks import DAY
from games.conduct import blocks
from games.models import (
    Answer,
    Game,
    Holiday,
    Invitation,
    Notice,
    OwnStop,
    Proposal,
    Sanction,
    SanctionKind,
    Webhook,
    WebhookShape,
)
from games.notices.unsubscribe import build_token
from games.rules import RuleSet
from leagues import seasons
from leagues.forms import desk as league_desk
from leagues.models import League, RequestKind, Team
from leagues.schedules.team_rules import TeamRules
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from leagues.views import teams as team_views
from moderation.acts import reports, sanctions
from moderation.acts.reports import Subject
from moderation.acts.sanctions import SanctionRequest
from moderation.fair_play import signals
from moderation.forms import games as game_forms
from moderation.forms import sanctions as sanction_forms
from moderation.models import Category, Incident, Signal
from moderation.views import incidents
from tests.accounts.signing_in import sign_in
from tests.games.factories import heart_beats, make_game, make_player, make_table, play_turns
from tests.games.visitors import first_line
from tests.moderation.fair_play.making import make_signal

ROLES: Mapping[str, str | None] = {
    "anonymous": None,
    "stranger": "Felix",
    "invited": "David",
    "waiting": "Bruno",
    "on turn": "Anna",
    "left": "Clara",
    "organiser": "Emma",
    "moderator": "Helen",
    "administrator": "Greta",
    "blocked": "Ivan",
}
"""Players by role. A spectator is a stranger who looks at a public game."""

STAFF = ("moderator", "administrator")


class World(NamedTuple):
    """Objects that the URLs refer to."""

    running: Game  # private; Anna is on turn, Bruno waits, Clara has resigned
    public: Game  # the same
    table: Game  # private and open, of Anna's, with an invitation to David
    ended: Game  # private, between Anna and Bruno
    league: League  # of Emma's, with a season of Anna, Bruno and Clara that runs
    opened: League  # of Emma's, for which one may register
    teams: League  # the same of teams; Anna's is there


def make_world() -> World:
    """Create everything, as of now."""
    now = timezone.now()
    heart_beats(now)
    for role, name in ROLES.items():
        if name is not None:
            player = make_player(name, is_staff=role in STAFF, is_superuser=role == "administrator")
            player.groups.set(Group.objects.filter(name=role))
    anna, ivan = (Player.objects.get(username=name) for name in ("Anna", "Ivan"))
    blocks.block(player=anna, blocked=ivan, now=now)
    table = make_table(visibility="private", now=now)
    tables.invite(game_id=table.pk, inviter=table.host, player=Player.objects.get(username="David"), now=now)
    running, public, ended = _played("private"), _played("public"), _ended()
    make_signal(public)
    play.enter_holiday(player=anna, begin=now + 9 * DAY, end=now + 10 * DAY, now=now)
    # With an address that nobody can read: nothing is sent anywhere.
    Webhook.objects.create(player=anna, shape=WebhookShape.DISCORD, encrypted_url="none", since=now)
    _sanctions(anna)
    feed_secrets.make_secret(anna, now=now)
    return World(running, public, table, ended, *_leagues())


def _sanctions(anna: Player) -> None:
    """Give Anna a warning, which she has read, with an appeal; it is another moderator's."""
    now, mona = timezone.now(), make_player("Mona", is_staff=True)
    mona.groups.set(Group.objects.filter(name="moderator"))
    made = sanctions.impose(
        SanctionKind.WARNING, SanctionRequest(anna, mona, "Reported twice.", now, template="insults")
    )
    OwnStop.objects.create(who=mona, player=anna, at=now, sanction=made)
    sanctions.acknowledge(sanction_id=made.pk, player=anna, now=now)
    sanctions.appeal(sanction_id=made.pk, player=anna, words="It was my cat.", now=now)


def _played(visibility: str) -> Game:
    """Make a game of three, one of whom has resigned; the player on turn has an offer to end it."""
    now = timezone.now()
    game = play_turns(make_game(seats=3, visibility=visibility, now=now), 6, now=now)
    play.resign(game_id=game.pk, seat=2, now=now)
    said = tables.say(game_id=game.pk, player=game.host, text="Hello", now=now)
    reports.report(
        reporter=Player.objects.get(username="Bruno"),
        subject=Subject(game.host, game, message=said),
        category=Category.INSULTS,
        words="",
        now=now,
    )
    play.propose(game_id=game.pk, seat=1, kind=Proposal.END, now=now)
    game.refresh_from_db()
    assert game.awaited == 0
    return game


def _ended() -> Game:
    now = timezone.now()
    game = play_turns(make_game(visibility="private", now=now), 3, now=now)
    play.resign(game_id=game.pk, seat=0, now=now)
    game.refresh_from_db()
    return game


def _leagues() -> tuple[League, League, League]:
    now = timezone.now()
    emma = Player.objects.get(username="Emma")
    agreed = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2, up=1, down=1))
    running = seasons.found_league(founder=emma, name="Cup", settings=agreed, now=now - 8 * DAY)
    for player in Player.objects.filter(username__in=["Anna", "Bruno", "Clara"]):
        seasons.register(season_id=running.seasons.get().pk, player=player, now=now - 8 * DAY)
    seasons.advance(now, seconds=60)
    opened = seasons.found_league(founder=emma, name="Open", settings=agreed, now=now)
    of_teams = replace(agreed, standings=Rules.usual(2), teams=TeamRules(boards=1, least=1, most=3))
    teams = seasons.found_league(founder=emma, name="Teams", settings=of_teams, now=now)
    anna = Player.objects.get(username="Anna")
    team = seasons.found_team(season_id=teams.seasons.get().pk, captain=anna, name="Alpha", now=now)
    seasons.invite(team_id=team.pk, captain=anna, name="David", now=now)
    seasons.ask(league=running, player=anna, kind=RequestKind.TIME, text="More time?", now=now)
    return running, opened, teams


def client_of(role: str) -> Client:
    client = Client()
    name = ROLES[role]
    if name is not None:
        sign_in(client, Player.objects.get(username=name))
    return client


def addresses(world: World) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield each URL pattern's name, a URL and data to send; those of a game for each applicable kind of
    game."""
    for name, wanted in patterns():
        kinds = OF_GAMES.get(name, ("running", "public")) if "code" in wanted else ("running",)
        for kind in kinds:
            game: Game = getattr(world, kind)
            called = f"{name} ({kind})" if "code" in wanted else name
            sent = SENT.get(name)
            yield called, reverse(name, kwargs=_filled(wanted, world, game, name)), sent(game) if sent else {}


def _seen_of_anna() -> int:
    return sanctions.load_version(Player.objects.get(username="Anna"))


def acts(world: World) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield every act that shares its URL with others: of organisers, captains and players of teams, and
    moderators. The data are enough for most of them."""
    game, anna = world.running, Player.objects.get(username="Anna")
    sent: dict[str, object] = {
        **{
            "reason": "None",
            "why": "None",
            "remark": "None",
            "words": "None",
            "text": "Hello",
            "confirmed": "yes",
            "sure": "yes",
        },
        **{
            "name": "Felix",
            "substitute": "Felix",
            "leaving": anna.pk,
            "player": anna.pk,
            "seat": 1,
            "days": 2,
        },
        **{
            "version": game.version,
            "template": "insults",
            "verdict": "upheld",
            "available": "no",
            "hours": 1,
        },
        "ends": (timezone.now() + 60 * DAY).date().isoformat(),
    }
    more: dict[str, dict[str, object]] = {
        "moderation:moderate": {"player": "Felix"},
        "moderation:incident_act": {"version": reports.load_version(Incident.objects.get(game=game))},
        "moderation:sanction": {"version": _seen_of_anna()},
    }
    patterns_by_name = dict(patterns())
    for name, (part, known) in EVERY_ACT.items():
        for act in known:
            filled = {**_filled(patterns_by_name[name], world, game, name), part: act}
            yield f"{name} ({act})", reverse(name, kwargs=filled), sent | more.get(name, {})


EVERY_ACT: Mapping[str, tuple[str, Iterable[str]]] = {
    "league:act": ("act", league_desk.ACTS),
    "league:team_act": ("act", team_views.ACTS),
    "moderation:moderate": ("act", [act.replace("_", "-") for act in game_forms.FORMS]),
    "moderation:incident_act": ("act", incidents.ACTS),
    "moderation:sanction": ("kind", sanction_forms.IMPOSE),
}
"""Parameter of the URL that names an act, and all its values, by name of the URL."""


SENT: Mapping[str, Callable[[Game], dict[str, object]]] = {
    "games:play": lambda game: {"line": first_line(game), "version": game.version},
    "games:talk": lambda game: {"text": "Hello again"},
    "games:notes": lambda game: {"text": "A bold move"},
    "games:invite": lambda game: {"who": "Felix"},
    "games:rename": lambda game: {"name": "Albi"},
    "games:offers": lambda game: {"kind": "end"},
    "games:give": lambda game: {"days": 2},
    "games:transfers": lambda game: {"transfers": "decline"},
    "games:enter_holiday": lambda game: {"begin": "2040-01-01", "end": "2040-01-03"},
    "games:add_webhook": lambda game: {"url": "https://hooks.example.com/a", "shape": "mattermost"},
    "games:begin_emergency": lambda game: {"days": 1},
    "moderation:appeal": lambda game: {"words": "Please."},
    "moderation:sanction": lambda game: {
        "reason": "None",
        "template": "insults",
        "confirmed": "yes",
        "version": _seen_of_anna(),
    },
    "moderation:lift": lambda game: {"reason": "None", "version": _seen_of_anna()},
    "moderation:answer_appeal": lambda game: {
        "outcome": "upheld",
        "words": "It stands.",
        "version": _seen_of_anna(),
    },
    "accounts:close": lambda game: {"username": "Anna"},
    "accounts:theme": lambda game: {"theme": "dark"},
    "moderation:desk_note": lambda game: {"text": "Is nice."},
    "moderation:desk_rename": lambda game: {
        "name": "Albi",
        "reason": "None",
        "before": Game.objects.get(visibility="public", places=3).name,
        "confirmed": "yes",
    },
    "moderation:desk_template": lambda game: {
        "seen": 0,
        **{f"title_{one}": "Insults" for one, _spoken in settings.LANGUAGES},
        **{f"text_{one}": "Stop it." for one, _spoken in settings.LANGUAGES},
    },
    "moderation:desk_new_template": lambda game: {
        "name": "late",
        "seen": 0,
        "title_en": "Late",
        "text_en": "Resign earlier.",
    },
    "moderation:report_name": lambda game: {"words": "It offends."},
    "moderation:report_player": lambda game: {"category": "name"},
    "moderation:report_game": lambda game: {"category": "thrown", "about": game.host_id},
    "moderation:report_message": lambda game: {"category": "insults"},
    "moderation:incident_act": lambda game: {
        "verdict": "upheld",
        "remark": "None",
        "version": reports.load_version(Incident.objects.get(game=game)),
    },
    "moderation:moderate": lambda game: {"version": game.version, "reason": "None", "confirmed": "yes"},
    "moderation:signal": lambda game: {
        "verdict": "nothing",
        "why": "None",
        "version": signals.format_version(Signal.objects.get()),
    },
    "league:act": lambda game: {"text": "Hello", "reason": "None", "confirmed": "yes"},
    "league:ask": lambda game: {"kind": "other", "text": "Hello?"},
    "league:answer": lambda game: {"text": "Hello"},
    "league:teams": lambda game: {"name": "Beta"},
    "league:team_invitation": lambda game: {"answer": "accept"},
    **dict.fromkeys(
        [
            *[f"games:{act}" for act in ("abort", "answer", "cancel", "claim", "resign")],
            *["league:team_act", "league:withdraw"],
        ],
        lambda game: {"sure": "yes"},
    ),
}
"""Data of a POST by name of the URL: enough for whoever may do it to do it."""


OF_GAMES: Mapping[str, tuple[str, ...]] = {
    "games:table": ("running", "public", "table", "ended"),
    "games:text": ("running", "public", "table"),
    **dict.fromkeys(
        [f"games:{act}" for act in ("sit", "leave", "cancel", "keep", "add_bot", "invite", "withdraw")],
        ("table", "running"),
    ),
    **dict.fromkeys(["games:rename", "games:remove_guest"], ("table", "running")),
    **dict.fromkeys(["games:end", "games:end_step", "games:rematch", "games:draw"], ("ended", "running")),
    **dict.fromkeys(["games:record", "games:talk", "games:notes"], ("running", "public", "ended", "table")),
}
"""Kinds of game for which a URL is requested, if not for a private and a public one that run."""


def patterns() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each URL pattern outside the admin with its arguments, once for each set of arguments."""
    patterns = dict.fromkeys(walk(get_resolver()))
    return (pattern for pattern in patterns if not pattern[0].startswith("admin:"))


def walk(
    resolver: URLResolver, inside: tuple[str, ...] = (), parts: frozenset[str] = frozenset()
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the name of each URL pattern, including the admin's, with its arguments."""
    for pattern in resolver.url_patterns:
        wanted = parts | set(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            yield from walk(pattern, (*inside, pattern.namespace) if pattern.namespace else inside, wanted)
        else:
            yield ":".join((*inside, pattern.name or str(pattern.pattern))), wanted


def _filled(wanted: frozenset[str], world: World, game: Game, name: str) -> dict[str, Any]:
    """Existing values for the arguments *wanted* of the URL *name*."""
    league = OF_LEAGUES.get(name, "league")
    team = Team.objects.get()
    values: dict[str, Callable[[], object]] = {
        "code": lambda: game.code,
        "slug": lambda: "base" if name.startswith("games:") else getattr(world, league).slug,
        "username": lambda: "Anna",
        "pk": lambda: _key(name, game),
        "token": lambda: _token(name, world, team),
        "act": lambda: ACTS[name],
        "how": lambda: "agree",
        **{part: (lambda value=value: value) for part, value in PARTS.items()},  # type: ignore[misc]
        "key": lambda: _named_key(name, world, team),
        "kind": lambda: "table" if name in OF_NAMES else "warn",
        "name": lambda: "insults" if name == "moderation:desk_template" else "0",
    }
    return {part: values[part]() for part in wanted}


def _named_key(name: str, world: World, team: Team) -> object:
    if name in OF_NAMES:
        return world.public.code
    return world.league.requests.get(kind=RequestKind.TIME).pk if name == "league:answer" else team.pk


ACTS: Mapping[str, str] = {
    "league:act": "announce",
    "league:team_act": "leave",
    "moderation:moderate": "pause",
    "moderation:incident_act": "close",
}
PARTS: Mapping[str, object] = {
    "number": 1,
    "level": 1,
    "round": 1,
    "match": 1,
    "count": 1,
    "seat": 2,
    "ply": 1,
    "step": 1,
    "at": "0,0",
    "on": "city",
    "side": "N",
    "quarter": "castle",
    "show": "fields",
    "stamp": "0",
    "digest": "0",
    "version": 1,
}
OF_NAMES = ("moderation:desk_rename", "moderation:report_name")
"""Names of URLs that act on the name of a table, a team or a league."""

OF_LEAGUES: Mapping[str, str] = {
    **dict.fromkeys(["league:register", "league:wait"], "opened"),
    **dict.fromkeys(
        [f"league:{name}" for name in ("teams", "team", "line_up", "team_act", "join_team", "team_match")],
        "teams",
    ),
    "league:team_invitation": "teams",
}
"""League for which a URL is requested, if not the one whose season runs."""


OF_SANCTIONS = tuple(
    f"moderation:{name}" for name in ("acknowledge", "appeal", "desk_sanction", "lift", "answer_appeal")
)


def _key(name: str, game: Game) -> int:
    if name in ("games:test_webhook", "games:remove_webhook"):
        return Webhook.objects.get().pk
    if name == "games:cancel_holiday":
        return Holiday.objects.get().pk
    if name == "games:withdraw":
        return Invitation.objects.filter(answer=Answer.PENDING).get().pk
    if name in OF_SANCTIONS:
        return Sanction.objects.get().pk
    if name in ("moderation:desk_incident", "moderation:incident_act"):
        return Incident.objects.get(game=game).pk
    if name in ("moderation:report_message", "moderation:delete_message"):
        return game.talk.get().pk
    if name == "moderation:own_stop":
        return OwnStop.objects.get().pk
    if name == "moderation:signal":
        return Signal.objects.get().pk
    if name.startswith("mfa_"):
        return 1
    offer = game.offers.first()
    return 1 if offer is None else offer.pk


def _token(name: str, world: World, team: Team) -> str:
    if name == "league:join_team":
        return team.token
    if name.startswith("accounts:"):
        return "0"
    if name in ("games:private_news", "games:private_calendar"):
        return feed_secrets.build_token(FeedSecret.objects.get())
    if name == "games:invitation":
        return world.table.invitations.get().token
    notice = Notice.objects.filter(recipient__username="Anna").order_by("pk").first()
    assert notice is not None
    return build_token(notice)
