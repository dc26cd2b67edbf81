"""Forms of teams: founding, invitations and line-ups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.texts import TextField
from leagues.exceptions import LeagueRefused
from leagues.models import TeamMember


class TeamForm(forms.Form):
    """A team to found."""

    name = TextField("team", label=gettext_lazy("Name of the team"))


class TeamInviteForm(forms.Form):
    """An invitation to a team."""

    name = TextField("search", label=gettext_lazy("Name of the player"), max_length=150)


class SuccessorForm(forms.Form):
    """Choice of who follows a captain who leaves; *successors* in the order in which they are suggested."""

    captain = forms.ModelChoiceField(
        Player.objects.none(), label=gettext_lazy("Who leads your team after you?"), empty_label=None
    )

    def __init__(self, data: Any, *, successors: Sequence[Player]) -> None:
        super().__init__(data, initial={"captain": successors[0]})
        keys = [player.pk for player in successors]
        self.fields["captain"].queryset = Player.objects.filter(pk__in=keys)  # type: ignore[attr-defined]


class LineUpForm(forms.Form):
    """A player for each board: ``players`` by primary key, the first board first."""

    def __init__(
        self,
        data: Any,
        *,
        members: Iterable[TeamMember],
        now: Sequence[int | None],
    ) -> None:
        """Build a choice from *members* for each board; *now* is the current line-up."""
        super().__init__(data)
        choices = [("", _("nobody")), *((member.player_id, _label(member)) for member in members)]
        for number, player in enumerate(now, start=1):
            self.fields[f"board_{number}"] = forms.TypedChoiceField(
                label=_("Board {n}").format(n=number),
                choices=choices,
                coerce=int,
                initial=player,
                error_messages={"required": LeagueRefused("line_up_number").message},
            )

    @property
    def players(self) -> list[int]:
        return [self.cleaned_data[name] for name in self.fields]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        seen: set[int] = set()
        for name, player in list(given.items()):
            if player in seen:
                self.add_error(name, LeagueRefused("line_up_twice").message)
            seen.add(player)
        return given


def _label(member: TeamMember) -> str:
    name = str(member.player)
    return name if member.available else _("{name} (can't play)").format(name=name)
