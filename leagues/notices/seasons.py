"""Mails about the course of a season."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.references import show_text
from games.words import clocks
from games.words.grammar import format_ordinal
from games.words.times import format_when
from leagues.models import (
    Announcement,
    Division,
    Entry,
    EntryState,
    Kind,
    LogEntry,
    Match,
    Phase,
    Season,
    Seed,
    Team,
    TeamMatch,
)
from leagues.notices.meetings import find_match, format_opponents, list_facts, sits_out
from leagues.notices.news import (
    LeagueMail,
    NoticeContext,
    build_division_path,
    build_league_path,
    load_season,
)
from leagues.notices.teams import find_first_line_up
from leagues.pages.league import format_season_name
from leagues.pages.names import format_division_name, format_round_name
from leagues.pages.protests import find_following
from leagues.seasons.extending import PartKind
from leagues.seasons.protests import find_division_protest_end
from leagues.words import protests, rounds
from leagues.words.criteria import format_result
from leagues.words.log import describe_change


def compose_registration(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that registration is open, and that they are registered by default."""
    season = load_season(told)
    if not _is_registered(season, told):
        return None
    return LeagueMail(
        league=season.league,
        subject=_("registration for {season}").format(season=format_season_name(season)),
        paragraphs=[_in_it_by_default(season), _how_to_leave()],
        button=_("Open the league to stay or withdraw"),
        path=build_league_path(season),
    )


def compose_free_place(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that they have moved up from the waiting list."""
    season = load_season(told)
    if not _is_registered(season, told):
        return None
    here = _("A place has become free: you're registered for {season}, which starts on {when}.")
    return LeagueMail(
        league=season.league,
        subject=_("there is a place for you"),
        paragraphs=[
            here.format(season=format_season_name(season), when=format_when(season.begins)),
            _how_to_leave(),
        ],
        button=_("Open the league to stay or withdraw"),
        path=build_league_path(season),
    )


def compose_postponement(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that the season is postponed or cancelled."""
    season = load_season(told)
    name, reason = format_season_name(season), show_text(told.about["reason"])
    if season.phase == Phase.CANCELLED:
        subject = _("{season} is cancelled").format(season=name)
        said = _("{season} won't take place: too few players registered.")
        if reason:
            said = _("{season} won't take place. Reason: {reason}")
        paragraph = said.format(season=name, reason=reason)
    elif season.phase == Phase.REGISTRATION and season.begins.isoformat() == told.about["begins"]:
        subject = _("{season} starts later").format(season=name)
        paragraph = _("Too few players have registered for {season}. It starts on {when} instead.").format(
            season=name, when=format_when(season.begins)
        )
    else:
        return None
    return LeagueMail(
        league=season.league,
        subject=subject,
        paragraphs=[paragraph],
        button=_("To the league"),
        path=build_league_path(season),
    )


def compose_season_start(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that the season has begun, with their first matches."""
    season = load_season(told)
    entry = _playing(season, told)
    if entry is None or entry.division is None:
        return None
    begun = _("{season} has started, and you're in it. Games start automatically.")
    if season.settings.teams is not None:
        begun = _("{season} has started, and your team is in it. Games start automatically.")
    line_up = find_first_line_up(season, told)
    return LeagueMail(
        league=season.league,
        subject=_("{season} has started").format(season=format_season_name(season)),
        paragraphs=[
            " ".join([begun.format(season=format_season_name(season)), *_has_moved(season, entry)]),
            *([line_up.text] if line_up else []),
        ],
        facts=list_facts(entry),
        button=_("Set the line-up") if line_up else _("See the standings"),
        path=line_up.path if line_up else build_division_path(entry.division),
    )


def compose_round(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader their opponent in the next round."""
    division = Division.objects.select_related("season__league").get(pk=told.about["division"])
    season, drawn = division.season, told.about["round"]
    if _playing(season, told) is None:
        return None
    match = find_match(division, drawn, told.reader)
    name = format_round_name(division, drawn, match)
    if match is not None and match.decided is None:
        meets = format_opponents(match, told.reader)
        subject = _("{round}: you play {player}").format(round=name, player=meets)
        said = _(
            "{round} has been drawn: you play {player}. Your game starts automatically and ends by {when}."
        )
        paragraph = said.format(round=name, player=meets, when=format_when(match.latest_end))
    elif match is None and drawn == division.drawn and sits_out(division, drawn, told.reader):
        subject = _("{round}: you sit out").format(round=name)
        paragraph = _("{round} has been drawn: you sit out, which counts as a win.").format(round=name)
    else:
        return None
    return LeagueMail(
        league=season.league,
        subject=subject,
        paragraphs=[paragraph],
        button=_("Look at the round"),
        path=build_division_path(division),
    )


def compose_protest_time(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader the end of the protest time of a round."""
    division = Division.objects.select_related("season__league").get(pk=told.about["division"])
    ends = find_division_protest_end(division)
    if ends is None or ends <= told.now or division.drawn != told.about["round"]:
        return None
    return LeagueMail(
        league=division.season.league,
        subject=_("all games are over in {where}").format(where=format_division_name(division)),
        paragraphs=[protests.describe_protest_time(find_following(division), format_when(ends))],
        button=_("See the results"),
        path=build_division_path(division),
    )


def compose_season_warning(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that matches of theirs end soon, with the season or a round, and are not decided."""
    season, ends = load_season(told), datetime.fromisoformat(told.about["ends"])
    left = _find_own_matches(season, told, ends).count()
    if _playing(season, told) is None or not left or told.now >= ends:
        return None
    name, subject = format_season_name(season), _("{season} ends on {when}")
    said = ngettext(
        "{season} ends on {when}, and {n} of your matches isn't decided yet.",
        "{season} ends on {when}, and {n} of your matches aren't decided yet.",
        left,
    )
    if ends != season.ends:
        subject = _("{season}: your games end on {when}")
        said = ngettext(
            "{n} of your matches in {season} isn't decided yet. It ends on {when}.",
            "{n} of your matches in {season} aren't decided yet. They end on {when}.",
            left,
        )
    at_end = clocks.explain_hard_end(season.settings.clock.at_end)
    not_begun = _("Games that haven't started have no winner.")
    return LeagueMail(
        league=season.league,
        subject=subject.format(season=name, when=format_when(ends)),
        paragraphs=[said.format(season=name, when=format_when(ends), n=left), f"{at_end} {not_begun}"],
        button=_("To my games"),
        path=reverse("games:mine"),
    )


def compose_extension(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that their games end later; None if the end has changed since."""
    season, ends = load_season(told), datetime.fromisoformat(told.about["ends"])
    log = LogEntry.objects.select_related("who").get(pk=told.about["log"])
    if season.phase == Phase.REGISTRATION:
        moved = season.ends == ends
    else:
        moved = _playing(season, told) is not None and (
            season.ends == ends
            or _find_own_matches(season, told, ends).exists()
            or _find_own_team_matches(season, told, ends).exists()
        )
    if not moved:
        return None
    first, then = (datetime.fromisoformat(log.details[key]) for key in ("before", "after"))
    name = format_season_name(season)
    said = _("{player} has given your games in {season} more time: they now end by {when}.")
    if log.details["part"] == PartKind.SEASON:
        said = _("{player} has given {season} more time: it now ends by {when}.")
    return LeagueMail(
        league=season.league,
        subject=_("more time, until {when}").format(when=format_when(ends)),
        paragraphs=[said.format(player=log.who, season=name, when=format_when(ends))],
        facts=[
            (_("Before"), format_when(ends - (then - first))),
            (_("Reason"), show_text(log.reason)),
        ],
        button=_("To my games"),
        path=reverse("games:mine"),
    )


def compose_season_end(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader their result, and whether they are in the next season."""
    season = load_season(told)
    entry = season.entries.filter(player=told.reader).select_related("division__season").first()
    if entry is None or entry.division is None:
        return None
    reached = list(_describe_results(season, entry))
    following = list(_following(season, told))
    return LeagueMail(
        league=season.league,
        subject=_("{season} is over").format(season=format_season_name(season)),
        paragraphs=[
            _("{season} is over.").format(season=format_season_name(season)) + " " + " ".join(reached),
            *following,
        ],
        button=_("Open the league to stay or withdraw") if following else _("See the standings"),
        path=build_league_path(season) if following else build_division_path(entry.division),
    )


def compose_announcement(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader an organiser's announcement."""
    made = Announcement.objects.select_related("league", "who").get(pk=told.about["announcement"])
    return LeagueMail(
        league=made.league,
        subject=_("{player} announces something").format(player=made.who),
        paragraphs=[_("{player} writes:").format(player=made.who), show_text(made.text)],
        button=_("To the league"),
        path=reverse("league:league", args=[made.league.slug]),
    )


def compose_rule_change(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader which rules have changed for seasons to come."""
    log = LogEntry.objects.select_related("who", "league").get(pk=told.about["log"])
    changed = describe_change(log.act, log.details, {})
    said = _(
        "{player} has changed the rules for future seasons. A season that is open or in progress keeps "
        "its own."
    )
    return LeagueMail(
        league=log.league,
        subject=_("the rules have changed"),
        paragraphs=[said.format(player=log.who)],
        facts=[
            *([(_("Changed"), changed)] if changed else []),  # some changes have no text
            (_("Reason"), show_text(log.reason)),
        ],
        button=_("To the league"),
        path=reverse("league:league", args=[log.league.slug]),
    )


def _is_registered(season: Season, told: NoticeContext) -> bool:
    if season.phase != Phase.REGISTRATION:
        return False
    return season.entries.filter(player=told.reader, state=EntryState.REGISTERED).exists()


def _playing(season: Season, told: NoticeContext) -> Entry | None:
    """The entry of the reader, if they play in *season* and it is running."""
    if not season.running:
        return None
    playing = season.entries.filter(player=told.reader, state=EntryState.PLAYING)
    return playing.select_related("division__season__league", "player").first()


def _find_own_matches(season: Season, told: NoticeContext, ends: datetime) -> QuerySet[Match]:
    """The undecided matches of the reader that still end at *ends*."""
    mine = Match.objects.filter(division__season=season, decided=None, seats__player=told.reader)
    return mine.filter(Q(ends=ends) | Q(ends=None, division__season__ends=ends))


def _find_own_team_matches(season: Season, told: NoticeContext, ends: datetime) -> QuerySet[TeamMatch]:
    """The matches of the reader's team that have not begun and end at *ends*."""
    team = Team.objects.filter(members__player=told.reader, members__joined__isnull=False)
    mine = Q(first__in=team) | Q(second__in=team)
    return TeamMatch.objects.filter(mine, division__season=season, boards=None, ends=ends)


def _in_it_by_default(season: Season) -> str:
    here = _(
        "Registration for {season} is open until {when}. You're already registered because you "
        "played last time."
    )
    return here.format(season=format_season_name(season), when=format_when(season.begins))


def _how_to_leave() -> str:
    return _("If you don't want to play, withdraw on the league's page before it starts.")


def _describe_results(season: Season, entry: Entry) -> Iterator[str]:
    """The results of the player of *entry*, or of their team."""
    there: Entry | Team = entry
    seeds = Seed.objects.filter(division__season=season)
    said = _("{division}: you finished {rank} of {all}.")
    if season.settings.teams is None:
        seeds = seeds.filter(player=entry.player_id)
    else:
        there = season.teams.get(members__player=entry.player_id, members__joined__isnull=False)
        seeds = seeds.filter(team=there)
        said = _("{division}: your team {team} finished {rank} of {all}.")
    division, seed = there.division, seeds.first()
    assert division is not None
    if division.kind != Kind.KNOCK_OUT:
        assert there.rank is not None
        everybody = division.entries if there is entry else division.teams
        all_ = everybody.filter(rank__isnull=False).count()  # without those who have left a ladder
        yield said.format(
            division=format_division_name(division), team=there, rank=format_ordinal(there.rank), all=all_
        )
    if division.kind == Kind.TABLE:
        rules = season.settings.standings
        said = _("Points: {points}.") if rules.counts_points else _("Comparison: {points}.")
        yield said.format(points=format_result(there.points, there.values, rules))
    if seed is not None:
        told = rounds.format_rank(seed.rank) if seed.rank <= 2 else ""  # there may be two third places
        yield _("Knock-out: {rank}.").format(rank=told or format_ordinal(seed.rank))
    if season.settings.divided:
        if division.level == 1 and there.rank == 1:
            yield _("You're the champion. Congratulations!")
        yield from _moves(season, there.moves)


def _moves(season: Season, moves: str) -> Iterator[str]:
    """A move that is not final is described as such: a place may still become vacant."""
    if moves == "up":
        yield _("You move up.")
    elif moves == "down" and season.moves_final is not None:
        yield _("You move down.")
    elif moves == "down":
        yield _("You move down, unless a place above becomes free before the next season starts.")


def _has_moved(season: Season, entry: Entry) -> Iterator[str]:
    there: Entry | Team = entry
    if season.settings.teams is not None:
        there = season.teams.get(members__player=entry.player_id, members__joined__isnull=False)
    moves = there.follows.moves if there.follows is not None else ""
    if moves == "up":
        yield _("You've moved up since last season.")
    elif moves == "down":
        yield _("You've moved down since last season.")


def _following(season: Season, told: NoticeContext) -> Iterator[str]:
    """The sentences about the next season, if the reader is registered for it."""
    after = season.league.seasons.filter(number=season.number + 1).select_related("league").first()
    if after is not None and _is_registered(after, told):
        yield _in_it_by_default(after)
        yield _how_to_leave()
