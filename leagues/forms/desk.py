"""Acts of organisers as forms: their fields, effects and services."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.texts import TextField
from core.numerals import MINUS, parse_key
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms import effects, extension
from leagues.forms.league import NOON, LeagueForm, build_initial
from leagues.models import Division, Entry, EntryState, Fixture, League, Phase, Season, Team
from leagues.seasons.extending import ExtensionPlan, SeasonPart, plan_extension
from leagues.seasons.organisers import compute_version
from leagues.seasons.penalties import MOST_PENALTY, PENALTY_STEP, list_punishable
from leagues.seasons.seeding import MOST_PLACED, list_seedable
from leagues.selectors.desk import describe_fixture, list_decisions, list_undecided_games, name_fixture
from leagues.selectors.leagues import load_fixture_players
from leagues.words.criteria import format_number

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

REASONS = ("reason", "private_reason")

MOST_DAYS = 400
"""Maximum number of days of an extension: the length of the longest season."""

REASON = gettext_lazy("Everyone can read it in the league's log.")


class OrganiserActForm(forms.Form):
    """An act of an organiser in a *league*, or in its open or running *season*, if there is one.

    ``build_arguments`` returns the arguments of the service apart from who, why and when.
    """

    title: ClassVar[StrOrPromise]
    button: ClassVar[StrOrPromise]
    done: ClassVar[StrOrPromise]
    needs_reason = True
    service: ClassVar[Callable[..., object]]

    reason = TextField("reason", label=gettext_lazy("Reason"), help_text=REASON)
    private_reason = TextField(
        "reason",
        label=gettext_lazy("Private reason"),
        help_text=gettext_lazy("Only organisers can read it, for example that someone is ill."),
        required=False,
    )

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
            self.order_fields([name for name in self.fields if name not in REASONS])
        else:
            for name in REASONS:
                del self.fields[name]

    def set_up(self) -> None:
        """Adapt the fields to the subject of the act."""

    @property
    def introduction(self) -> list[str]:
        """Describe the subject of the act, above the fields."""
        return []

    def effects(self) -> list[str]:
        """Describe the effects of a valid form.

        :raises LeagueRefused: the act is refused
        """
        return []

    def build_arguments(self) -> dict[str, Any]:
        """Return the arguments of the service."""
        return {"league": self.league}

    def summarize(self) -> str:
        """Return a digest of the effects, which must be the same at the preview and the confirmation.

        :raises LeagueRefused: the act is refused
        """
        return hashlib.sha256("\n".join(self.effects()).encode()).hexdigest()[:16]

    def preview(self) -> str:
        """Return the version of the preview, which is sent with the confirmation.

        :raises LeagueRefused: the act is refused
        """
        return f"{compute_version(self.league)}.{self.summarize()}"

    def perform(self, version: str, now: datetime) -> None:
        """Perform the act if it is the previewed *version*.

        :raises LeagueRefused: the act is refused, or differs from the preview by now
        """
        league_version, _dot, summary = version.partition(".")
        if summary != self.summarize():
            raise LeagueRefused("stale")
        given = self.build_arguments() | (
            {"reason": self.cleaned_data["reason"]} if self.needs_reason else {}
        )
        seasons.confirm(
            partial(type(self).service, who=self.who, now=now, **given),
            league=self.league,
            version=league_version,
            who=self.who,
            now=now,
            private_reason=self.cleaned_data.get("private_reason", ""),
        )

    def offer_players(self, name: str, players: QuerySet[Player]) -> None:
        """Offer *players* in the field of this *name*, with the subject of the act selected."""
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset, field.initial = players.order_by("username"), self.about.get("player")

    def running(self) -> Season:
        """Return the season of the act.

        :raises LeagueRefused: there is none
        """
        if self.season is None:
            raise LeagueRefused("not_running")
        return self.season


def choose_player(label: StrOrPromise) -> forms.ModelChoiceField:
    """Return a field for one of the players set by :meth:`OrganiserActForm.offer_players`."""
    return forms.ModelChoiceField(Player.objects.none(), label=label, empty_label=None)


def get_player_by_name(name: str) -> Player:
    """Return the player of this *name*, in any case.

    :raises ValidationError: there is no such player, or they can't play
    """
    player = Player.objects.called(name).filter(is_active=True, is_bot=False, provisional=False).first()
    if player is None:
        raise forms.ValidationError(_("There is no player of this name."))
    return player


class SettleForm(OrganiserActForm):
    """Decision how a game counts: a rank for each player, or as it was played."""

    title = gettext_lazy("Settle a game")
    button = gettext_lazy("Settle the game")
    done = gettext_lazy("The game is settled.")
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
        fixtures = Fixture.objects.select_related("game", "match__division__season")
        theirs = fixtures.filter(match__division__season__league=self.league)
        found = theirs.filter(pk=parse_key(self.about.get("game"))).first()
        if found is None:
            raise LeagueRefused("no_game")
        self.fixture = found
        self.players = load_fixture_players(found)
        now = {seat["player"]: seat["rank"] for seat in found.seats or ()}
        ranks = [("", _("choose a rank")), *((str(n), str(n)) for n in range(1, len(self.players) + 1))]
        for player in self.players:
            self.fields[f"rank_{player.pk}"] = forms.TypedChoiceField(
                label=_("Rank of {player}").format(player=player),
                choices=ranks,
                coerce=int,
                initial=now.get(player.pk),
                required=False,  # the result as played has ranks of its own
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
        return describe_fixture(self.fixture, self.players)

    @property
    def match_to_extend(self) -> int | None:
        """The primary key of its match, which can have more time instead."""
        game = self.fixture.game
        return self.fixture.match_id if game is not None and not game.ended else None

    def effects(self) -> list[str]:
        return effects.describe_settling(self.fixture, self.ranks, self.who)

    def build_arguments(self) -> dict[str, Any]:
        return {"fixture_id": self.fixture.pk, "ranks": self.ranks}


class SettleSeveralForm(OrganiserActForm):
    """Decisions on several games that wait for one; those without a choice go on waiting."""

    title = gettext_lazy("Settle undecided games")
    button = gettext_lazy("Settle these games")
    done = gettext_lazy("The games are settled.")
    service = seasons.settle_several

    def set_up(self) -> None:
        self.fixtures = {fixture.pk: fixture for fixture in list_undecided_games(self.running())}
        if not self.fixtures:
            raise LeagueRefused("nothing_undecided")
        for fixture in self.fixtures.values():
            offered = {
                ",".join(f"{player}-{rank}" for player, rank in ranks.items()): said
                for said, ranks in list_decisions(fixture)
            }
            self.fields[f"game_{fixture.pk}"] = forms.ChoiceField(
                label=name_fixture(fixture),
                choices=[("", _("Decide later")), *offered.items()],
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        if not any(self.decisions.values()):
            raise forms.ValidationError(_("Choose a result for at least one game."))
        return self.cleaned_data

    @property
    def decisions(self) -> dict[int, dict[int, int]]:
        """The chosen ranks by primary key of the fixture and of the player."""
        chosen = {pk: self.cleaned_data.get(f"game_{pk}", "") for pk in self.fixtures}
        return {
            pk: {int(player): int(rank) for player, rank in (one.split("-") for one in choice.split(","))}
            for pk, choice in chosen.items()
            if choice
        }

    def effects(self) -> list[str]:
        return [
            f"{name_fixture(self.fixtures[pk])}: {told}"
            for pk, ranks in self.decisions.items()
            for told in effects.describe_settling(self.fixtures[pk], ranks, self.who)
        ]

    def build_arguments(self) -> dict[str, Any]:
        return {"decisions": self.decisions}


class ReplacePlayerForm(OrganiserActForm):
    """Choice of a player who leaves, and of a substitute."""

    title = gettext_lazy("Let a substitute play on")
    button = gettext_lazy("Let them play on")
    done = gettext_lazy("The substitute plays on.")
    service = seasons.replace

    leaving = choose_player(gettext_lazy("Leaving player"))
    substitute = TextField(
        "search",
        label=gettext_lazy("New player"),
        max_length=60,
        help_text=gettext_lazy("By name."),
    )

    def set_up(self) -> None:
        season = self.running()
        entries = season.entries.exclude(division=None).filter(replaced_by=None)
        self.offer_players("leaving", Player.objects.filter(entries__in=entries))
        ready = [str(one.player) for one in season.waiting.filter(substitute=True).select_related("player")]
        if ready:
            self.fields["substitute"].initial = ready[0]
            told = _("Ready, in the order they signed up: {names}.").format(names=", ".join(ready[:20]))
            self.fields["substitute"].help_text = told

    def clean_substitute(self) -> Player:
        return get_player_by_name(self.cleaned_data["substitute"])

    def effects(self) -> list[str]:
        return effects.describe_replacing(self.running(), **self._players())

    def build_arguments(self) -> dict[str, Any]:
        return {"season_id": self.running().pk, **self._players()}

    def _players(self) -> dict[str, Player]:
        return {name: self.cleaned_data[name] for name in ("leaving", "substitute")}


class TakeOutForm(OrganiserActForm):
    """Choice of a player to take out of a season."""

    title = gettext_lazy("Take a player out")
    button = gettext_lazy("Take them out")
    done = gettext_lazy("They no longer play this season.")
    service = seasons.take_out_player

    player = choose_player(gettext_lazy("Player"))

    def set_up(self) -> None:
        entries = self.running().entries.exclude(state=EntryState.WITHDRAWN)
        self.offer_players("player", Player.objects.filter(entries__in=entries))

    def effects(self) -> list[str]:
        return effects.describe_taking_out(self.running(), self.cleaned_data["player"])

    def build_arguments(self) -> dict[str, Any]:
        return {"season_id": self.running().pk, "player": self.cleaned_data["player"]}


class AdmitForm(OrganiserActForm):
    """Choice of a player to admit to a running season."""

    title = gettext_lazy("Let somebody join")
    button = gettext_lazy("Let them join")
    done = gettext_lazy("They're playing from now on.")
    service: ClassVar[Callable[..., object]] = seasons.admit

    name = TextField("search", label=gettext_lazy("Name of the player"), max_length=60)

    def set_up(self) -> None:
        self.fields["name"].initial = self.about.get("name")

    def clean_name(self) -> Player:
        return get_player_by_name(self.cleaned_data["name"])

    def effects(self) -> list[str]:
        return effects.describe_admitting(self.running(), self.cleaned_data["name"], timezone.now())

    def build_arguments(self) -> dict[str, Any]:
        return {"season_id": self.running().pk, "player": self.cleaned_data["name"]}


class AcceptForm(AdmitForm):
    """Choice of a player to register, of those who wait for a place."""

    title = gettext_lazy("Let somebody register")
    done = gettext_lazy("They're registered.")
    needs_reason = False
    service = seasons.accept

    def effects(self) -> list[str]:
        return [_("{player} is registered for the season.").format(player=self.cleaned_data["name"])]


class ExtendForm(OrganiserActForm):
    """Extension of a part of a season (STAND-16)."""

    title = gettext_lazy("Give more time")
    button = gettext_lazy("Move the end")
    done = gettext_lazy("It ends later now, and we've told the players.")
    service = seasons.extend

    part = forms.ChoiceField(label=gettext_lazy("What should end later"), widget=forms.RadioSelect)
    days = forms.IntegerField(label=gettext_lazy("By how many days"), min_value=1, max_value=MOST_DAYS)

    def set_up(self) -> None:
        choices = list(extension.list_choices(self.running(), self.about.get("match", "")))
        field = self.fields["part"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(str(one.part), one.label) for one in choices]
        field.initial = str(choices[0].part if "match" in self.about else choices[-1].part)

    @property
    def plan(self) -> ExtensionPlan:
        """The plan of the extension.

        :raises LeagueRefused: the extension is refused
        """
        return plan_extension(self.running(), **self._read_extension(), now=timezone.now())

    def effects(self) -> list[str]:
        return extension.describe_extension(self.plan)

    def summarize(self) -> str:
        return self.plan.version  # the number of recipients may change meanwhile

    def build_arguments(self) -> dict[str, Any]:
        return {"season_id": self.running().pk, **self._read_extension(), "version": self.plan.version}

    def _read_extension(self) -> dict[str, Any]:
        part, days = SeasonPart.parse(self.cleaned_data["part"]), self.cleaned_data["days"]
        return {"part": part, "by": timedelta(days=days)}


class AnnounceForm(OrganiserActForm):
    """Announcement to everybody."""

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

    def build_arguments(self) -> dict[str, Any]:
        return {"league": self.league, "text": self.cleaned_data["text"]}


class NameOrganiserForm(OrganiserActForm):
    """Choice of another organiser."""

    title = gettext_lazy("Name an organiser")
    button = gettext_lazy("Name them")
    done = gettext_lazy("They now organise this league, too.")
    service = seasons.name_organiser

    name = TextField("search", label=gettext_lazy("Name of the player"), max_length=60)

    def clean_name(self) -> Player:
        return get_player_by_name(self.cleaned_data["name"])

    def effects(self) -> list[str]:
        told = _("{player} will be able to do everything at this desk, and remove other organisers.")
        return [told.format(player=self.cleaned_data["name"])]

    def build_arguments(self) -> dict[str, Any]:
        return {"league": self.league, "player": self.cleaned_data["name"]}


class RemoveOrganiserForm(OrganiserActForm):
    """Choice of an organiser to remove."""

    title = gettext_lazy("Remove an organiser")
    button = gettext_lazy("Remove them")
    done = gettext_lazy("They no longer organise this league.")
    service = seasons.remove_organiser

    player = choose_player(gettext_lazy("Organiser"))

    def set_up(self) -> None:
        self.offer_players("player", Player.objects.filter(pk__in=self.league.organisers.all()))

    def effects(self) -> list[str]:
        if self.league.organisers.count() == 1:
            raise LeagueRefused("last_organiser")
        return [
            _("{player} will no longer have access to this desk.").format(player=self.cleaned_data["player"])
        ]

    def build_arguments(self) -> dict[str, Any]:
        return {"league": self.league, "player": self.cleaned_data["player"]}


class CancelForm(OrganiserActForm):
    """Cancellation of a season before it begins."""

    title = gettext_lazy("Cancel the season")
    button = gettext_lazy("Cancel it")
    done = gettext_lazy("The season is cancelled.")
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

    def build_arguments(self) -> dict[str, Any]:
        return {"season_id": self.running().pk}


class OpenForm(OrganiserActForm):
    """Opening of the next season by hand."""

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


class CloseLeagueForm(OrganiserActForm):
    """Closing of a league: no further season opens."""

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


class EditForm(LeagueForm, OrganiserActForm):
    """Name, text and settings of a league for seasons to come."""

    title = gettext_lazy("Change text and settings")
    button = gettext_lazy("Change them")
    done = gettext_lazy("The settings have been changed.")
    service = seasons.edit

    def set_up(self) -> None:
        named = {"name": self.league.name, "text": self.league.text}
        self.initial = named | build_initial(self.league.settings)
        if self.mends_season and self.season is not None:
            begins = timezone.localtime(self.season.begins)
            self.initial["begins"] = begins.date() if begins.time() == NOON else None
        else:
            del self.fields["begins"]
        name = self.fields["name"]
        assert isinstance(name, TextField)
        name.kept = self.league.name

    @property
    def mends_season(self) -> bool:
        """Return whether an open season follows the settings, as nobody has registered yet."""
        season = self.season
        return season is not None and season.phase == Phase.REGISTRATION and seasons.is_untouched(season)

    def effects(self) -> list[str]:
        if self.mends_season:
            return [_("All of it changes at once, for the open season, too: nobody has registered yet.")]
        return [
            _("The name and text change at once. A season that is open or in progress keeps its settings.")
        ]

    def build_arguments(self) -> dict[str, Any]:
        named = {key: self.cleaned_data[key] for key in ("name", "text")}
        begins = self.first_beginning if "begins" in self.fields else None
        if begins is None and self.initial.get("begins") and self.season and self.settings:
            begins = self.season.opened + self.settings.registration  # the chosen day was cleared
        return {"league": self.league, "settings": self.settings, "begins": begins, **named}


class SeedForm(OrganiserActForm):
    """Seeds put in order by hand: numbers of the placed ones; the others follow."""

    title = gettext_lazy("Put the seeds in order")
    button = gettext_lazy("Set the order")
    done = gettext_lazy("The order is set.")
    service = seasons.put_seeds_in_order

    def set_up(self) -> None:
        there = list_seedable(self.running())
        if not there or len(there) > MOST_PLACED:
            raise LeagueRefused("no_seeds" if not there else "too_many_seeds", n=MOST_PLACED)
        for one in there:
            self.fields[f"seed_{one.pk}"] = forms.IntegerField(
                label=str(one.player if isinstance(one, Entry) else one),
                min_value=1,
                max_value=len(there),
                required=False,
                initial=one.placed,
            )

    @property
    def introduction(self) -> list[str]:
        return [
            _("Number the ones you want to place, from 1. Everyone else follows as the league says."),
            _("Players who've blocked each other may still change places with others when we draw."),
        ]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        numbers = [number for number in self._numbers().values() if number]
        if len(set(numbers)) < len(numbers):
            raise forms.ValidationError(_("Two can't have the same number."))
        return given

    def _numbers(self) -> dict[int, int | None]:
        fields = [name for name in self.fields if name.startswith("seed_")]
        return {int(name.removeprefix("seed_")): self.cleaned_data.get(name) for name in fields}

    def _order(self) -> list[int]:
        numbers = {key: number for key, number in self._numbers().items() if number}
        return sorted(numbers, key=lambda key: numbers[key])

    def effects(self) -> list[str]:
        names = [str(self.fields[f"seed_{key}"].label) for key in self._order()]
        if not names:
            return [_("You haven't numbered anyone: the usual starting order applies.")]
        return [f"{place}. {name}" for place, name in enumerate(names, start=1)]

    def build_arguments(self) -> dict[str, Any]:
        return {"season_id": self.running().pk, "order": self._order()}


class ContenderField(forms.ModelChoiceField):
    """Choice of a player or a team, labelled with current penalty points."""

    def label_from_instance(self, obj: Entry | Team) -> str:
        if not obj.penalty:
            return obj.name
        return f"{obj.name} ({MINUS}{format_number(str(obj.penalty))})"


class PenaltyForm(OrganiserActForm):
    """Penalty points of a player or team, also after a season; 0 lifts them."""

    title = gettext_lazy("Set penalty points")
    button = gettext_lazy("Set them")
    done = gettext_lazy("The penalty points are set, and we've told the players.")
    service = seasons.set_penalty

    contender = ContenderField(Entry.objects.none(), empty_label=None)
    points = forms.DecimalField(
        label=gettext_lazy("Penalty points"),
        min_value=0,
        max_value=MOST_PENALTY,
        decimal_places=1,
        step_size=PENALTY_STEP,
        help_text=gettext_lazy("We take them off the points in the table. 0 lifts a penalty."),
    )

    def set_up(self) -> None:
        asked = self.about.get("division")
        division = self._find_division(asked) if asked is not None else None
        season = division.season if division is not None else self.running()
        there = list_punishable(season)
        if division is not None:
            there = there.filter(division=division)
        chosen = self.fields["contender"]
        assert isinstance(chosen, ContenderField)
        chosen.queryset = there
        chosen.label = season.contenders.name

    def _find_division(self, asked: str) -> Division:
        divisions = Division.objects.filter(season__league=self.league).select_related("season")
        found = divisions.filter(pk=parse_key(asked)).first()
        if found is None:
            raise LeagueRefused("no_points")
        return found

    def effects(self) -> list[str]:
        contender, points = (self.cleaned_data[name] for name in ("contender", "points"))
        return effects.describe_penalty(contender, points, self.who)

    def build_arguments(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("contender", "points")}


ACTS: Mapping[str, type[OrganiserActForm]] = {
    "seeds": SeedForm,
    "settle": SettleForm,
    "settle-several": SettleSeveralForm,
    "replace": ReplacePlayerForm,
    "take-out": TakeOutForm,
    "penalty": PenaltyForm,
    "accept": AcceptForm,
    "admit": AdmitForm,
    "extend": ExtendForm,
    "announce": AnnounceForm,
    "name-organiser": NameOrganiserForm,
    "remove-organiser": RemoveOrganiserForm,
    "cancel": CancelForm,
    "open": OpenForm,
    "close": CloseLeagueForm,
    "edit": EditForm,
}
"""Forms by the last part of their URLs."""
