"""``make golden``: write what every page and mail says, or compare with such a file.

    make golden ARGS="--out before.json.gz"
    make golden ARGS="--out after.json.gz --against before.json.gz"
    make golden ARGS="--only 'role moderator|format Swiss' --out before.json.gz"

Every address of the world of the permissions is requested as every role, and those of leagues of every format
before they begin, while they run, and at their end; every mail that these worlds owe is written. Time stands
still, and chance has a seed, so that two runs of the same program write the same. What differs is printed,
each difference once with the number of places, and the exit code is 1; so it is if an address makes more
queries.
"""

# isort: off
import tests.golden.chance

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ.pop("DATABASE_URL", None)
os.environ.pop("REDIS_URL", None)

import django

django.setup()
# isort: on

import argparse
import logging
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import time_machine
from django.conf import settings
from django.db import connection
from django.test.utils import setup_test_environment

from games.models import Notice
from tests.databases import use_database
from tests.golden import asking
from tests.golden.asking import Record, record_all, record_mails
from tests.golden.comparison import print_comparison, read_records, write_records
from tests.golden.formats import FORMATS, record_format
from tests.permissions.world import ROLES, acts, addresses, client_of, make_world

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)


def record_part(part: tuple[str, str]) -> tuple[list[Record], set[str]]:
    """Record a world in a database of its own: of a role among the permissions, or of a format."""
    kind, name = part
    path = Path(settings.DATABASES["default"]["NAME"])
    own = path.with_name(f"{kind}-{name}.sqlite3")
    shutil.copy(path, own)
    use_database(str(own))
    tests.golden.chance.LOT.seed(name)
    try:
        return (record_format(name) if kind == "format" else record_role(name)), asking.SEEN
    finally:
        connection.close()
        own.unlink()


def record_role(role: str) -> list[Record]:
    """Record the world of the permissions as *role* sees it; as a stranger also every mail that is owed."""
    with time_machine.travel(NOW, tick=False):
        world = make_world()
        client = client_of(role)
        recorded = list(record_all("permissions", [*addresses(world), *acts(world)], client, role))
        if role == "anonymous":
            recorded += record_mails("permissions", Notice.objects.order_by("pk"))
    return recorded


def record_everything(parts: Sequence[tuple[str, str]], processes: int) -> list[Record]:
    setup_test_environment()
    logging.disable()
    with tempfile.TemporaryDirectory() as folder:
        settings.DATABASES["default"]["TEST"] = connection.settings_dict["TEST"] | {
            "NAME": f"{folder}/migrated"
        }
        connection.settings_dict["TEST"]["NAME"] = f"{folder}/migrated"
        connection.creation.create_test_db(verbosity=0, serialize=False)
        connection.close()
        with get_context("fork").Pool(processes, maxtasksperchild=1) as pool:
            done = pool.map(record_part, parts, chunksize=1)
    print("kinds of mails:", ", ".join(sorted(set().union(*(seen for _records, seen in done)))))
    return [record for records, _seen in done for record in records]


def main() -> int:
    parser = argparse.ArgumentParser(prog="make golden")
    parser.add_argument("--out", type=Path, default=Path("golden.json.gz"))
    parser.add_argument("--against", type=Path)
    parser.add_argument("--only", default="", help="parts whose name has this pattern")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--missing", action="store_true", help="show what templates look up in vain")
    options = parser.parse_args()
    if options.missing:
        settings.TEMPLATES[0]["OPTIONS"]["string_if_invalid"] = "missing: %s"
    parts = [("role", role) for role in ROLES] + [("format", name) for name in FORMATS]
    parts = [part for part in parts if re.search(options.only, " ".join(part))]
    records = record_everything(parts, options.processes)
    write_records(options.out, records)
    print(f"{len(records)} records in {options.out}")
    return print_comparison(read_records(options.against), records) if options.against else 0


if __name__ == "__main__":
    sys.exit(main())
