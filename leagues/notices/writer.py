"""Which mail tells what: what games ask when a notice of a league is to be sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from games.models import Notice
from games.notices.letters import Letter
from leagues.notices import players, seasons, teams
from leagues.notices.news import News, Told
from leagues.outbox import Topic

WRITERS: Mapping[Topic, Callable[[Told], News | None]] = {
    Topic.OPEN: seasons.opened,
    Topic.PLACE: seasons.place,
    Topic.CALLED_OFF: seasons.called_off,
    Topic.BEGINS: seasons.begins,
    Topic.ROUND: seasons.round_drawn,
    Topic.ENDS: seasons.ends,
    Topic.OVER: seasons.over,
    Topic.ANNOUNCEMENT: seasons.announcement,
    Topic.REPLACED: players.replaced,
    Topic.ADMITTED: players.admitted,
    Topic.SETTLED: players.settled,
    Topic.CHALLENGE: players.challenged,
    Topic.CHALLENGE_OVER: players.challenge_over,
    Topic.TEAM_INVITATION: teams.invitation,
    Topic.TEAM_DECLINED: teams.declined,
    Topic.LINE_UP: teams.line_up,
    Topic.LINE_UP_CLOSES: teams.line_up,
    Topic.TEAM_MATE: teams.team_mate,
    Topic.CAPTAIN: teams.captain,
    Topic.TEAM_SHORT: teams.too_short,
    Topic.DESK: players.desk,
    Topic.RENAMED: players.renamed,
}


def write(notice: Notice, now: datetime) -> Letter | None:
    """The mail of *notice* as things stand *now*; nothing where it does not matter any more."""
    assert notice.recipient is not None
    topic = Topic(notice.about["topic"])
    news = WRITERS[topic](Told(notice.recipient, notice.about, now))
    return news.letter() if news is not None else None
