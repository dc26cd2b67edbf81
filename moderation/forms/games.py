"""Acts of moderators on games as forms, with their services."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import Player
from accounts.texts import TextField
from games.forms.dates import validate_year
from games.models import ActKind, Game, ModerationAct
from games.play import moderation
from games.play.moderation import ModerationRequest
from games.play.moderation.base import LONGEST_REASON
from games.play.moderation.pauses import MOST_DAYS
from games.play.moderation.results import MOST_POINTS
from moderation.interests import find_case_opening

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LARGEST = 2**31 - 1


class ActForm(forms.Form):
    """An act on *game*, whose seats are called *called*."""

    title: ClassVar[StrOrPromise]
    about: ClassVar[StrOrPromise] = ""
    service: ClassVar[Callable[..., ModerationAct]]

    reason = TextField(
        "reason",
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Everyone who can see the game can read it. We don't name you."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST)

    def __init__(
        self, game: Game, called: Sequence[str], about: Mapping[str, str], data: Mapping[str, str] | None
    ) -> None:
        self.game, self.called = game, called
        super().__init__(data, initial={**about, "version": game.version})
        self.set_up()
        self.order_fields([name for name in self.fields if name not in ("reason", "version")])

    def set_up(self) -> None:
        """Adapt the fields to the game."""

    def build_arguments(self) -> tuple[Any, ...]:
        """Return the arguments of the service, of a valid form."""
        return ()

    def build_request(self, who: Player, now: datetime) -> ModerationRequest:
        """Return the request of *who*, with the reason and the version of the game that they have seen."""
        data = self.cleaned_data
        return ModerationRequest(
            self.game.pk, who, data["reason"], now, data["version"], find_case_opening(self.game)
        )

    def show_anew(self, game: Game) -> None:
        """Reset the form to the present version of *game* for the next try."""
        self.data = self.data.copy()  # type: ignore[attr-defined]
        self.data["version"] = str(game.version)  # type: ignore[index]

    def act(self, asked: ModerationRequest) -> ModerationAct:
        """Perform the act.

        :raises Refused: the act is refused
        """
        return type(self).service(asked, *self.build_arguments())


def seat_choices(called: Sequence[str]) -> list[tuple[str, str]]:
    return [(str(index), name) for index, name in enumerate(called)]


class PauseGameForm(ActForm):
    """A pause of a game, perhaps with an end."""

    title = gettext_lazy("Stop the game")
    about = gettext_lazy("Nobody can play, and no clock is running.")
    service = moderation.pause
    until = forms.DateTimeField(
        validators=[validate_year],
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy("In your time zone. Without an end: until someone lets it go on."),
    )

    def build_arguments(self) -> tuple[Any, ...]:
        return (self.cleaned_data["until"],)


class ResumeForm(ActForm):
    """Resumption of a paused game."""

    title = gettext_lazy("Let the game go on")
    service = moderation.resume


class ExtendTimeForm(ActForm):
    """More time for one seat or all."""

    title = gettext_lazy("Give time")
    service = moderation.extend
    to = forms.ChoiceField(label=pgettext_lazy("recipient", "To whom"), required=False)
    days = forms.IntegerField(label=gettext_lazy("Days"), min_value=1, max_value=MOST_DAYS, initial=3)

    def set_up(self) -> None:
        everybody = [("", _("all players"))]
        self.fields["to"].choices = everybody + seat_choices(self.called)  # type: ignore[attr-defined]
        if self.game.awaited is not None:
            self.initial.setdefault("to", str(self.game.awaited))

    def build_arguments(self) -> tuple[Any, ...]:
        to = self.cleaned_data["to"]
        return self.cleaned_data["days"], int(to) if to else None


class RollBackForm(ActForm):
    """The turn to roll back to."""

    title = gettext_lazy("Roll back")
    about = gettext_lazy(
        "We withdraw what was played since, but keep it for players to look at. The tiles "
        "come again in the same order, so that nobody gains by having seen them. If the game "
        "has ended, its seed has been shown, and anyone who looked at it may know the tiles "
        "that nobody has drawn yet: deciding the result may be fairer."
    )
    service = moderation.roll_back
    ply = forms.IntegerField(
        label=gettext_lazy("The last turn that stands"),
        min_value=0,
        max_value=LARGEST,
        help_text=gettext_lazy("The number of a turn, as on the board; 0 for the start."),
    )

    def set_up(self) -> None:
        self.initial.setdefault("ply", self.game.ply if self.game.ended else max(self.game.ply - 1, 0))

    def build_arguments(self) -> tuple[Any, ...]:
        return (self.cleaned_data["ply"],)


class AdjudicateForm(ActForm):
    """A place and points for each seat."""

    title = gettext_lazy("Decide the result")
    service = moderation.adjudicate

    def set_up(self) -> None:
        seats = list(self.game.seats.order_by("index"))
        for seat, name in zip(seats, self.called, strict=True):
            self.fields[f"rank_{seat.index}"] = forms.IntegerField(
                label=_("Rank of {player}").format(player=name),
                min_value=1,
                max_value=len(seats),
                initial=1 + sum(other.score > seat.score for other in seats),
            )
            self.fields[f"score_{seat.index}"] = forms.IntegerField(
                label=_("Points of {player}").format(player=name),
                min_value=0,
                max_value=MOST_POINTS,
                initial=seat.score,
            )

    def build_arguments(self) -> tuple[Any, ...]:
        data, seats = self.cleaned_data, range(len(self.called))
        return [data[f"rank_{seat}"] for seat in seats], [data[f"score_{seat}"] for seat in seats]


class AbortForm(ActForm):
    """End of a game without a result."""

    title = gettext_lazy("End the game early, unrated")
    service = moderation.abort


class ReopenGameForm(ActForm):
    """Resumption of a game that a moderator has ended."""

    title = gettext_lazy("Let the game go on after all")
    about = gettext_lazy(
        "The seed has been shown since the game ended: anyone who looked at it may know the tiles to come."
    )
    service = moderation.reopen


class UnrateForm(ActForm):
    """Removal of a game from ratings."""

    title = gettext_lazy("Make it unrated")
    service = moderation.unrate


class RateForm(ActForm):
    """Return of a game to ratings."""

    title = gettext_lazy("Make it rated again")
    service = moderation.rate


class SeatActForm(ActForm):
    """Act about a seat."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Seat"), coerce=int)

    def set_up(self) -> None:
        self.fields["seat"].choices = seat_choices(self.called)  # type: ignore[attr-defined]

    def build_arguments(self) -> tuple[Any, ...]:
        return (self.cleaned_data["seat"],)


class ReplaceSeatForm(SeatActForm):
    """Choice of a substitute for a seat."""

    title = gettext_lazy("Replace a player")
    service = moderation.replace
    player = TextField(
        "search",
        label=gettext_lazy("New player"),
        required=False,
        max_length=30,
        help_text=gettext_lazy(
            "The name of someone who has agreed. Empty: the house bot, until you give the seat back."
        ),
    )

    def clean_player(self) -> Player | None:
        name = self.cleaned_data["player"]
        if not name:
            return None
        player = Player.objects.named(name).filter(is_active=True, is_bot=False).first()
        if player is None:
            raise forms.ValidationError(_("There is no player of this name."))
        return player

    def build_arguments(self) -> tuple[Any, ...]:
        return self.cleaned_data["seat"], self.cleaned_data["player"]


class GiveBackForm(SeatActForm):
    """Return of a seat to the replaced player."""

    title = gettext_lazy("Give a seat back")
    service = moderation.give_back


class LadderForm(SeatActForm):
    """Treatment of a seat as timed out."""

    title = gettext_lazy("Treat as lost on time")
    about = gettext_lazy(
        "What was agreed for time-outs happens now: the seat needs a substitute, or it's a loss."
    )
    service = moderation.hand_to_ladder


FORMS: Mapping[str, type[ActForm]] = {
    ActKind.PAUSE: PauseGameForm,
    ActKind.RESUME: ResumeForm,
    ActKind.EXTEND: ExtendTimeForm,
    ActKind.ROLL_BACK: RollBackForm,
    ActKind.ADJUDICATE: AdjudicateForm,
    ActKind.ABORT: AbortForm,
    ActKind.REOPEN: ReopenGameForm,
    ActKind.REPLACE: ReplaceSeatForm,
    ActKind.GIVE_BACK: GiveBackForm,
    ActKind.LADDER: LadderForm,
    ActKind.UNRATE: UnrateForm,
    ActKind.RATE: RateForm,
}
"""Forms by act; URLs have hyphens in place of underscores."""


Bulk = Callable[[ModerationRequest, int], ModerationAct]

BULK: Mapping[str, Bulk] = {
    "pause": lambda asked, seat: moderation.pause(asked),
    "abort": lambda asked, seat: moderation.abort(asked),
    "caretaker": lambda asked, seat: moderation.replace(asked, seat, None),
    "ladder": lambda asked, seat: moderation.hand_to_ladder(asked, seat),
}
"""Acts on all games of a player, each from their seat."""


class BulkForm(forms.Form):
    """An act on all running games of a player."""

    what = forms.ChoiceField(
        label=gettext_lazy("What is done"),
        choices=[
            ("pause", gettext_lazy("Stop all games")),
            ("abort", gettext_lazy("End all games early, unrated")),
            ("caretaker", gettext_lazy("Let the house bot play on")),
            ("ladder", gettext_lazy("Treat the seats as lost on time")),
        ],
        widget=forms.RadioSelect,
    )
    reason = ActForm.base_fields["reason"]
    shown = TextField("shown", widget=forms.HiddenInput, required=False, max_length=20_000)
    """Games that the preview has shown, each with its version."""

    def versions(self) -> dict[int, int]:
        """The version at which each game was shown, by its key, of a valid form."""
        pairs = [part.split(":") for part in self.cleaned_data["shown"].split()]
        return {int(pk): int(version) for pk, version in pairs}

    def clean_shown(self) -> str:
        shown: str = self.cleaned_data["shown"]
        if not re.fullmatch(r"(\d{1,18}:\d{1,9}(?: |\Z))*", shown, re.ASCII):
            raise forms.ValidationError(_("Look at the games first."), code="shown")
        return shown

    def show_anew(self, versions: Mapping[int, int]) -> None:
        """Set the *versions* of the games to confirm."""
        self.data = self.data.copy()  # type: ignore[attr-defined]
        self.data["shown"] = " ".join(f"{pk}:{version}" for pk, version in versions.items())  # type: ignore[index]

    def act(self, seat: int) -> Callable[[ModerationRequest], ModerationAct]:
        """Return the act on a game in which the player has that *seat*, of a valid form."""
        do = BULK[self.cleaned_data["what"]]
        return lambda asked: do(asked, seat)
