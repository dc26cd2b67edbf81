"""Time zones as people choose them."""

import zoneinfo
from functools import cache

REGIONS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)


@cache
def list_choices() -> list[tuple[str, object]]:
    """Choices of a select box: UTC, then the zones' cities by region.

    Older names such as Asia/Calcutta are among them, because browsers still report them.
    """
    by_region: dict[str, list[tuple[str, str]]] = {region: [] for region in REGIONS}
    for name in sorted(zoneinfo.available_timezones()):
        region, _, city = name.partition("/")
        if city and region in by_region:
            by_region[region].append((name, city.replace("_", " ").replace("/", " – ")))
    return [("UTC", "UTC"), *by_region.items()]
