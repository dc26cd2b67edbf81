"""How much leagues may make the site write to others: their part of ``games/conduct/limits.py``."""

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
    caused_by,
    of_contacts,
    unlimited,
)
from leagues.outbox import Topic

INVITE_TO_TEAM, HAND_OVER, CHALLENGE = "team_invitation", "captain_named", "challenge"
ANNOUNCE, CHANGE_SEASON, ADMIT, SETTLE = "announcement", "season_changed", "admission", "game_settled"
RESTING = (INVITE_TO_TEAM, CHALLENGE)
ASKING = (*sorted(INVITING), INVITE_TO_TEAM, CHALLENGE)

OF_ALL_SORTS = "all invitations, rematches and challenges"
SEASON = "seasons called off, opened, extended"
ADMITTED = "players admitted, or sent as substitutes"

LIMITS: Mapping[str, Limit] = {
    "team_invitations": of_contacts(
        "invitations to teams", SENDER, "captain", 20, DAY, "too_many_invitations", INVITE_TO_TEAM
    ),
    "invitations_of_team": of_contacts(
        "invitations to teams", GROUP, "team", 20, DAY, "too_many_invitations", INVITE_TO_TEAM
    ),
    "team_invitations_to_one": of_contacts(
        "invitations to teams", PAIR, "captain and invited", 3, DAY, "invited_often", INVITE_TO_TEAM
    ),
    "team_invitations_to_player": of_contacts(
        "invitations to teams", RECIPIENT, "invited, whoever invites", 10, DAY, "much_invited", INVITE_TO_TEAM
    ),
    "asked_by_one": of_contacts(
        OF_ALL_SORTS, PAIR, "sender and recipient", 12, DAY, "invited_often", *ASKING
    ),
    "asked_by_all": of_contacts(
        OF_ALL_SORTS, RECIPIENT, "recipient, whoever asks", 30, DAY, "much_invited", *ASKING
    ),
    "captains_named": of_contacts(
        "teams handed over", SENDER, "captain", 5, DAY, "too_much_today", HAND_OVER
    ),
    "captain_named": of_contacts(
        "teams handed over", PAIR, "captain and next captain", 2, DAY, "too_much_for_them", HAND_OVER
    ),
    "challenges": of_contacts("challenges", SENDER, "challenger", 5, DAY, "too_much_today", CHALLENGE),
    "challenges_of_one": of_contacts(
        "challenges", PAIR, "challenger and challenged", 2, 7 * DAY, "challenged_often", CHALLENGE
    ),
    "challenges_of_player": of_contacts(
        "challenges", RECIPIENT, "challenged, whoever challenges", 5, DAY, "much_challenged", CHALLENGE
    ),
    "announcements_of_league": of_contacts(
        "announcements", GROUP, "league", 1, 4 * HOUR, "announced_lately", ANNOUNCE
    ),
    "announcements": of_contacts("announcements", SENDER, "organiser", 6, DAY, "too_much_today", ANNOUNCE),
    "changes_of_season": of_contacts(SEASON, GROUP, "league", 4, DAY, "changed_often", CHANGE_SEASON),
    "changes_of_seasons": of_contacts(SEASON, SENDER, "organiser", 12, DAY, "too_much_today", CHANGE_SEASON),
    "admissions": of_contacts(ADMITTED, SENDER, "organiser", 30, DAY, "too_much_today", ADMIT),
    "admissions_of_one": of_contacts(
        ADMITTED, PAIR, "organiser and player", 2, DAY, "too_much_for_them", ADMIT
    ),
    "admissions_of_player": of_contacts(ADMITTED, RECIPIENT, "player", 5, DAY, "too_much_for_them", ADMIT),
    "games_settled": of_contacts(
        "games settled, once for each player", SENDER, "organiser", 120, DAY, "too_much_today", SETTLE
    ),
    "games_settled_of_one": of_contacts(
        "games settled", PAIR, "organiser and player", 30, DAY, "too_much_for_them", SETTLE
    ),
}

TOPICS: Mapping[Topic, NoticeRule] = {
    Topic.OPEN: caused_by(CHANGE_SEASON, why="else the site itself, once a season"),
    Topic.PLACE: unlimited("the site itself, when a place is free for somebody who waits for one"),
    Topic.CALLED_OFF: caused_by(CHANGE_SEASON, why="else the site itself, four times a season at most"),
    Topic.BEGINS: unlimited("the site itself, once a season"),
    Topic.ROUND: unlimited("the site itself, once a round"),
    Topic.ENDS: caused_by(CHANGE_SEASON, why="the site itself, once for each end that a season is given"),
    Topic.OVER: unlimited("the site itself, once a season"),
    Topic.ANNOUNCEMENT: caused_by(ANNOUNCE),
    Topic.REPLACED: caused_by(ADMIT, why="once for each player of a season"),
    Topic.ADMITTED: caused_by(ADMIT),
    Topic.SETTLED: caused_by(SETTLE),
    Topic.RENAMED: unlimited("moderators"),
    Topic.CHALLENGE: caused_by(CHALLENGE),
    Topic.CHALLENGE_OVER: unlimited("the site itself, once a challenge"),
    Topic.TEAM_INVITATION: caused_by(INVITE_TO_TEAM, why="one mail an hour from one team"),
    Topic.TEAM_DECLINED: unlimited("answers an invitation of the recipient, once"),
    Topic.LINE_UP: unlimited("the site itself, once a match"),
    Topic.LINE_UP_CLOSES: unlimited("the site itself, once a match"),
    Topic.TEAM_MATE: unlimited("one mail a day about one player of the team, for each way to be away"),
    Topic.CAPTAIN: caused_by(HAND_OVER, why="else the captain has left, who comes back as a player"),
    Topic.TEAM_SHORT: unlimited("the site itself, once a season"),
    Topic.DESK: unlimited("the site itself, once a day"),
}
"""What holds each mail of leagues. A test fails for a topic that is not here."""


def team_group(team: int) -> str:
    """The group of the team with this primary key."""
    return f"team.{team}"


def league_group(league: int) -> str:
    """The group of the league with this primary key."""
    return f"league.{league}"
