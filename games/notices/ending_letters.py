"""The mail about the end of a game."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext as _

from games.models import Notice
from games.notices.letters import (
    NoticeLetter,
    build_game_context,
    build_story_context,
    draw_boards,
    load_scene,
)
from games.pages.parts.result import build_result, find_decisive_turn, tell_turning_point
from games.pages.parts.score_sheet import list_unplayed_scoring
from games.pages.parts.story import format_result
from games.selectors.moves import load_recent_moves


def write_ending_letter(notice: Notice) -> NoticeLetter:
    """Write how the game ended: in the words of its page, with the turning point, scores and board."""
    game, scene = notice.of_game, load_scene(notice)
    happened, told = build_story_context(scene, notice)
    moves = [(move["ply"], move["events"]) for move in load_recent_moves(game, 0)]
    point = find_decisive_turn(scene, [*moves, *list_unplayed_scoring(scene)])
    context = build_game_context(scene) | {
        **told,
        "end_url": settings.SITE_URL + scene.urls.end,
        "ended": format_result(scene),
        "result": build_result(scene).text,
        "turning_point": tell_turning_point(scene, point),
        "me": scene.me,
        "verdict": scene.verdict,
        "overruled": scene.overruled,
    }
    context["standings"].sort(key=lambda line: line.rank or 0)
    subject = _("{game} is over").format(game=game.name)
    return NoticeLetter(subject, context, lambda: draw_boards(scene, happened))
