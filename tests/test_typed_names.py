"""Tests of names that caused trouble in other programs, from ``tests/conformance-texts``."""

from __future__ import annotations

import csv
import filecmp
import io
import json
from contextlib import suppress
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.urls import reverse

from games import tables
from games.clocks import DAY
from games.exceptions import Refused
from games.models import Game, Kind, Notice
from games.notices.email import compose
from games.notices.letters import NothingToTell
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import League, Team
from leagues.selectors.exports import TEAMS, render_csv
from leagues.selectors.exports import list_team_rows as rows_of
from tests.games.factories import NOW, make_player, make_table
from tests.leagues.season_helpers import BEGINS, advance_seasons, make_founder
from tests.leagues.team_season_helpers import (
    FIRST_ROUND,
    end_games,
    make_team,
    make_team_season,
    make_team_settings,
)

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[1]
COPIES = ROOT / "tests" / "conformance-texts"
REPORTS = ROOT.parent / "shared" / "reports"
ATOM = "{http://www.w3.org/2005/Atom}"


def cases(file: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (COPIES / file).read_text(encoding="utf-8").splitlines()]


def named(room: str) -> list[Any]:
    """The cases of names of a *room*, such as a team's."""
    chosen = [case for case in cases("typed-names.jsonl") if case["room"].startswith(room)]
    return [pytest.param(case["typed"], case["id"].startswith("subject"), id=case["id"]) for case in chosen]


@pytest.mark.skipif(not REPORTS.is_dir(), reason="the cases lie beside the project only where it is built")
def test_copies_equal_the_cases() -> None:
    names = [path.name for path in COPIES.iterdir()]
    _, different, missing = filecmp.cmpfiles(COPIES, REPORTS, names, shallow=False)
    assert len(names) == 2 and (different, missing) == ([], [])


def test_every_case_is_asked() -> None:
    rooms = ("team's name", "league's name", "table's name")
    assert sum(len(named(room)) for room in rooms) == len(cases("typed-names.jsonl")) == 7


@pytest.mark.parametrize(("typed", "in_subject"), named("team's name"))
@pytest.mark.parametrize("old", [False, True], ids=["typed", "row of before"])
def test_name_of_a_team(client: Client, typed: str, in_subject: bool, old: bool) -> None:
    season = make_team_season()
    for name in "ABC":
        make_team(season, name)
    captain = make_player("Captain")
    try:
        team = seasons.found_team(season_id=season.pk, captain=captain, name=typed, now=NOW)
        assert team.name == "".join(filter(str.isprintable, typed))
    except LeagueRefused as refused:
        assert in_subject and "“=” (equals sign)" in refused.message
    if old:
        Team.objects.filter(name__in="ABC").update(name=typed)
    for now in (BEGINS, FIRST_ROUND):
        advance_seasons(now)
    end_games(FIRST_ROUND + DAY)
    advance_seasons(FIRST_ROUND + DAY)
    feed = client.get(reverse("league:feed", args=[season.league.slug]))
    assert feed.status_code == 200
    titles = [
        entry.findtext(f"{ATOM}title", "")
        for entry in ElementTree.fromstring(feed.content).iter(f"{ATOM}entry")
    ]
    matches = [title for title in titles if " – " in title]
    assert len(matches) >= 1 and len(titles) > len(matches)
    if old:
        assert any("".join(filter(str.isprintable, typed)) in title for title in matches)
    must_read_literally(typed, in_subject, season.league)


@pytest.mark.parametrize(("typed", "in_subject"), named("league's name"))
@pytest.mark.parametrize("old", [False, True], ids=["typed", "row of before"])
def test_name_of_a_league(client: Client, typed: str, in_subject: bool, old: bool) -> None:
    league = seasons.found_league(founder=make_founder(), name=typed, settings=make_team_settings(), now=NOW)
    plain = "".join(filter(str.isprintable, typed))
    assert league.name == plain
    if old:
        League.objects.filter(pk=league.pk).update(name=typed)
    for name in "ABC":
        make_team(league.seasons.get(), name)
    advance_seasons(BEGINS)
    feed = client.get(reverse("league:feed", args=[league.slug]))
    assert ElementTree.fromstring(feed.content).findtext(f"{ATOM}title") == plain
    assert must_read_literally(typed, in_subject, league) > 0


def must_read_literally(typed: str, in_subject: bool, league: League) -> int:
    """Check that mails about *league* show what was *typed*, not what it decodes to; return their number."""
    told = 0
    for notice in Notice.objects.filter(game=None, sent=None):
        with suppress(NothingToTell):
            subject = subject_of(compose(notice))
            assert "lorem.example" not in subject
            assert typed in subject or not in_subject or league.name != typed
            told += 1
    return told


@pytest.mark.parametrize(("typed", "in_subject"), named("table's name"))
@pytest.mark.parametrize("old", [False, True], ids=["typed", "row of before"])
def test_name_of_a_table(typed: str, in_subject: bool, old: bool) -> None:
    table = make_table(now=NOW)
    with pytest.raises(Refused, match=r"“=” \(equals sign\)"):
        tables.rename(game_id=table.pk, player=table.host, name=typed, now=NOW)
    if old:
        Game.objects.filter(pk=table.pk).update(name=typed)
    bruno = make_player("Bruno")
    asked = tables.invite(game_id=table.pk, inviter=table.host, player=bruno, now=NOW)
    tables.decline(token=asked.token, player=bruno, now=NOW)
    subject = subject_of(compose(Notice.objects.get(kind=Kind.DECLINED)))
    assert in_subject and "lorem.example" not in subject and (typed in subject) == old


def subject_of(mail: EmailMultiAlternatives) -> str:
    """The subject as a mail program decodes it."""
    parsed = message_from_bytes(mail.message().as_bytes(), policy=policy.default)
    return str(parsed["Subject"])


@pytest.mark.parametrize("typed", [case["typed"] for case in cases("cells.jsonl")])
def test_cell_of_a_team(typed: str) -> None:
    season = make_team_season()
    for name in "AC":
        make_team(season, name)
    with pytest.raises(LeagueRefused, match="A name can't begin with"):
        seasons.found_team(season_id=season.pk, captain=make_player("Captain"), name=typed, now=NOW)
    make_team(season, "B")
    Team.objects.filter(name="A").update(name=typed)  # as before the rules for names
    advance_seasons(BEGINS)
    read = list(csv.DictReader(io.StringIO("".join(render_csv(TEAMS, rows_of(season))))))
    cells = {row["team"] for row in read}
    assert cells == {f"'{typed}", "B", "C"}
