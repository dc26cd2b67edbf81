"""Plans of a player for the next turn."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.rules import Place, action_from_json, planning

from .game import Seat


class PlanDropReason(models.TextChoices):
    """Reason why a plan was not played on its turn; the sentences are in ``games.words.plans``."""

    TAKEN = planning.TAKEN
    UNFIT = planning.UNFIT
    FIGURE = planning.FIGURE
    STANDING = planning.STANDING
    COMPLETION = planning.COMPLETION
    SUSPENDED = "suspended"


class Plans(models.QuerySet[Any]):
    def in_force(self) -> Self:
        """Return the plans whose turn has not come yet."""
        return self.filter(settled=None)


class Plan(models.Model):
    """A turn to be played when its seat draws the tile; a seat's plans are tried in the order of *number*.

    A plan is for the next turn of its seat. When that comes, all plans of the seat are *settled*, with the
    version of the game at which it began: one may be played, those tried before it are dropped with a reason,
    the others expire. Plans are private: no page, mail or list of anybody else shows them, nor the admin.
    """

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="plans", verbose_name=_("seat"))
    number = models.PositiveSmallIntegerField()
    tile = models.CharField(max_length=80, blank=True)  # none: any that may lie like that
    after_x = models.SmallIntegerField(null=True)  # only if a tile has been laid here by then
    after_y = models.SmallIntegerField(null=True)
    action = models.JSONField()  # with the tile that was chosen
    rests_on = (
        models.JSONField()
    )  # by tile, for planning.find_plan_fault; null where only the rules are checked
    schema = models.PositiveSmallIntegerField()  # of both
    made_at = models.PositiveIntegerField()  # the version of the game on which it was made
    created = models.DateTimeField()
    settled = models.PositiveIntegerField(null=True)
    dropped = models.CharField(max_length=10, choices=PlanDropReason, blank=True)
    played = models.PositiveIntegerField(null=True)  # the version of the move

    objects = Plans.as_manager()

    class Meta:
        default_permissions = ()
        ordering: ClassVar = ["seat", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["seat", "number"], condition=Q(settled=None), name="plan_one_per_number"
            ),
            models.CheckConstraint(
                condition=Q(after_x=None, after_y=None) | Q(after_x__isnull=False, after_y__isnull=False),
                name="plan_after_a_cell",
            ),
            models.CheckConstraint(
                condition=Q(dropped__in=["", *PlanDropReason.values]), name="plan_dropped_known"
            ),
            models.CheckConstraint(
                condition=Q(settled=None, dropped="", played=None)
                | Q(settled__gte=F("made_at")) & (Q(dropped="") | Q(played=None)),
                name="plan_settled_once",
            ),
        ]

    def __str__(self) -> str:
        return "a plan"

    __repr__ = __str__

    @property
    def after(self) -> tuple[int, int] | None:
        """The column and row where a tile must have been laid by then."""
        return None if self.after_x is None or self.after_y is None else (self.after_x, self.after_y)

    @property
    def place(self) -> Place:
        """The turn, with the tile that was chosen for it."""
        action = action_from_json(self.action)
        assert isinstance(action, Place)
        return action
