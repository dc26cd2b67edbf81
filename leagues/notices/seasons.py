"""Mails about the course of a season, from its registration to its end."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.references import show_text
from games.words.ranks import ordinal
from leagues.models import Announcement, Division, Entry, EntryState, Kind, Match, Phase, Season, Seed, Team
from leagues.notices.meetings import facts_of, match_in, opponents_in, round_name, sits_out
from leagues.notices.news import News, Told, division_path, league_path, moment, season_told
from leagues.notices.teams import first_line_up
from leagues.pages.league import season_name
from leagues.pages.names import division_name
from leagues.words import rounds
from leagues.words.criteria import number


def opened(told: Told) -> News | None:
    """Registration is open, and the reader is in it by default."""
    season = season_told(told)
    if not _registered(season, told):
        return None
    return News(
        league=season.league,
        subject=_("registration for {season}").format(season=season_name(season)),
        paragraphs=[_in_it_by_default(season), _how_to_leave()],
        button=_("Open the league to stay or withdraw"),
        path=league_path(season),
    )


def place(told: Told) -> News | None:
    """The reader has waited, and a place has come free."""
    season = season_told(told)
    if not _registered(season, told):
        return None
    here = _("A place has become free: you're registered for {season}, which starts on {when}.")
    return News(
        league=season.league,
        subject=_("there is a place for you"),
        paragraphs=[here.format(season=season_name(season), when=moment(season.begins)), _how_to_leave()],
        button=_("Open the league to stay or withdraw"),
        path=league_path(season),
    )


def called_off(told: Told) -> News | None:
    """The season begins later, or not at all."""
    season = season_told(told)
    name, reason = season_name(season), show_text(told.about["reason"])
    if season.phase == Phase.CANCELLED:
        subject = _("{season} is cancelled").format(season=name)
        said = _("{season} won't take place: too few players registered.")
        if reason:
            said = _("{season} won't take place. Reason: {reason}")
        paragraph = said.format(season=name, reason=reason)
    elif season.phase == Phase.REGISTRATION and season.begins.isoformat() == told.about["begins"]:
        subject = _("{season} starts later").format(season=name)
        paragraph = _("Too few players have registered for {season}. It starts on {when} instead.").format(
            season=name, when=moment(season.begins)
        )
    else:
        return None
    return News(
        league=season.league,
        subject=subject,
        paragraphs=[paragraph],
        button=_("To the league"),
        path=league_path(season),
    )


def begins(told: Told) -> News | None:
    """Divisions and rounds are drawn."""
    season = season_told(told)
    entry = _playing(season, told)
    if entry is None or entry.division is None:
        return None
    begun = _("{season} has started, and you're in it. Games start automatically.")
    if season.settings.teams is not None:
        begun = _("{season} has started, and your team is in it. Games start automatically.")
    line_up = first_line_up(season, told)
    return News(
        league=season.league,
        subject=_("{season} has started").format(season=season_name(season)),
        paragraphs=[begun.format(season=season_name(season)), *([line_up.text] if line_up else [])],
        facts=facts_of(entry),
        button=_("Set the line-up") if line_up else _("See the standings"),
        path=line_up.path if line_up else division_path(entry.division),
    )


def round_drawn(told: Told) -> News | None:
    """Whom the reader meets in the next round."""
    division = Division.objects.select_related("season__league").get(pk=told.about["division"])
    season, drawn = division.season, told.about["round"]
    if _playing(season, told) is None:
        return None
    match = match_in(division, drawn, told.reader)
    name = round_name(division, drawn, match)
    if match is not None and match.decided is None:
        meets = opponents_in(match, told.reader)
        subject = _("{round}: you play {player}").format(round=name, player=meets)
        said = _(
            "{round} has been drawn: you play {player}. Your game starts automatically and ends by {when}."
        )
        paragraph = said.format(round=name, player=meets, when=moment(match.latest_end))
    elif match is None and drawn == division.drawn and sits_out(division, drawn, told.reader):
        subject = _("{round}: you sit out").format(round=name)
        paragraph = _("{round} has been drawn: you sit out, which counts as a win.").format(round=name)
    else:
        return None
    return News(
        league=season.league,
        subject=subject,
        paragraphs=[paragraph],
        button=_("Look at the round"),
        path=division_path(division),
    )


def ends(told: Told) -> News | None:
    """The season ends soon, and matches of the reader are not decided."""
    season = season_told(told)
    if _playing(season, told) is None or season.ends.isoformat() != told.about["ends"]:
        return None
    mine = Match.objects.filter(division__season=season, decided=None, seats__player=told.reader)
    left = mine.count()
    if not left or told.now >= season.ends:
        return None
    said = ngettext(
        "{season} ends on {when}, and {n} of your matches isn't decided yet.",
        "{season} ends on {when}, and {n} of your matches aren't decided yet.",
        left,
    )
    then = _(
        "If it's your turn in a game then, you lose it on time. Games that haven't started have no winner."
    )
    return News(
        league=season.league,
        subject=_("{season} ends on {when}").format(season=season_name(season), when=moment(season.ends)),
        paragraphs=[said.format(season=season_name(season), when=moment(season.ends), n=left), then],
        button=_("To my games"),
        path=reverse("games:mine"),
    )


def over(told: Told) -> News | None:
    """What the reader has reached, and whether they are in the next season."""
    season = season_told(told)
    entry = season.entries.filter(player=told.reader).select_related("division__season").first()
    if entry is None or entry.division is None:
        return None
    reached = list(_reached(season, entry))
    following = list(_following(season, told))
    return News(
        league=season.league,
        subject=_("{season} is over").format(season=season_name(season)),
        paragraphs=[
            _("{season} is over.").format(season=season_name(season)) + " " + " ".join(reached),
            *following,
        ],
        button=_("Open the league to stay or withdraw") if following else _("See the standings"),
        path=league_path(season) if following else division_path(entry.division),
    )


def announcement(told: Told) -> News | None:
    """What an organiser tells everybody."""
    made = Announcement.objects.select_related("league", "who").get(pk=told.about["announcement"])
    return News(
        league=made.league,
        subject=_("{player} announces something").format(player=made.who),
        paragraphs=[_("{player} writes:").format(player=made.who), show_text(made.text)],
        button=_("To the league"),
        path=reverse("league:league", args=[made.league.slug]),
    )


def _registered(season: Season, told: Told) -> bool:
    if season.phase != Phase.REGISTRATION:
        return False
    return season.entries.filter(player=told.reader, state=EntryState.REGISTERED).exists()


def _playing(season: Season, told: Told) -> Entry | None:
    """The entry of the reader, who plays in *season*, which runs."""
    if not season.running:
        return None
    playing = season.entries.filter(player=told.reader, state=EntryState.PLAYING)
    return playing.select_related("division__season__league", "player").first()


def _in_it_by_default(season: Season) -> str:
    here = _(
        "Registration for {season} is open until {when}. You're already registered because you "
        "played last time."
    )
    return here.format(season=season_name(season), when=moment(season.begins))


def _how_to_leave() -> str:
    return _("If you don't want to play, withdraw on the league's page before it starts.")


def _reached(season: Season, entry: Entry) -> Iterator[str]:
    """What the player of *entry* has reached, or their team."""
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
        all_ = (division.entries if there is entry else division.teams).count()
        yield said.format(division=division_name(division), team=there, rank=ordinal(there.rank), all=all_)
    if division.kind == Kind.TABLE:
        yield _("Points: {points}.").format(points=number(there.points))
    if seed is not None:
        told = rounds.rank(seed.rank) if seed.rank <= 2 else ""  # the third may be two
        yield _("Knock-out: {rank}.").format(rank=told or ordinal(seed.rank))
    if season.settings.divided:
        yield from _moved(division.level, there.rank, there.moves)


def _moved(level: int, rank: int | None, moves: str) -> Iterator[str]:
    if level == 1 and rank == 1:
        yield _("You're the champion. Congratulations!")
    if moves == "up":
        yield _("You move up.")
    elif moves == "down":
        yield _("You move down.")


def _following(season: Season, told: Told) -> Iterator[str]:
    """What the reader must know of the season after."""
    after = season.league.seasons.filter(number=season.number + 1).select_related("league").first()
    if after is not None and _registered(after, told):
        yield _in_it_by_default(after)
        yield _how_to_leave()
