"""What two people share at tables and in reports, so that neither judges the other.

The predicate itself is ``accounts.interests.shares_interest``, as acts on accounts ask it, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import interests
from accounts.interests import Interest, Recusal, interests_between, recusal, recuse, shares_interest
from accounts.models import Player
from accounts.ranks import Rank, outranks, ranks_of
from games import access
from games.exceptions import Refused
from games.models import Appeal, Game, Incident, Move, Report, Seat, Status

RUNNING = (Status.PLAYING, Status.SCORING)


def register_sources() -> None:
    """Let the predicate know of games and reports."""
    interests.register("games", shared_games)
    interests.register("reports", open_reports)


def shared_games(staff: Collection[int], players: Collection[int]) -> Iterable[Interest]:
    """Return the running games in which both sit, since the later of them sat down; two queries at most."""
    pairs = list(
        Seat.objects.filter(
            player__in=players, ended=None, game__status__in=RUNNING, game__seats__player__in=staff
        ).values_list(
            "game", "game__name", "game__started", "player", "player__username", "game__seats__player"
        )
    )
    came = _later_arrivals({row[0] for row in pairs if row[3] != row[5]})
    for game, table, started, player, name, member in pairs:
        assert started is not None  # it runs
        since = max(started, *(came.get((game, one), started) for one in (player, member)))
        why = _("You and {name} are playing each other in “{game}”.").format(name=name, game=table)
        yield Interest(member, player, why, since)


def _later_arrivals(games: Collection[int]) -> Mapping[tuple[int, int], datetime]:
    """Return when players took a seat of somebody else, by game and player."""
    if not games:
        return {}
    moves = Move.objects.filter(game__in=games, action__has_key="came").order_by("version")
    return {(game, action["came"]): at for game, action, at in moves.values_list("game", "action", "at")}


def open_reports(staff: Collection[int], players: Collection[int]) -> Iterable[Interest]:
    """Return the open reports of one about the other; one query.

    Those of the staff count whenever they were made: nobody else can make them. Of those about them nothing
    is said: nobody learns who has reported them.
    """
    of_staff = Q(reporter__in=staff, incident__about__in=players)
    about_staff = Q(reporter__in=players, incident__about__in=staff)
    found = Report.objects.filter(of_staff | about_staff, incident__closed=None)
    rows = found.values_list("reporter", "incident__about", "incident__about__username", "at")
    members, people = set(staff), set(players)
    for reporter, about, name, at in rows:
        if reporter in members and about in people:
            yield Interest(reporter, about, _("You've reported {name}.").format(name=name), None)
        if reporter in people and about in members:
            yield Interest(about, reporter, "", at)


def recusal_from(who: Player, player: Player, *, opened: datetime | None = None) -> Recusal | None:
    """Return why the moderator *who* leaves *player* to others, in a case *opened* then; else ``None``."""
    return recusal(who, player, permission=access.MODERATE, opened=opened)


def recusal_from_appeal(who: Player, appeal: Appeal) -> Recusal | None:
    """Return why *who*, a moderator, leaves *appeal* to others; ``None`` if they needn't. Who imposed the
    sanction is none of the others."""
    sanction = appeal.sanction
    shared = shares_interest(who, sanction.player, opened=appeal.at)
    if shared is None:
        return None
    return recuse(
        who,
        sanction.player,
        shared.why,
        permission=access.MODERATE,
        opened=appeal.at,
        concerned={sanction.who_id},
    )


def recusal_from_incident(who: Player, incident: Incident) -> Recusal | None:
    """Return why *who*, a moderator, leaves *incident* to others; ``None`` if they decide it."""
    concerned = concerned_by([incident])[incident.pk]
    if who.pk in concerned:
        why = _("It's about something you were part of.")
    else:
        shared = shares_interest(who, incident.about, opened=incident.opened)
        if shared is None:
            return None
        why = shared.why
    return recuse(
        who,
        incident.about,
        why,
        permission=access.MODERATE,
        opened=incident.opened,
        concerned=concerned,
    )


def concerned_by(incidents: Collection[Incident]) -> Mapping[int, set[int]]:
    """Return who of the staff has reported each of *incidents*, or plays or has played in its game, by the
    incident's key; three queries."""
    found: dict[int, set[int]] = defaultdict(set)
    games: dict[int, set[int]] = defaultdict(set)
    reporters = Report.objects.filter(incident__in=[one.pk for one in incidents], reporter__is_staff=True)
    for incident, player in reporters.values_list("incident", "reporter"):
        found[incident].add(player)
    keys = {one.game_id for one in incidents if one.game_id is not None}
    for game, player in _players_of(keys):
        games[game].add(player)
    for one in incidents:
        found[one.pk] |= games[one.game_id] if one.game_id is not None else set()
    return found


def _players_of(games: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield who sits in each of *games*, of the staff, and everybody who has been replaced there."""
    if not games:
        return
    yield from Seat.objects.filter(game__in=games, player__is_staff=True).values_list("game", "player")
    replaced = Move.objects.filter(game__in=games, action__has_key="gone")
    for game, action in replaced.values_list("game", "action"):
        yield game, action["gone"]


class OpenCase(NamedTuple):
    """Something about *player* that waits for moderators, and who of them is part of it."""

    player: Player
    opened: datetime
    concerned: Collection[int] = ()


def kept_from(cases: Sequence[OpenCase]) -> list[frozenset[int]]:
    """Return for each of *cases* the moderators who leave it to others, by primary key; six queries at most.

    Where nobody else is left administrators see it.
    """
    if not cases:
        return []
    moderators = access.moderators()
    keys, players = [one.pk for one in moderators], [case.player for case in cases]
    ranks, of_players = ranks_of(moderators), ranks_of(players)
    shared = interests_between(keys, {player.pk for player in players})
    found = []
    for player, opened, concerned in cases:
        of_this = {one.staff for one in shared if one.player == player.pk and one.counts(opened)}
        kept = {player.pk, *concerned, *of_this}
        above = {key for key in keys if outranks(ranks[key], of_players[player.pk])}
        if not above - kept:
            kept -= {key for key in above if ranks[key] >= Rank.ADMINISTRATOR and key != player.pk}
        found.append(frozenset(kept))
    return found


def must_be_impartial(recused: Recusal | None) -> bool:
    """Return whether an act is done in own matters, as nobody else can do it.

    :raises Recused: somebody else can
    """
    if recused is None:
        return False
    if not recused.may_act:
        raise Recused(recused)
    return True


class Recused(Refused):
    """Somebody of the staff leaves this to others, whom the message names."""

    def __init__(self, recusal: Recusal) -> None:
        super().__init__("recused")
        self.recusal = recusal

    @property
    def message(self) -> str:
        return self.recusal.sentence


def game_judged(who: Player, game: Game, players: Iterable[Player]) -> bool:
    """Return whether an act that judges *players* in *game* is done in own matters.

    :raises Recused: *who* shares an interest with one of them, and somebody else can do it
    """
    opened = (
        Incident.objects.filter(game=game, closed=None).order_by("opened").values_list("opened", flat=True)
    )
    since = opened.first()
    return any([must_be_impartial(recusal_from(who, player, opened=since)) for player in players])
