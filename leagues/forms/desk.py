"""Acts of organisers as forms: what is asked, what it would do, and the service that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, time
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.texts import TextField
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.league import LeagueForm, initial_of
from leagues.models import EntryState, Fixture, League, Season
from leagues.pages import desk, effects
from leagues.selectors.leagues import table_people

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

REASON = gettext_lazy("Everyone can read it in the league's log.")


class Act(forms.Form):
    """Something that an organiser does in a *league*, in its *season* that is open or runs, if there is one.

    ``given`` is what the service takes besides who, why and when.
    """

    title: ClassVar[StrOrPromise]
    button: ClassVar[StrOrPromise]
    done: ClassVar[StrOrPromise]
    needs_season = False
    needs_reason = True
    service: ClassVar[Callable[..., object]]

    reason = TextField("reason", label=gettext_lazy("Reason"), help_text=REASON)

    def __init__(
        self,
        league: League,
        season: Season | None,
        who: Player,
        about: Mapping[str, str],
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.league, self.season, self.who, self.about = league, season, who, about
        super().__init__(data)
        self.set_up()
        if self.needs_reason:
            self.order_fields([name for name in self.fields if name != "reason"])
        else:
            del self.fields["reason"]

    def set_up(self) -> None:
        """Fit the fields to what the act is about."""

    @property
    def introduction(self) -> list[str]:
        """What the act is about, before anything is asked."""
        return []

    def effects(self) -> list[str]:
        """What would happen, of a valid form.

        :raises LeagueRefused: it can't
        """
        return []

    def given(self) -> dict[str, Any]:
        """What the service takes."""
        return {"league": self.league}

    def perform(self, now: datetime) -> None:
        """Do it.

        :raises LeagueRefused: it can't be done
        """
        given = self.given() | ({"reason": self.cleaned_data["reason"]} if self.needs_reason else {})
        type(self).service(who=self.who, now=now, **given)

    def running(self) -> Season:
        """The season that the act is about.

        :raises LeagueRefused: there is none
        """
        if self.season is None:
            raise LeagueRefused("not_running")
        return self.season


def player_called(name: str) -> Player:
    """The player of this *name*, whatever capitals it is written with.

    :raises ValidationError: there is none who could play
    """
    player = Player.objects.called(name).filter(is_active=True, is_bot=False).first()
    if player is None:
        raise forms.ValidationError(_("There is no player of this name."))
    return player


class SettleForm(Act):
    """How a game counts: a rank for each player, or as it was played."""

    title = gettext_lazy("Settle a game")
    button = gettext_lazy("Settle the game")
    done = gettext_lazy("The game is settled.")
    needs_season = True
    service = seasons.settle
    RANKED, PLAYED = "ranked", "played"

    how = forms.ChoiceField(
        label=gettext_lazy("How it counts"),
        choices=[
            (RANKED, gettext_lazy("By the ranks given here, without a score")),
            (PLAYED, gettext_lazy("As it was played to its end")),
        ],
        widget=forms.RadioSelect,
        initial=RANKED,
    )

    def set_up(self) -> None:
        asked = self.about.get("game", "")
        fixtures = Fixture.objects.select_related("game", "match__division__season")
        theirs = fixtures.filter(match__division__season__league=self.league)
        found = theirs.filter(pk=asked).first() if asked.isdecimal() and len(asked) < 10 else None
        if found is None:
            raise LeagueRefused("no_game")
        self.fixture = found
        self.players = table_people(found)
        now = {seat["player"]: seat["rank"] for seat in found.seats or ()}
        ranks = [("", _("choose a rank")), *((str(n), str(n)) for n in range(1, len(self.players) + 1))]
        for player in self.players:
            self.fields[f"rank_{player.pk}"] = forms.TypedChoiceField(
                label=_("Rank of {player}").format(player=player),
                choices=ranks,
                coerce=int,
                initial=now.get(player.pk),
                required=False,  # as it was played it has ranks of its own
            )
        last = f"rank_{self.players[-1].pk}"
        self.fields[last].help_text = _(
            "1 is first; players who tie share a rank. All last means nobody won."
        )

    @property
    def ranks(self) -> dict[int, int] | None:
        if self.cleaned_data["how"] == self.PLAYED:
            return None
        return {player.pk: self.cleaned_data[f"rank_{player.pk}"] or 0 for player in self.players}

    @property
    def introduction(self) -> list[str]:
        return desk.about_fixture(self.fixture, self.players)

    def effects(self) -> list[str]:
        return effects.settle(self.fixture, self.ranks, self.who)

    def given(self) -> dict[str, Any]:
        return {"fixture_id": self.fixture.pk, "ranks": self.ranks}


class ReplaceForm(Act):
    """Who leaves, and who plays on."""

    title = gettext_lazy("Let a substitute play on")
    button = gettext_lazy("Let them play on")
    done = gettext_lazy("The substitute plays on.")
    needs_season = True
    service = seasons.replace

    leaving = forms.ChoiceField(label=gettext_lazy("Leaving player"))
    substitute = TextField(
        "search",
        label=gettext_lazy("New player"),
        max_length=60,
        help_text=gettext_lazy("By name."),
    )

    def set_up(self) -> None:
        season = self.running()
        entries = season.entries.exclude(division=None).filter(replaced_by=None).select_related("player")
        self.leavers = {str(entry.player_id): entry.player for entry in entries.order_by("player__username")}
        self.fields["leaving"].choices = [(pk, str(one)) for pk, one in self.leavers.items()]  # type: ignore[attr-defined]
        self.fields["leaving"].initial = self.about.get("player")
        ready = [str(one.player) for one in season.waiting.filter(substitute=True).select_related("player")]
        if ready:
            self.fields["substitute"].initial = ready[0]
            told = _("Ready, in the order they signed up: {names}.").format(names=", ".join(ready[:20]))
            self.fields["substitute"].help_text = told

    def clean_substitute(self) -> Player:
        return player_called(self.cleaned_data["substitute"])

    def effects(self) -> list[str]:
        leaving = self.leavers[self.cleaned_data["leaving"]]
        return effects.replace(self.running(), leaving, self.cleaned_data["substitute"])

    def given(self) -> dict[str, Any]:
        leaving = self.leavers[self.cleaned_data["leaving"]]
        substitute = self.cleaned_data["substitute"]
        return {"season_id": self.running().pk, "leaving": leaving, "substitute": substitute}


class AdmitForm(Act):
    """Who joins a season that runs."""

    title = gettext_lazy("Let somebody join")
    button = gettext_lazy("Let them join")
    done = gettext_lazy("They're playing from now on.")
    needs_season = True
    service = seasons.admit

    name = TextField("search", label=gettext_lazy("Name of the player"), max_length=60)

    def set_up(self) -> None:
        self.fields["name"].initial = self.about.get("name")

    def clean_name(self) -> Player:
        return player_called(self.cleaned_data["name"])

    def effects(self) -> list[str]:
        return effects.admit(self.running(), self.cleaned_data["name"], timezone.now())

    def given(self) -> dict[str, Any]:
        return {"season_id": self.running().pk, "player": self.cleaned_data["name"]}


class ExtendForm(Act):
    """The last day of a season."""

    title = gettext_lazy("Extend the season")
    button = gettext_lazy("Move the end")
    done = gettext_lazy("The season ends later.")
    needs_season = True
    service = seasons.extend

    ends = forms.DateField(
        label=gettext_lazy("The season ends on"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def set_up(self) -> None:
        self.fields["ends"].initial = timezone.localtime(self.running().ends).date()

    @property
    def instant(self) -> datetime:
        """The chosen day at the time of day at which the season would have ended."""
        then: time = timezone.localtime(self.running().ends).time()
        return timezone.make_aware(datetime.combine(self.cleaned_data["ends"], then))

    def effects(self) -> list[str]:
        if self.instant <= self.running().ends:
            raise LeagueRefused("not_later")
        return effects.extend(self.running(), self.instant)

    def given(self) -> dict[str, Any]:
        return {"season_id": self.running().pk, "ends": self.instant}


class AnnounceForm(Act):
    """What everybody is told."""

    title = gettext_lazy("Announce something")
    button = gettext_lazy("Announce it")
    done = gettext_lazy("It's on the league's page.")
    needs_reason = False
    service = seasons.announce

    text = TextField(
        "announcement",
        label=gettext_lazy("What everyone should know"),
        widget=forms.Textarea,
    )

    def effects(self) -> list[str]:
        return [
            _("It will be on the league's page for everyone to read, and you can't change it afterwards.")
        ]

    def given(self) -> dict[str, Any]:
        return {"league": self.league, "text": self.cleaned_data["text"]}


class NameOrganiserForm(Act):
    """Who organises a league besides."""

    title = gettext_lazy("Name an organiser")
    button = gettext_lazy("Name them")
    done = gettext_lazy("They now organise this league, too.")
    service = seasons.name_organiser

    name = TextField("search", label=gettext_lazy("Name of the player"), max_length=60)

    def clean_name(self) -> Player:
        return player_called(self.cleaned_data["name"])

    def effects(self) -> list[str]:
        told = _("{player} will be able to do everything at this desk, and remove other organisers.")
        return [told.format(player=self.cleaned_data["name"])]

    def given(self) -> dict[str, Any]:
        return {"league": self.league, "player": self.cleaned_data["name"]}


class RemoveOrganiserForm(Act):
    """Who organises a league no more."""

    title = gettext_lazy("Remove an organiser")
    button = gettext_lazy("Remove them")
    done = gettext_lazy("They no longer organise this league.")
    service = seasons.remove_organiser

    player = forms.ChoiceField(label=gettext_lazy("Organiser"))

    def set_up(self) -> None:
        self.named = {str(one.pk): one for one in self.league.organisers.order_by("username")}
        self.fields["player"].choices = [(pk, str(one)) for pk, one in self.named.items()]  # type: ignore[attr-defined]

    def effects(self) -> list[str]:
        if len(self.named) == 1:
            raise LeagueRefused("last_organiser")
        told = _("{player} will no longer have access to this desk.")
        return [told.format(player=self.named[self.cleaned_data["player"]])]

    def given(self) -> dict[str, Any]:
        return {"league": self.league, "player": self.named[self.cleaned_data["player"]]}


class CancelForm(Act):
    """A season does not begin."""

    title = gettext_lazy("Cancel the season")
    button = gettext_lazy("Cancel it")
    done = gettext_lazy("The season is cancelled.")
    needs_season = True
    service = seasons.cancel_season

    def effects(self) -> list[str]:
        players = self.running().entries.filter(state=EntryState.REGISTERED).count()
        return [
            _("The season won't start. Players registered: {n}.").format(n=players),
            _(
                "No season opens until an organiser opens one by hand. Players registered now "
                "will be registered then."
            ),
        ]

    def given(self) -> dict[str, Any]:
        return {"season_id": self.running().pk}


class OpenForm(Act):
    """The next season opens by hand."""

    title = gettext_lazy("Open the next season")
    button = gettext_lazy("Open it")
    done = gettext_lazy("Registration is open.")
    service = seasons.open_next

    def effects(self) -> list[str]:
        days = self.league.settings.registration.days
        return [
            _("Registration opens, and the season starts in {n} days.").format(n=days),
            _("Players registered last, or staying after the last season, are registered."),
        ]


class CloseForm(Act):
    """No season opens any more."""

    title = gettext_lazy("Close the league")
    button = gettext_lazy("Close it")
    done = gettext_lazy("The league is closed.")
    service = seasons.close_league

    def effects(self) -> list[str]:
        return [
            _(
                "A season that is open or in progress goes on to its end. After that, none opens "
                "automatically."
            ),
            _("An organiser can open a season by hand, and the league with it."),
        ]


class EditForm(LeagueForm, Act):
    """What is agreed for seasons to come."""

    title = gettext_lazy("Change text and settings")
    button = gettext_lazy("Change them")
    done = gettext_lazy("It applies to future seasons.")
    service = seasons.edit

    def set_up(self) -> None:
        named = {"name": self.league.name, "text": self.league.text}
        self.initial = named | initial_of(self.league.settings)
        self.fields["name"].kept = self.league.name  # type: ignore[attr-defined]

    def effects(self) -> list[str]:
        return [
            _("The name and text change at once. A season that is open or in progress keeps its settings.")
        ]

    def given(self) -> dict[str, Any]:
        named = {key: self.cleaned_data[key] for key in ("name", "text")}
        return {"league": self.league, "settings": self.settings, **named}


ACTS: Mapping[str, type[Act]] = {
    "settle": SettleForm,
    "replace": ReplaceForm,
    "admit": AdmitForm,
    "extend": ExtendForm,
    "announce": AnnounceForm,
    "name-organiser": NameOrganiserForm,
    "remove-organiser": RemoveOrganiserForm,
    "cancel": CancelForm,
    "open": OpenForm,
    "close": CloseForm,
    "edit": EditForm,
}
"""By the last part of their addresses."""
