"""Mails to a player about acts of organisers or challengers."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.references import show_text
from games.words.grammar import format_ordinal
from games.words.times import format_when
from leagues.models import Challenge, Division, Entry, EntryState, Fixture, League, LogEntry, Season, Team
from leagues.notices.meetings import list_facts
from leagues.notices.news import (
    LeagueMail,
    NoticeContext,
    build_division_path,
    build_league_path,
    load_season,
)
from leagues.pages import desk as desks
from leagues.pages.league import format_season_name
from leagues.pages.names import format_match_name
from leagues.seasons.ladders import count_declines_left
from leagues.words import challenges, settings_text
from leagues.words.criteria import format_number
from leagues.words.log import format_ranking
from moderation.models import NameChange


def compose_replacement(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that they have a substitute."""
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
    return LeagueMail(
        league=season.league,
        subject=_("{player} is your substitute").format(player=entry.player),
        paragraphs=[said.format(player=entry.player, season=format_season_name(season))],
        button=_("See the standings"),
        path=build_division_path(division),
    )


def compose_admission(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that they were admitted to a running season, possibly as a substitute."""
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
    return LeagueMail(
        league=season.league,
        subject=_("you're playing in {season}").format(season=format_season_name(season)),
        paragraphs=[said.format(player=other, season=format_season_name(season))],
        facts=list_facts(entry),
        button=_("See the standings"),
        path=build_division_path(division),
    )


def compose_removal(told: NoticeContext) -> LeagueMail:
    """Tell the reader that an organiser has taken them out of a season."""
    season = load_season(told)
    log = LogEntry.objects.select_related("who").get(pk=told.about["log"])
    said = _("{player}, who organises this league, has taken you out of {season}.")
    return LeagueMail(
        league=season.league,
        subject=_("you're no longer in {season}").format(season=format_season_name(season)),
        paragraphs=[said.format(player=log.who, season=format_season_name(season))],
        facts=[(_("Reason"), show_text(log.reason))],
        button=_("To the league"),
        path=build_league_path(season),
    )


def compose_settlement(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader how an organiser has settled their game."""
    fixture = Fixture.objects.select_related("game", "match__division__season__league").get(
        pk=told.about["fixture"]
    )
    log = LogEntry.objects.select_related("who").get(pk=told.about["log"])
    division = fixture.match.division
    seats = fixture.match.seats.select_related("player")
    names = {seat.player_id: str(seat.player) for seat in seats}
    where = format_match_name(fixture.match)
    said = _("{player} has decided how your game counts: {result}.")
    return LeagueMail(
        league=division.season.league,
        subject=_("{player} has settled one of your games").format(player=log.who),
        paragraphs=[said.format(player=log.who, result=format_ranking(log.details["after"], names))],
        facts=[
            *([(_("Game"), fixture.game.name)] if fixture.game is not None else []),
            (_("Match"), where),
            (_("Reason"), show_text(log.reason)),
            *_protest_fact(division.season, fixture.settled),
        ],
        button=_("See the standings"),
        path=build_division_path(division),
    )


def compose_penalty(told: NoticeContext) -> LeagueMail:
    """Tell the reader that an organiser has set their penalty points, or those of their team."""
    division = Division.objects.select_related("season__league").get(pk=told.about["division"])
    log = LogEntry.objects.select_related("who").get(pk=told.about["log"])
    season, team = division.season, log.details.get("team", "")
    said = _("{player}, who organises this league, has set your penalty points in {season} to {n}.")
    subject = _("your penalty points have changed")
    if team:
        said = _(
            "{player}, who organises this league, has set the penalty points of {team} in {season} to {n}."
        )
        subject = _("your team's penalty points have changed")
    after = format_number(log.details["after"])
    return LeagueMail(
        league=season.league,
        subject=subject,
        paragraphs=[
            said.format(player=log.who, team=team, season=format_season_name(season), n=after),
            _("They're taken off the points in the table."),
        ],
        facts=[
            (_("Penalty points before"), format_number(log.details["before"])),
            (_("Reason"), show_text(log.reason)),
            *_protest_fact(season, log.at),
        ],
        button=_("See the standings"),
        path=build_division_path(division),
    )


def _protest_fact(season: Season, decided: datetime | None) -> settings_text.Facts:
    """The end of the protest time after a decision; each one restarts it (STAND-17)."""
    if not season.running or not season.settings.protest_time or decided is None:
        return []
    ends = format_when(decided + season.settings.protest_time)
    return [(_("If that's wrong"), _("Tell the organisers by {when}.").format(when=ends))]


def compose_challenge(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that they are challenged on a ladder."""
    challenge = _challenge(told)
    if challenge.ended is not None:
        return None
    division, match = challenge.division, challenge.match
    settings = division.season.settings
    said = _("{player} challenges you for your place on the ladder, number {n}. You start.")
    place = division.entries.get(player=told.reader).row
    declines = challenges.describe_declines(count_declines_left(division, told.reader.pk))
    return LeagueMail(
        league=division.season.league,
        subject=_("{player} challenges you").format(player=challenge.challenger),
        paragraphs=[said.format(player=challenge.challenger, n=place), declines],
        facts=[
            (_("Match"), settings_text.describe_match(settings)),
            (_("End"), _("by {when}").format(when=format_when(match.latest_end))),
            (_("Time"), settings_text.describe_time(settings)),
        ],
        button=_("Look at the ladder"),
        path=build_division_path(division),
    )


def compose_challenge_end(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that a challenge of theirs is decided."""
    challenge = _challenge(told)
    division = challenge.division
    won = challenge.match.winner_id == challenge.challenger_id
    said = challenges.describe_ended_challenge(
        str(challenge.challenger), str(challenge.challenged), won=won, declined=challenge.declined
    )
    paragraphs = [said]
    entry = division.entries.filter(player=told.reader, row__isnull=False).first()
    if entry is not None and entry.row is not None:
        paragraphs.append(_("You're {rank} on the ladder now.").format(rank=format_ordinal(entry.row)))
    return LeagueMail(
        league=division.season.league,
        subject=_("the challenge has been decided"),
        paragraphs=paragraphs,
        button=_("Look at the ladder"),
        path=build_division_path(division),
    )


def compose_appointment(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that they organise a league; None if they don't any more."""
    log = LogEntry.objects.select_related("who", "league").get(pk=told.about["log"])
    league = log.league
    if not league.organisers.filter(pk=told.reader.pk).exists():
        return None
    said = _(
        "{player} has made you an organiser of {league}. You can do everything on the organisers' desk: "
        "settle games, give more time, let players in, and change the rules."
    )
    return LeagueMail(
        league=league,
        subject=_("you're an organiser now"),
        paragraphs=[said.format(player=log.who, league=league.name)],
        facts=[(_("Reason"), show_text(log.reason))],
        button=_("To the desk"),
        path=desks.build_url(league),
        why=_("You're getting this mail because you organise {league}.").format(league=league.name),
    )


def compose_desk_reminder(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that their desk has new matters."""
    league = League.objects.get(pk=told.about["league"])
    page = desks.build_page(league, told.now)
    sections = [section for section in page.sections if section.is_news]
    if not sections or not league.organisers.filter(pk=told.reader.pk).exists():
        return None
    return LeagueMail(
        league=league,
        subject=_("something is waiting on the organisers' desk"),
        paragraphs=[_("Something new needs an organiser. Waiting now:")],
        facts=[(section.heading, str(len(section.needs))) for section in sections],
        button=_("To the desk"),
        path=desks.build_url(league),
        why=_("You're getting this mail because you organise {league}.").format(league=league.name),
    )


def compose_renaming(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that a moderator has renamed their team or league."""
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
    return LeagueMail(
        league=league,
        subject=_("your team has a new name") if team is not None else _("your league has a new name"),
        paragraphs=[said.format(name=change.after, reason=show_text(change.reason))],
        button=_("To the team") if team is not None else _("To the league"),
        path=path,
        why=_("You're getting this mail because you chose the name."),
    )


def _challenge(told: NoticeContext) -> Challenge:
    rows = Challenge.objects.select_related(
        "division__season__league", "match__division__season", "challenger", "challenged"
    )
    return rows.get(pk=told.about["challenge"])
