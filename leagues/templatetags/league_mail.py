"""Tags for the templates of mails of leagues, which collect the parts of a letter, and their filters."""

from django import template
from django.template import Context

from games.words.times import format_when_and_zone
from leagues.models import Challenge, Division, League
from leagues.seasons.ladders import count_declines_left
from leagues.selectors.desk import find_current_season, lets_players_in, load_desk
from leagues.selectors.protests import load_division_notes
from leagues.words.challenges import describe_declines, describe_ended_challenge
from leagues.words.desk import MATTERS
from leagues.words.protests import describe_protest_time

register = template.Library()
register.filter("when", format_when_and_zone)


@register.simple_block_tag(takes_context=True)
def subject(context: Context, content: str) -> str:
    """Set the subject, which follows the name of the league."""
    context["parts"].subject = _join_lines(content)
    return ""


@register.simple_block_tag(takes_context=True)
def paragraph(context: Context, content: str) -> str:
    """Add a paragraph."""
    context["parts"].paragraphs.append(_join_lines(content))
    return ""


@register.simple_tag(takes_context=True)
def quote(context: Context, text: str) -> str:
    """Add what somebody has typed, line by line, as a paragraph."""
    context["parts"].paragraphs.append(_make_plain(text))
    return ""


@register.simple_tag(takes_context=True)
def fact(context: Context, heading: str, text: object) -> str:
    """Add a fact to the list after the paragraphs."""
    context["parts"].facts.append((_make_plain(heading), _make_plain(text)))
    return ""


@register.simple_block_tag(takes_context=True)
def button(context: Context, content: str, path: str) -> str:
    """Set the text of the main link, and its address on the site."""
    context["parts"].button, context["parts"].path = _join_lines(content), path
    return ""


@register.simple_block_tag(takes_context=True)
def why(context: Context, content: str) -> str:
    """Say why somebody gets the mail, if not because they play in the league."""
    context["parts"].why = _join_lines(content)
    return ""


def _join_lines(content: str) -> str:
    """Return the *content* of a tag without the line breaks of the template."""
    lines = (line.strip() for line in _make_plain(content).split("\n"))
    return " ".join(line for line in lines if line)


def _make_plain(text: object) -> str:
    """Return *text* as a plain string, which the mail's HTML escapes; it would trust a ``SafeString``."""
    return str(text).strip()


@register.simple_tag(takes_context=True)
def protest_sentence(context: Context, division: Division) -> str:
    """Describe the protest time of *division*, and what follows; empty if it is over, or has not begun."""
    notes = load_division_notes(division, context["now"])
    if notes.ends is None:
        return ""
    return describe_protest_time(notes.following, notes.over, format_when_and_zone(notes.ends))


@register.filter
def say_over(division: Division) -> str:
    """Say what of *division* is over with its last results."""
    return division.format.say_over(division)


@register.simple_tag(takes_context=True)
def desk_news(context: Context, league: League) -> list[tuple[str, int]]:
    """Return headings and numbers of the matters on the desk of *league* that need an organiser."""
    season = find_current_season(league)
    matters = load_desk(league, season, context["now"])
    if season is not None and not lets_players_in(season):
        matters.pop("waiting", None)
    return [(str(MATTERS[kind]), len(rows)) for kind, rows in matters.items()]


@register.filter
def declines(challenge: Challenge) -> str:
    """Describe the cost of declining *challenge*."""
    return describe_declines(count_declines_left(challenge.division, challenge.challenged_id))


@register.filter
def outcome(challenge: Challenge) -> str:
    """Describe how *challenge* has ended."""
    won = challenge.match.winner_id == challenge.challenger_id
    challenger, challenged = str(challenge.challenger), str(challenge.challenged)
    return describe_ended_challenge(challenger, challenged, won=won, declined=challenge.declined)
