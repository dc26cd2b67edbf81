"""Limits on mails to others caused in leagues, part of ``games/conduct/limits.py``."""

from __future__ import annotations

from collections.abc import Mapping

from games.conduct.limits import (
    DAY,
    GROUP,
    HOUR,
    INVITING,
    PAIR,
    RECIPIENT,
    SENDER,
    Limit,
    build_contact_limit,
)

INVITE_TO_TEAM, HAND_OVER, CHALLENGE = "team_invitation", "captain_named", "challenge"
ANNOUNCE, CHANGE_SEASON, ADMIT, SETTLE = "announcement", "season_changed", "admission", "game_settled"
EXTEND, APPOINT, CHANGE_RULES = "game_extended", "organiser_named", "rules_changed"
ASK = "organisers_asked"
RESTING = (INVITE_TO_TEAM, CHALLENGE)
ASKING = (*sorted(INVITING), INVITE_TO_TEAM, CHALLENGE)


LIMITS: Mapping[str, Limit] = {
    "team_invitations": build_contact_limit(SENDER, 20, DAY, "too_many_invitations", INVITE_TO_TEAM),
    "invitations_of_team": build_contact_limit(GROUP, 20, DAY, "too_many_invitations", INVITE_TO_TEAM),
    "team_invitations_to_one": build_contact_limit(PAIR, 3, DAY, "invited_often", INVITE_TO_TEAM),
    "team_invitations_to_player": build_contact_limit(RECIPIENT, 10, DAY, "much_invited", INVITE_TO_TEAM),
    "asked_by_one": build_contact_limit(PAIR, 12, DAY, "invited_often", *ASKING),
    "asked_by_all": build_contact_limit(RECIPIENT, 30, DAY, "much_invited", *ASKING),
    "captains_named": build_contact_limit(SENDER, 5, DAY, "too_much_today", HAND_OVER),
    "captain_named": build_contact_limit(PAIR, 2, DAY, "too_much_for_them", HAND_OVER),
    "challenges": build_contact_limit(SENDER, 5, DAY, "too_much_today", CHALLENGE),
    "challenges_of_one": build_contact_limit(PAIR, 2, 7 * DAY, "challenged_often", CHALLENGE),
    "challenges_of_player": build_contact_limit(RECIPIENT, 5, DAY, "much_challenged", CHALLENGE),
    "announcements_of_league": build_contact_limit(GROUP, 1, 4 * HOUR, "announced_lately", ANNOUNCE),
    "announcements": build_contact_limit(SENDER, 6, DAY, "too_much_today", ANNOUNCE),
    "changes_of_season": build_contact_limit(GROUP, 4, DAY, "changed_often", CHANGE_SEASON),
    "changes_of_seasons": build_contact_limit(SENDER, 12, DAY, "too_much_today", CHANGE_SEASON),
    "extensions": build_contact_limit(SENDER, 600, DAY, "too_much_today", EXTEND),
    "extensions_of_one": build_contact_limit(PAIR, 10, DAY, "too_much_for_them", EXTEND),
    "organisers_named": build_contact_limit(SENDER, 10, DAY, "too_much_today", APPOINT),
    "organiser_named": build_contact_limit(PAIR, 2, DAY, "too_much_for_them", APPOINT),
    "changes_of_rules": build_contact_limit(GROUP, 4, DAY, "too_much_today", CHANGE_RULES),
    "changes_of_all_rules": build_contact_limit(SENDER, 12, DAY, "too_much_today", CHANGE_RULES),
    "admissions": build_contact_limit(SENDER, 30, DAY, "too_much_today", ADMIT),
    "admissions_of_one": build_contact_limit(PAIR, 2, DAY, "too_much_for_them", ADMIT),
    "admissions_of_player": build_contact_limit(RECIPIENT, 5, DAY, "too_much_for_them", ADMIT),
    "games_settled": build_contact_limit(SENDER, 120, DAY, "too_much_today", SETTLE),
    "games_settled_of_one": build_contact_limit(PAIR, 30, DAY, "too_much_for_them", SETTLE),
    "requests": build_contact_limit(SENDER, 5, DAY, "too_much_today", ASK),
    "requests_of_league": build_contact_limit(GROUP, 40, DAY, "too_much_for_them", ASK),
}


def format_team_group(team: int) -> str:
    """Return the group key of a team."""
    return f"team.{team}"


def format_league_group(league: int) -> str:
    """Return the group key of a league."""
    return f"league.{league}"
