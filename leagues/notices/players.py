"""Mails about what somebody does to one player: organisers, and challengers on a ladder."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.references import show_text
from games.models import NameChange
from games.words.ranks import ordinal
from leagues.models import Challenge, Entry, EntryState, Fixture, League, LogEntry, Team
from leagues.notices.meetings import facts_of
from leagues.notices.news import News, Told, division_path, moment
from leagues.pages import desk as desks
from leagues.pages.league import season_name
from leagues.words import agreed, challenges
from leagues.words.log import ranking


def replaced(told: Told) -> News | None:
    """A substitute plays on for the reader."""
    entry = Entry.objects.select_related("player", "division__season__league").get(pk=told.about["entry"])
    division = entry.division
    assert division is not None
    season = division.season
    if not season.running:
        return None
    said = _(
        "An organiser has made {player} your substitute in {season}. {player} takes over your "
        "matches that hadn't started. What you've played still counts for you."
    )
    return News(
        league=season.league,
        subject=_("{player} is your substitute").format(player=entry.player),
        paragraphs=[said.format(player=entry.player, season=season_name(season))],
        button=_("See the standings"),
        path=division_path(division),
    )


def admitted(told: Told) -> News | None:
    """The reader plays in a season that runs, perhaps for somebody who has left."""
    entry = Entry.objects.select_related("player", "division__season__league", "replaces__player").get(
        pk=told.about["entry"]
    )
    division = entry.division
    assert division is not None
    season = division.season
    if not season.running or entry.state != EntryState.PLAYING:
        return None
    said = _("An organiser has let you into {season}, which is in progress. Your games start automatically.")
    if entry.replaces is not None:
        said = _(
            "You're the substitute for {player} in {season}, which is in progress. Your games "
            "start automatically."
        )
    other = entry.replaces.player if entry.replaces is not None else ""
    return News(
        league=season.league,
        subject=_("you're playing in {season}").format(season=season_name(season)),
        paragraphs=[said.format(player=other, season=season_name(season))],
        facts=facts_of(entry),
        button=_("See the standings"),
        path=division_path(division),
    )


def settled(told: Told) -> News | None:
    """An organiser has said how a game of the reader counts."""
    fixture = Fixture.objects.select_related("game", "match__division__season__league").get(
        pk=told.about["fixture"]
    )
    log = LogEntry.objects.select_related("who").get(pk=told.about["log"])
    division = fixture.match.division
    seats = fixture.match.seats.select_related("player")
    names = {seat.player_id: str(seat.player) for seat in seats}
    where = desks.match_name(fixture.match)
    said = _("{player} has decided how your game counts: {result}.")
    return News(
        league=division.season.league,
        subject=_("{player} has settled one of your games").format(player=log.who),
        paragraphs=[said.format(player=log.who, result=ranking(log.details["after"], names))],
        facts=[
            *([(_("Game"), fixture.game.name)] if fixture.game is not None else []),
            (_("Match"), where),
            (_("Reason"), show_text(log.reason)),
        ],
        button=_("See the standings"),
        path=division_path(division),
    )


def challenged(told: Told) -> News | None:
    """Somebody plays for the reader's place on a ladder."""
    challenge = _challenge(told)
    if challenge.ended is not None:
        return None
    division, match = challenge.division, challenge.match
    settings = division.season.settings
    said = _("{player} challenges you for your place on the ladder, number {n}. You start.")
    place = division.entries.get(player=told.reader).row
    return News(
        league=division.season.league,
        subject=_("{player} challenges you").format(player=challenge.challenger),
        paragraphs=[said.format(player=challenge.challenger, n=place)],
        facts=[
            (_("Match"), agreed.match(settings)),
            (_("End"), _("by {when}").format(when=moment(match.latest_end))),
            (_("Time"), agreed.time(settings)),
        ],
        button=_("Look at the ladder"),
        path=division_path(division),
    )


def challenge_over(told: Told) -> News | None:
    """A challenge of the reader is decided."""
    challenge = _challenge(told)
    division = challenge.division
    won = challenge.match.winner_id == challenge.challenger_id
    said = challenges.ended_challenge(str(challenge.challenger), str(challenge.challenged), won=won)
    paragraphs = [said]
    entry = division.entries.filter(player=told.reader, row__isnull=False).first()
    if entry is not None and entry.row is not None:
        paragraphs.append(_("You're {rank} on the ladder now.").format(rank=ordinal(entry.row)))
    return News(
        league=division.season.league,
        subject=_("the challenge has been decided"),
        paragraphs=paragraphs,
        button=_("Look at the ladder"),
        path=division_path(division),
    )


def desk(told: Told) -> News | None:
    """Something new needs an organiser."""
    league = League.objects.get(pk=told.about["league"])
    page = desks.page_of(league, told.now)
    sections = [section for section in page.sections if section.id != "waiting"]
    if not sections or not league.organisers.filter(pk=told.reader.pk).exists():
        return None
    return News(
        league=league,
        subject=_("something is waiting on the organisers' desk"),
        paragraphs=[_("Something new needs an organiser. Waiting now:")],
        facts=[(section.heading, str(len(section.needs))) for section in sections],
        button=_("To the desk"),
        path=desks.url_of(league),
        why=_("You're getting this mail because you organise {league}.").format(league=league.name),
    )


def renamed(told: Told) -> News | None:
    """A moderator has renamed the reader's team, or the league that the reader organises."""
    league = League.objects.get(pk=told.about["league"])
    change = NameChange.objects.get(pk=told.about["change"])
    team = Team.objects.select_related("season").filter(pk=told.about["team"]).first()
    if told.about["team"] and team is None:
        return None
    said = _("A moderator of the site has renamed your league: it's now called {name}. Reason: {reason}")
    path = reverse("league:league", args=[league.slug])
    if team is not None:
        said = _("A moderator of the site has renamed your team: it's now called {name}. Reason: {reason}")
        path = reverse("league:team", args=[league.slug, team.season.number, team.pk])
    return News(
        league=league,
        subject=_("your team has a new name") if team is not None else _("your league has a new name"),
        paragraphs=[said.format(name=change.after, reason=show_text(change.reason))],
        button=_("To the team") if team is not None else _("To the league"),
        path=path,
        why=_("You're getting this mail because you chose the name."),
    )


def _challenge(told: Told) -> Challenge:
    rows = Challenge.objects.select_related(
        "division__season__league", "match__division__season", "challenger", "challenged"
    )
    return rows.get(pk=told.about["challenge"])
