"""Views of the moderators' desk: queues, games and players, with previews of acts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.interests import Recusal
from accounts.models import Player
from accounts.reauthentication import redirect_staff
from accounts.requests import PlayerRequest
from games import access
from games.conduct.interests import find_recusal_from
from games.exceptions import Refused, StaleTurn
from games.models import ActKind, Game, Move
from games.pages.history.ply import load_scene
from games.pages.parts.status import format_headline
from games.pages.parts.story import StoryEntry, build_story_entries
from games.pages.scene import Scene
from games.play import moderation, timing
from games.play.moderation import ModerationRequest
from games.play.moderation.base import Preview
from games.selectors.moves import FIELDS
from games.selectors.seats import list_seat_names, load_seats_of
from moderation.access import filter_talk
from moderation.acts import bulk, sanctions
from moderation.forms.desk import ClearProfileForm, DeskSearchForm, ModeratorNoteForm
from moderation.forms.games import FORMS, BulkForm
from moderation.selectors import person_at_desk
from moderation.selectors.acts_on_games import describe_effects, load_logged_acts
from moderation.selectors.desk_search import load_former_names
from moderation.selectors.possible_acts import list_possible_acts, list_possible_acts_on_seat
from moderation.selectors.queues import load_queues

View = Callable[..., HttpResponseBase]

LEFT = "moderation/left_to_others.html"

SHOWN = 50
"""Maximum number of moves and of messages on the page of a game; the admin has the others."""

NOTICES = 20


def require_signed_in(view: View) -> View:
    """Require a signed-in player for *view*, of the staff only with a recent second factor."""

    @wraps(view)
    def respond(request: PlayerRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        elsewhere = redirect_staff(request) if request.user.is_staff else None
        return elsewhere or view(request, *args, **kwargs)

    return login_required(respond)


def require_moderator(view: View) -> View:
    """Require a signed-in moderator for *view*."""

    @wraps(view)
    def respond(request: PlayerRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not access.is_moderator(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return require_signed_in(respond)


def render_left_to_others(request: PlayerRequest, recused: Recusal) -> HttpResponse:
    """Render who decides instead of the moderator, without details of the case."""
    context = {"refused": recused.sentence, "heading": _("For another moderator"), "reported": True}
    return render(request, LEFT, context, status=HTTPStatus.FORBIDDEN)


@require_moderator
@require_safe
def queues(request: PlayerRequest) -> HttpResponse:
    """Show the queues of the desk."""
    context = {"queues": load_queues(request.user, timezone.now()), "search": DeskSearchForm()}
    return render(request, "moderation/desk.html", context)


@require_signed_in
@require_safe
def case(request: PlayerRequest, code: str) -> HttpResponse:
    """Show a game with all acts."""
    game = _get_moderated_game(request, code)
    scene = Scene.of(game, request.user)
    log = load_logged_acts(game, scene.names)
    moves = game.moves.order_by("-version")[:SHOWN]
    stopped = timing.find_hold(game, timezone.now()) is not None
    context = {
        "game": game,
        "scene": scene,
        "headline": format_headline(scene) if game.started else game.get_status_display(),
        "stopped": stopped,
        "possible": set(list_possible_acts(game, log, stopped=stopped)),
        "seats": [
            (seat, name, set(list_possible_acts_on_seat(game, seat, log)))
            for seat, name in zip(scene.seats, scene.names, strict=True)
        ],
        "turns": list(_tell_turns(scene, [move for move in moves if move.withdrawn is None])),
        "talk": filter_talk(game.talk.select_related("author")).order_by("-pk")[:SHOWN],
        "notices": game.notices.select_related("recipient").order_by("-pk")[:NOTICES],
        "log": log,
    }
    return render(request, "moderation/case.html", context)


def _tell_turns(scene: Scene, moves: Iterable[Move]) -> Iterator[tuple[Move, StoryEntry]]:
    for move in moves:
        for entry in build_story_entries(scene, [{name: getattr(move, name) for name in FIELDS}]):
            yield move, entry


@require_signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: PlayerRequest, code: str, act: str) -> HttpResponse:
    """Show the form of an act on a game, preview its effects, and perform it when confirmed."""
    game, kind = _get_moderated_game(request, code), act.replace("-", "_")
    if kind not in FORMS:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = FORMS[kind](game, list_seat_names(load_seats_of(game)), request.GET.dict(), sent)
    preview: Preview | None = None
    overtaken = False
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        asked = form.build_request(request.user, timezone.now())
        try:
            if "stop" in request.POST:
                game, asked = _stop_game(asked)
                form.show_anew(game)
                messages.info(request, _("The game is stopped. Take your time to decide, then let it go on."))
                if kind == ActKind.PAUSE:
                    return redirect("moderation:desk_game", code)
            if "confirmed" in request.POST:
                form.act(asked)
                messages.success(request, _("Done, and in the log of the game."))
                return redirect("moderation:desk_game", code)
            preview = moderation.preview(asked, form.act)
        except Refused as refused:
            if isinstance(refused, StaleTurn):
                game = refused.game
                overtaken = moderation.can_be_stopped(game, asked.now)
            form.add_error(None, refused.message)
            form.show_anew(game)
    context = {"game": game, "form": form, "preview": preview, "overtaken": overtaken}
    if preview is not None:
        (context["effects"],) = describe_effects([preview.act])
        if kind == ActKind.ROLL_BACK:
            scenes = [load_scene(game, request.user, ply) for ply in (None, form.cleaned_data["ply"])]
            context["boards"] = [
                (scene, zip(scene.names, scene.state.scores, strict=True)) for scene in scenes
            ]
    return render(request, "moderation/act.html", context)


def _stop_game(asked: ModerationRequest) -> tuple[Game, ModerationRequest]:
    """Stop the game; return it, and the request for its new version."""
    moderation.stop_first(asked)
    game = Game.objects.get(pk=asked.game_id)
    return game, asked._replace(expected_version=game.version)


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: PlayerRequest, username: str) -> HttpResponse:
    """Show a player's page, and perform an act on all their running games; each is done or refused by
    itself."""
    player = get_object_or_404(Player, username=username)
    if player == request.user:
        raise PermissionDenied
    form, now = BulkForm(request.POST if request.method == "POST" else None), timezone.now()
    previews: list[tuple[Game, Sequence[str], str]] = []
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        reason = form.cleaned_data["reason"]
        if "confirmed" in request.POST:
            done, overtaken = bulk.act_in_all(
                form.act, player, who=request.user, reason=reason, now=now, versions=form.versions()
            )
            said = ngettext("Done in {n} game.", "Done in {n} games.", done).format(n=done)
            messages.success(request, said)
            if overtaken:
                moved = ngettext(
                    "{n} game has moved on since, and nothing was done there. Look again.",
                    "{n} games have moved on since, and nothing was done there. Look again.",
                    overtaken,
                ).format(n=overtaken)
                messages.warning(request, moved)
            return redirect("moderation:desk_person", username)
        outcomes = bulk.preview_all(form.act, player, who=request.user, reason=reason, now=now)
        form.show_anew({game.pk: game.version for game, _preview in outcomes})
        previews = list(_describe_previews(outcomes))
    context = {
        "player": player,
        "form": form,
        "previews": previews,
        "games": bulk.find_seats(player),
        "note_form": ModeratorNoteForm(),
        "clear_form": ClearProfileForm(),
    }
    if not previews:
        context |= _load_person(player, request.user, now)
    return render(request, "moderation/person.html", context)


def _describe_previews(
    previews: Iterable[tuple[Game, Preview | Refused]],
) -> Iterator[tuple[Game, Sequence[str], str]]:
    """Describe the effects on each game, or why it is refused; one query for each."""
    for game, preview in previews:
        if isinstance(preview, Refused):
            yield game, (), preview.message
        else:
            yield game, describe_effects([preview.act])[0], ""


def _load_person(player: Player, viewer: Player, now: datetime) -> dict[str, object]:
    """Load what moderators know of *player*; eight queries and those of ranks."""
    may_reach = sanctions.may_reach(viewer, player)
    rows = person_at_desk.find_sanctions(player)
    return {
        "now": now,
        "formerly": load_former_names([player]).get(player.pk, []),
        "may_reach": may_reach,
        "recused": find_recusal_from(viewer, player) if may_reach else None,
        "in_force": [sanction for sanction in rows.rows if sanction.in_force(now)],
        "past": [sanction for sanction in rows.rows if not sanction.in_force(now)],
        "appealed": [sanction for sanction in rows.rows if hasattr(sanction, "appeal")],
        "older": rows.more,
        "about": person_at_desk.find_incidents_about(player, viewer),
        "reported": person_at_desk.find_reports_by(player, viewer),
        "signals": person_at_desk.find_signals(player, viewer),
        "names": person_at_desk.find_name_changes(player),
        "notes": person_at_desk.find_notes_about(player),
    }


def _get_moderated_game(request: PlayerRequest, code: str) -> Game:
    """The game, if the user may moderate it."""
    game = get_object_or_404(Game, code=code)
    if not access.may_moderate(request.user, game):
        raise PermissionDenied
    return game
