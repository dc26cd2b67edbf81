"""Page that compares expectations of the ratings with results (RATE-7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings import calibration_months
from ratings.pages.calibration_chart import draw_calibration_chart
from ratings.skill import TENTHS, Calibration, Share


class Tenth(NamedTuple):
    """Row of the games whose expectation lies within one tenth."""

    name: str
    games: int
    expected: str
    actual: str
    interval: str


class Loss(NamedTuple):
    """Log loss of one kind of expectations, in nats a game."""

    name: str
    loss: str


class FirstSeat(NamedTuple):
    """Share of the first seat in all rated duels."""

    games: int
    expected: str
    actual: str
    interval: str


@dataclass(frozen=True, slots=True)
class CalibrationPage:
    games: int
    tenths: tuple[Tenth, ...]
    losses: tuple[Loss, ...]
    first_seat: FirstSeat | None
    chart: SafeString


def build_calibration_page() -> CalibrationPage:
    """Build the page over all months. One query."""
    known = calibration_months.load_calibration()
    first = known.first_seat
    return CalibrationPage(
        games=known.games,
        tenths=tuple(_tenth(at, share) for at, share in enumerate(known.tenths)),
        losses=tuple(_losses(known)),
        first_seat=FirstSeat(first.count, *_shares(first)) if first.count else None,
        chart=_chart(known),
    )


def _tenth(at: int, share: Share) -> Tenth:
    name = _("{low} to {high} %").format(low=100 * at // TENTHS, high=100 * (at + 1) // TENTHS)
    return Tenth(name, share.count, *(_shares(share) if share.count else ("–", "–", "–")))


def _shares(share: Share) -> tuple[str, str, str]:
    """Expected and actual share of some games, and the interval of the latter."""
    low, high = share.interval
    between = _("{low} to {high} %").format(low=f"{100 * low:.1f}", high=f"{100 * high:.1f}")
    return _per_cent(share.predicted_share), _per_cent(share.actual_share), between


def _per_cent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}\u00a0%"


def _losses(known: Calibration) -> list[Loss]:
    if known.mean_loss is None or known.mean_elo_loss is None:
        return []
    return [
        Loss(_("The ratings of this site"), f"{known.mean_loss:.4f}"),
        Loss(_("Elo's numbers"), f"{known.mean_elo_loss:.4f}"),
        Loss(_("“Always one half”"), f"{known.half_loss:.4f}"),
    ]


def _chart(known: Calibration) -> SafeString:
    if not known.games:
        return SafeString()
    filled = [share for share in known.tenths if share.count]
    said = "; ".join(
        ngettext(
            "expected {expected}, actual {actual}, in {n} game",
            "expected {expected}, actual {actual}, in {n} games",
            share.count,
        ).format(
            expected=_per_cent(share.predicted_share), actual=_per_cent(share.actual_share), n=share.count
        )
        for share in filled
    )
    drawn = draw_calibration_chart(
        [(share.expected / share.count, share.actual / share.count, *share.interval) for share in filled],
        title=_("Expected and actual results"),
        description=said,
        across=_("expected, in %"),
        up=_("actual, in %"),
    )
    return mark_safe(drawn)  # the drawing escapes its input
