"""``make audit``: known vulnerabilities of the installed packages.

Looks up every package in the site's environment, dependencies included, in PyPI's advisories, in its exact
version. Exit 0 only if all of them were found, and none has a known vulnerability.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PROGRAM = Path(sys.prefix) / "audit" / "bin" / "pip-audit"
FINE, HOLES, UNKNOWN = 0, 1, 2


def main() -> int:
    packages = sysconfig.get_paths()["purelib"]
    asked = subprocess.run(
        [str(PROGRAM), "--path", packages, "--format", "json", "--progress-spinner", "off"],
        capture_output=True,
        text=True,
        check=False,
    )
    code, lines = verdict(asked.stdout, asked.stderr)
    print(*lines, sep="\n")
    return code


def verdict(report: str, errors: str) -> tuple[int, list[str]]:
    """Return an exit code and lines to print, from the JSON *report* of pip-audit and its *errors*."""
    try:
        packages: Sequence[Mapping[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError):
        last = errors.strip().splitlines()[-1:] or ["it said nothing"]
        return UNKNOWN, [f"Nothing is known: the advisories could not be asked ({last[0]})."]
    silent = [package["name"] for package in packages if "skip_reason" in package]
    lines = [
        f"{package['name']} {package['version']}: {hole['id']},"
        f" mended in {_few(hole['fix_versions']) or 'none yet'}"
        for package in packages
        for hole in package.get("vulns", ())
    ]
    if lines:
        lines = ["Known holes:", *lines]
    if silent or not packages:
        lines.append(
            f"No advisories could be had for {len(silent)} of {len(packages)} packages: {_few(silent)}."
        )
    if lines:
        return (HOLES if lines[0] == "Known holes:" else UNKNOWN), lines
    return FINE, [f"No known hole in {len(packages)} packages."]


def _few(names: Sequence[str]) -> str:
    return ", ".join([*names[:5], "…"] if len(names) > 5 else names)


if __name__ == "__main__":
    sys.exit(main())
