"""``make mutants``: draws random places, mutates each, and prints the changes that no test notices.

The sample is the same for the same seed and program. Only a copy is changed. The lines that each test runs
are recorded once for a state of the project, and kept in ``var/mutants``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.mutants.changes import Mutant, modules, sample
from tests.mutants.noticing import Laboratory, Outcome, Record, copied, digest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ["games/rules", "games/play", "games/tables", "games/clocks", "games/outbox.py"]


def main() -> None:
    asked = _arguments()
    files = modules(ROOT, asked.rooms)
    mutants = sample(files, asked.size, asked.seed)
    sources = {file.path: file.source for file in files}
    if asked.list:
        for mutant in mutants:
            print(mutant.told(sources[mutant.path]))
        return
    with tempfile.TemporaryDirectory(prefix="carcassonne-mutants-") as folder:
        copy = copied(ROOT, Path(folder) / "copy")
        record = Record(copy, ROOT / "var" / "mutants" / digest(copy), asked.workers)
        laboratory = Laboratory(copy, Path(folder) / "tests")
        outcomes = [
            _ask(laboratory, mutant, record.choose(mutant), sources[mutant.path]) for mutant in mutants
        ]
        wrong = laboratory.wrongly({outcome.by for outcome in outcomes if outcome.by and "::" in outcome.by})
    survivors = [outcome for outcome in outcomes if outcome.by is None or outcome.by in wrong]
    noticed = len(outcomes) - len(survivors)
    share = f"{noticed} of {len(outcomes)}, {noticed / len(outcomes):.1%}"
    print(f"\nNoticed with seed {asked.seed}: {share}. Not noticed:")
    for outcome in survivors:
        print(f"\n{outcome.mutant.told(sources[outcome.mutant.path])}\n  {outcome.tests} tests")
    for test in wrong:
        print(f"\nIt fails without any mutant, so that it has noticed nothing: {test}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants ARGS=…", description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", default=ROOMS, help="folders and files to be changed")
    parser.add_argument("--size", type=int, default=200, help="of the sample (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the lot (1)")
    parser.add_argument("--workers", default="auto", help="processes that note what each test runs (auto)")
    parser.add_argument("--list", action="store_true", help="only show the sample")
    return parser.parse_args()


def _ask(laboratory: Laboratory, mutant: Mutant, tests: list[str], source: str) -> Outcome:
    outcome = laboratory.ask(mutant, tests)
    print(f"{outcome.by or f'NOT BY {outcome.tests} TESTS'}\n{mutant.told(source)}\n", flush=True)
    return outcome


if __name__ == "__main__":
    main()
