"""Time zones from the pinned package ``tzdata`` alone, whatever data the system has.

``zoneinfo`` prefers the system's files, which are older on many machines: deadlines and mails would be an
hour off where a government has moved its clocks since. ``carcassonne`` calls ``use_pinned_data`` before
anything else of the site is imported, in every kind of process.
"""

import zoneinfo
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import tzdata

NO_PLACES = frozenset({"Factory", "localtime", "posixrules"})
"""Names in some data that are no zone of any place: fillers, and whatever the machine is set to."""


def use_pinned_data() -> None:
    """Let ``zoneinfo`` read zones from ``tzdata`` alone, and forget those already read from elsewhere."""
    zoneinfo.reset_tzpath(to=())
    ZoneInfo.clear_cache()


def uses_pinned_data() -> bool:
    """Return whether ``zoneinfo`` reads zones from ``tzdata`` alone."""
    return not zoneinfo.TZPATH


def get_data_version() -> str:
    """Return the release of the pinned data, such as "2026f"."""
    version: str = tzdata.IANA_VERSION
    return version


@cache
def list_zones() -> frozenset[str]:
    """Return the names of all zones of the data, with their aliases."""
    return frozenset(zoneinfo.available_timezones()) - NO_PLACES


@lru_cache(maxsize=1024)
def load_zone(name: str) -> ZoneInfo:
    """Return the zone *name*; UTC if the data have lost it since it was stored, or it is of no place."""
    return ZoneInfo(name if name in list_zones() else "UTC")


@cache
def list_places() -> tuple[str, ...]:
    """Return the zones of places in order, each place once (``zone.tab``)."""
    rows = (line.split("\t") for line in _read_lines("zone.tab") if not line.startswith("#"))
    return tuple(sorted(row[2] for row in rows))


@cache
def list_aliases() -> dict[str, str]:
    """Return further names of places, with the place: browsers report some, such as Asia/Calcutta."""
    links = [line.split() for line in _read_lines("tzdata.zi") if line.startswith("L ")]  # L place alias
    places = {place: place for place in list_places()}
    targets = {alias: target for _, target, alias in links} | places
    aliases = {alias: targets.get(target, "") for alias, target in targets.items() if alias not in places}
    return {alias: place for alias, place in aliases.items() if place in places}


def find_place(name: str) -> str:
    """Return the zone of the place that *name* is an alias of, or *name*."""
    return list_aliases().get(name, name)


def _read_lines(file: str) -> list[str]:
    return files("tzdata.zoneinfo").joinpath(file).read_text("utf-8").splitlines()
