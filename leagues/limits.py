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
    NoticeRule,
    build_contact_limit,
    build_limited_rule,
    build_unlimited_rule,
)
from leagues.outbox import Topic

INVITE_TO_TEAM, HAND_OVER, CHALLENGE = "team_invitation", "captain_named", "challenge"
ANNOUNCE, CHANGE_SEASON, ADMIT, SETTLE = "announcement", "season_changed", "admission", "game_settled"
EXTEND, APPOINT, CHANGE_RULES = "game_extended", "organiser_named", "rules_changed"
ASK = "organisers_asked"
RESTING = (INVITE_TO_TEAM, CHALLENGE)
ASKING = (*sorted(INVITING), INVITE_TO_TEAM, CHALLENGE)

OF_ALL_SORTS = "all invitations, rematches and challenges"
SEASON = "seasons called off, opened, extended"
ADMITTED = "players admitted, or sent as substitutes"

LIMITS: Mapping[str, Limit] = {
    "team_invitations": build_contact_limit(
        "invitations to teams", SENDER, "captain", 20, DAY, "too_many_invitations", INVITE_TO_TEAM
    ),
    "invitations_of_team": build_contact_limit(
        "invitations to teams", GROUP, "team", 20, DAY, "too_many_invitations", INVITE_TO_TEAM
    ),
    "team_invitations_to_one": build_contact_limit(
        "invitations to teams", PAIR, "captain and invited", 3, DAY, "invited_often", INVITE_TO_TEAM
    ),
    "team_invitations_to_player": build_contact_limit(
        "invitations to teams", RECIPIENT, "invited player", 10, DAY, "much_invited", INVITE_TO_TEAM
    ),
    "asked_by_one": build_contact_limit(
        OF_ALL_SORTS, PAIR, "sender and recipient", 12, DAY, "invited_often", *ASKING
    ),
    "asked_by_all": build_contact_limit(
        OF_ALL_SORTS, RECIPIENT, "recipient", 30, DAY, "much_invited", *ASKING
    ),
    "captains_named": build_contact_limit(
        "teams handed over", SENDER, "captain", 5, DAY, "too_much_today", HAND_OVER
    ),
    "captain_named": build_contact_limit(
        "teams handed over", PAIR, "captain and next captain", 2, DAY, "too_much_for_them", HAND_OVER
    ),
    "challenges": build_contact_limit(
        "challenges", SENDER, "challenger", 5, DAY, "too_much_today", CHALLENGE
    ),
    "challenges_of_one": build_contact_limit(
        "challenges", PAIR, "challenger and challenged", 2, 7 * DAY, "challenged_often", CHALLENGE
    ),
    "challenges_of_player": build_contact_limit(
        "challenges", RECIPIENT, "challenged player", 5, DAY, "much_challenged", CHALLENGE
    ),
    "announcements_of_league": build_contact_limit(
        "announcements", GROUP, "league", 1, 4 * HOUR, "announced_lately", ANNOUNCE
    ),
    "announcements": build_contact_limit(
        "announcements", SENDER, "organiser", 6, DAY, "too_much_today", ANNOUNCE
    ),
    "changes_of_season": build_contact_limit(SEASON, GROUP, "league", 4, DAY, "changed_often", CHANGE_SEASON),
    "changes_of_seasons": build_contact_limit(
        SEASON, SENDER, "organiser", 12, DAY, "too_much_today", CHANGE_SEASON
    ),
    "extensions": build_contact_limit(
        "ends of games moved, once for each player", SENDER, "organiser", 600, DAY, "too_much_today", EXTEND
    ),
    "extensions_of_one": build_contact_limit(
        "ends of games moved", PAIR, "organiser and player", 10, DAY, "too_much_for_them", EXTEND
    ),
    "organisers_named": build_contact_limit(
        "organisers named", SENDER, "organiser", 10, DAY, "too_much_today", APPOINT
    ),
    "organiser_named": build_contact_limit(
        "organisers named", PAIR, "organiser and named", 2, DAY, "too_much_for_them", APPOINT
    ),
    "changes_of_rules": build_contact_limit(
        "changes of rules", GROUP, "league", 4, DAY, "too_much_today", CHANGE_RULES
    ),
    "changes_of_all_rules": build_contact_limit(
        "changes of rules", SENDER, "organiser", 12, DAY, "too_much_today", CHANGE_RULES
    ),
    "admissions": build_contact_limit(ADMITTED, SENDER, "organiser", 30, DAY, "too_much_today", ADMIT),
    "admissions_of_one": build_contact_limit(
        ADMITTED, PAIR, "organiser and player", 2, DAY, "too_much_for_them", ADMIT
    ),
    "admissions_of_player": build_contact_limit(
        ADMITTED, RECIPIENT, "player", 5, DAY, "too_much_for_them", ADMIT
    ),
    "games_settled": build_contact_limit(
        "games settled, once for each player", SENDER, "organiser", 120, DAY, "too_much_today", SETTLE
    ),
    "games_settled_of_one": build_contact_limit(
        "games settled", PAIR, "organiser and player", 30, DAY, "too_much_for_them", SETTLE
    ),
    "requests": build_contact_limit(
        "questions to organisers", SENDER, "asking player", 5, DAY, "too_much_today", ASK
    ),
    "requests_of_league": build_contact_limit(
        "questions to organisers", GROUP, "league", 40, DAY, "too_much_for_them", ASK
    ),
}

TOPICS: Mapping[Topic, NoticeRule] = {
    Topic.OPEN: build_limited_rule(CHANGE_SEASON, why="otherwise the site itself, once a season"),
    Topic.PLACE: build_unlimited_rule("the site itself, when a waiting player gets a place"),
    Topic.CALLED_OFF: build_limited_rule(
        CHANGE_SEASON, why="otherwise the site itself, four times a season at most"
    ),
    Topic.BEGINS: build_unlimited_rule("the site itself, once a season"),
    Topic.ROUND: build_unlimited_rule("the site itself, once a round"),
    Topic.ENDS: build_limited_rule(
        CHANGE_SEASON, EXTEND, why="the site itself, once for each end that a match is given"
    ),
    Topic.EXTENDED: build_limited_rule(CHANGE_SEASON, EXTEND),
    Topic.OVER: build_unlimited_rule("the site itself, once a season"),
    Topic.ANNOUNCEMENT: build_limited_rule(ANNOUNCE),
    Topic.REPLACED: build_limited_rule(ADMIT, why="once for each player of a season"),
    Topic.ADMITTED: build_limited_rule(ADMIT),
    Topic.TAKEN_OUT: build_limited_rule(SETTLE),
    Topic.PENALTY: build_limited_rule(SETTLE),
    Topic.SETTLED: build_limited_rule(SETTLE),
    Topic.PROTEST: build_unlimited_rule("the site itself, once a round"),
    Topic.RENAMED: build_unlimited_rule("moderators"),
    Topic.CHALLENGE: build_limited_rule(CHALLENGE),
    Topic.CHALLENGE_OVER: build_unlimited_rule("the site itself, once a challenge"),
    Topic.TEAM_INVITATION: build_limited_rule(INVITE_TO_TEAM, why="one mail an hour from one team"),
    Topic.TEAM_DECLINED: build_unlimited_rule("answers an invitation of the recipient, once"),
    Topic.LINE_UP: build_unlimited_rule("the site itself, once a match"),
    Topic.LINE_UP_CLOSES: build_unlimited_rule("the site itself, once a match"),
    Topic.TEAM_MATE: build_unlimited_rule(
        "one mail a day about one player of the team, for each kind of absence"
    ),
    Topic.CAPTAIN: build_limited_rule(
        HAND_OVER, why="otherwise the site itself, when a captain leaves, who can return only as a player"
    ),
    Topic.TEAM_SHORT: build_unlimited_rule("the site itself, once a season"),
    Topic.APPOINTED: build_limited_rule(APPOINT),
    Topic.RULES: build_limited_rule(CHANGE_RULES),
    Topic.ASKED: build_limited_rule(ASK),
    Topic.ANSWERED: build_unlimited_rule("answers a question of the recipient, once"),
    Topic.DESK: build_unlimited_rule("the site itself, once a day"),
}
"""Limits by topic of league mails, or the reason for having none. A test fails if a topic is missing."""


def format_team_group(team: int) -> str:
    """Return the group key of a team."""
    return f"team.{team}"


def format_league_group(league: int) -> str:
    """Return the group key of a league."""
    return f"league.{league}"
