"""The text board of a game, which can be played with a screen reader, for one viewer."""

from __future__ import annotations

from typing import Any

from games import words
from games.access import is_on_turn, may_resign
from games.pages.parts.chat import load_talks
from games.pages.parts.game_actions import build_game_actions
from games.pages.parts.seats import build_seat_cards, format_quarters
from games.pages.parts.status import build_clock, choose_poll_interval, format_headline
from games.pages.parts.story import build_final_scoring, build_story
from games.pages.parts.tiles_left import format_count_left
from games.pages.parts.visit import load_viewer_visit
from games.pages.scene import Scene
from games.pages.scene.picture import Miniature, build_miniature
from games.pages.text import board, commands
from games.pages.text.commands import Reply, Sight
from games.pages.turn.decision import build_question, find_notice_timing, format_standing_answer
from games.selectors.waiting import find_next_waiting_game


def build_text_page(scene: Scene, *, line: str = "", refused: str = "") -> dict[str, Any]:
    """Build the template context of a game that has begun, with the answer to *line*.

    *refused* says why the turn *line*, which was sent, was not played.
    """
    game, me, played, state = scene.game, scene.me, scene.played, scene.state
    known = load_viewer_visit(scene)
    awaited = is_on_turn(me, game)
    placing = awaited and played.decision.kind == "place"
    put = build_question(played, scene.names) if awaited and not placing else None
    story = build_story(scene, known.recent, known.since)
    cards = build_seat_cards(scene)
    left = build_clock(scene)
    waits = format_headline(scene)
    sight = Sight(
        played=played,
        names=scene.names,
        me=None if me is None else me.index,
        headline=waits,
        clock=left.left if left else "",
        seats=cards,
        told=story.told,
        told_heading=story.heading,
        question=put,
        placing=placing,
        over=game.ended,
    )
    waiting = None if me is None or awaited else me.player
    legal = played.legal_actions() if placing else None
    in_hand = state.playable if placing or (state.drawn and not game.ended) else ()
    return {
        "game": game,
        "contest": scene.contest,
        "urls": scene.urls,
        "headline": waits,
        "clock": left,
        "reply": Reply((refused,), kept=line, wrong=True) if refused else commands.reply(line, sight),
        "tiles": tuple(
            _prefix_id(build_miniature(id), id) if len(in_hand) > 1 else build_miniature(id) for id in in_hand
        ),
        "placing": placing,
        "question": put,
        "naming": commands.build_example(sight) if placing and len(in_hand) > 1 else "",
        "cells": [] if legal is None else board.group_turns_by_cell(played.state, legal),
        "story": story,
        "ending": build_final_scoring(scene, known.recent),
        "seats": tuple(commands.format_seat(card) for card in cards),
        "features": board.group_features(state, scene.names),
        "quarters": format_quarters(scene),
        "rows": board.build_board_rows(state, scene.names),
        "edges": words.describe_edges(state),
        "open_cells": board.list_open_cells(state, legal, dead=scene.dead),
        "remaining": tuple(build_miniature(id, count) for id, count in state.remaining.items()),
        "tiles_left": format_count_left(state.left),
        "talks": load_talks(scene),
        "plan_notes": scene.plan_notes,
        "plan_url": scene.urls.plan if scene.may_plan else "",
        "standing_answer": format_standing_answer(scene),
        "notice_timing": find_notice_timing(scene),
        "may_resign": may_resign(me, game),
        "at_table": build_game_actions(scene, known.recent),
        "next_game": waiting and find_next_waiting_game(waiting, game.code),
        "watching": choose_poll_interval(scene),
        "visit": known.visit,
    }


def _prefix_id(tile: Miniature, id: str) -> Miniature:
    return tile._replace(words=f"{id}: {tile.words}")
