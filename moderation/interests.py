"""Recusals: interests for which moderators leave reports, appeals and cases to others.

The predicate itself is ``accounts.interests.find_shared_interest``; ``games.conduct.interests`` adds games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.interests import Interest, Recusal, build_recusal, find_interests, find_shared_interest
from accounts.models import Player
from accounts.ranks import Rank, load_ranks, outranks
from games import access
from games.models import Game, Move, Seat
from moderation.models import Appeal, Incident, Report


def find_open_reports(staff: Collection[int], players: Collection[int]) -> Iterable[Interest]:
    """Yield the open reports of one about the other; one query.

    Reports by a moderator count whenever they were made, as nobody else can create that interest. Those about
    staff carry no text, so that nobody learns who has reported them.
    """
    of_staff = Q(reporter__in=staff, incident__about__in=players)
    about_staff = Q(reporter__in=players, incident__about__in=staff)
    reports = Report.objects.filter(of_staff | about_staff, incident__closed=None)
    rows = reports.values_list("reporter", "incident__about", "incident__about__username", "at")
    members, people = set(staff), set(players)
    for reporter, about, name, at in rows:
        if reporter in members and about in people:
            yield Interest(reporter, about, _("You've reported {name}.").format(name=name), None)
        if reporter in people and about in members:
            yield Interest(about, reporter, "", at)


def find_recusal_from_appeal(who: Player, appeal: Appeal) -> Recusal | None:
    """Return the reason why *who*, a moderator, leaves *appeal* to others; ``None`` if they needn't. The
    moderator who imposed the sanction doesn't count among the others."""
    sanction = appeal.sanction
    shared = find_shared_interest(who, sanction.player, opened=appeal.at)
    if shared is None:
        return None
    return build_recusal(
        who,
        sanction.player,
        shared.why,
        permission=access.MODERATE,
        opened=appeal.at,
        concerned={sanction.who_id},
    )


def find_recusal_from_incident(who: Player, incident: Incident) -> Recusal | None:
    """Return why *who*, a moderator, leaves *incident* to others; ``None`` if they decide it."""
    concerned = find_concerned_staff([incident])[incident.pk]
    if who.pk in concerned:
        why = _("It's about something you were part of.")
    else:
        shared = find_shared_interest(who, incident.about, opened=incident.opened)
        if shared is None:
            return None
        why = shared.why
    return build_recusal(
        who,
        incident.about,
        why,
        permission=access.MODERATE,
        opened=incident.opened,
        concerned=concerned,
    )


def find_concerned_staff(incidents: Collection[Incident]) -> Mapping[int, set[int]]:
    """Return the staff who have reported each of *incidents*, or have played in its game, by the incident's
    key; three queries."""
    staff_by_person: dict[int, set[int]] = defaultdict(set)
    games: dict[int, set[int]] = defaultdict(set)
    reporters = Report.objects.filter(
        incident__in=[incident.pk for incident in incidents], reporter__is_staff=True
    )
    for incident, player in reporters.values_list("incident", "reporter"):
        staff_by_person[incident].add(player)
    keys = {incident.game_id for incident in incidents if incident.game_id is not None}
    for game, player in _players_of(keys):
        games[game].add(player)
    for open_incident in incidents:
        staff_by_person[open_incident.pk] |= (
            games[open_incident.game_id] if open_incident.game_id is not None else set()
        )
    return staff_by_person


def _players_of(games: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield the staff who sit in each of *games*, and everybody who has been replaced there."""
    if not games:
        return
    yield from Seat.objects.filter(game__in=games, player__is_staff=True).values_list("game", "player")
    replaced = Move.objects.filter(game__in=games, action__has_key="gone")
    for game, action in replaced.values_list("game", "action"):
        yield game, action["gone"]


class OpenCase(NamedTuple):
    """An open case about *player*, with the moderators who are part of it."""

    player: Player
    opened: datetime
    concerned: Collection[int] = ()


def find_recused_moderators(cases: Sequence[OpenCase]) -> list[frozenset[int]]:
    """Return for each of *cases* the moderators who leave it to others, by primary key; six queries at most.

    If nobody else is left administrators see it.
    """
    if not cases:
        return []
    moderators = access.list_moderators()
    keys, players = [moderator.pk for moderator in moderators], [case.player for case in cases]
    ranks, of_players = load_ranks(moderators), load_ranks(players)
    shared = find_interests(keys, {player.pk for player in players})
    recused = []
    for player, opened, concerned in cases:
        of_this = {
            interest.staff for interest in shared if interest.player == player.pk and interest.counts(opened)
        }
        kept = {player.pk, *concerned, *of_this}
        above = {key for key in keys if outranks(ranks[key], of_players[player.pk])}
        if not above - kept:
            kept -= {key for key in above if ranks[key] >= Rank.ADMINISTRATOR and key != player.pk}
        recused.append(frozenset(kept))
    return recused


def find_case_opening(game: Game) -> datetime | None:
    """Return when the oldest open case about *game* was opened; one query."""
    cases = Incident.objects.filter(game=game, closed=None).order_by("opened")
    return cases.values_list("opened", flat=True).first()
