"""Composers of mails by topic, called by games when a notice of a league is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from games.models import Notice
from games.notices.letters import NoticeLetter
from leagues.notices import players, requests, seasons, teams
from leagues.notices.news import LeagueMail, NoticeContext
from leagues.outbox import Topic

WRITERS: Mapping[Topic, Callable[[NoticeContext], LeagueMail | None]] = {
    Topic.OPEN: seasons.compose_registration,
    Topic.PLACE: seasons.compose_free_place,
    Topic.CALLED_OFF: seasons.compose_postponement,
    Topic.BEGINS: seasons.compose_season_start,
    Topic.ROUND: seasons.compose_round,
    Topic.ENDS: seasons.compose_season_warning,
    Topic.EXTENDED: seasons.compose_extension,
    Topic.OVER: seasons.compose_season_end,
    Topic.ANNOUNCEMENT: seasons.compose_announcement,
    Topic.REPLACED: players.compose_replacement,
    Topic.ADMITTED: players.compose_admission,
    Topic.TAKEN_OUT: players.compose_removal,
    Topic.PENALTY: players.compose_penalty,
    Topic.SETTLED: players.compose_settlement,
    Topic.PROTEST: seasons.compose_protest_time,
    Topic.CHALLENGE: players.compose_challenge,
    Topic.CHALLENGE_OVER: players.compose_challenge_end,
    Topic.TEAM_INVITATION: teams.compose_invitation,
    Topic.TEAM_DECLINED: teams.compose_declined_invitation,
    Topic.LINE_UP: teams.compose_line_up_reminder,
    Topic.LINE_UP_CLOSES: teams.compose_line_up_reminder,
    Topic.TEAM_MATE: teams.compose_absence,
    Topic.CAPTAIN: teams.compose_captaincy,
    Topic.TEAM_SHORT: teams.compose_exclusion,
    Topic.APPOINTED: players.compose_appointment,
    Topic.RULES: seasons.compose_rule_change,
    Topic.ASKED: requests.compose_request,
    Topic.ANSWERED: requests.compose_answer,
    Topic.DESK: players.compose_desk_reminder,
    Topic.RENAMED: players.compose_renaming,
}


def write(notice: Notice, now: datetime) -> NoticeLetter | None:
    """Compose the mail of *notice*; None if it is not relevant any more."""
    assert notice.recipient is not None
    topic = Topic(notice.about["topic"])
    news = WRITERS[topic](NoticeContext(notice.recipient, notice.about, now))
    return news.letter() if news is not None else None
