"""Tests that `requirements.lock`, from which a release installs, matches `requirements.txt`, with hashes."""

import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def asked() -> dict[str, str]:
    """The pins of requirements.txt, by name."""
    lines = [line.partition("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]
    pins = [Requirement(line) for line in lines if line]
    return {canonicalize_name(pin.name): str(pin.specifier) for pin in pins}


def locked() -> dict[str, tuple[str, int]]:
    """The version and the number of hashes of each package in the lock."""
    text = (ROOT / "requirements.lock").read_text().replace("\\\n", " ")
    versions = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        pin, *hashes = line.split()
        assert all(HASH.fullmatch(value) for value in hashes), line
        requirement = Requirement(pin)
        versions[canonicalize_name(requirement.name)] = (str(requirement.specifier), len(hashes))
    return versions


def test_every_pin_is_locked_at_its_version_and_every_package_has_hashes() -> None:
    lock, pins = locked(), asked()
    assert len(pins) > 20
    assert {name: lock[name][0] for name in pins if name in lock} == pins
    assert all(version.startswith("==") and hashes for version, hashes in lock.values())


def test_the_lock_is_whole_for_the_oldest_python_too() -> None:
    """``make lock`` writes down what its own Python needs, and pip refuses a hash that is not there."""
    oldest = {"python_full_version": "3.11.0", "python_version": "3.11", "extra": ""}
    lock = locked()
    for name in lock:
        needed: list[str] = []
        with suppress(PackageNotFoundError):  # what this Python doesn't need
            needed = requires(name) or []
        for one in map(Requirement, needed):
            if one.marker is None or one.marker.evaluate(oldest):
                assert canonicalize_name(one.name) in lock, f"{name} needs {one}"


def test_the_lock_names_no_place_to_fetch_from() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host", text)


def test_releases_install_from_the_lock_alone() -> None:
    for name in ("deploy/release", "deploy/containers/Dockerfile"):
        text = (ROOT / name).read_text()
        assert "--require-hashes" in text and "requirements.lock" in text, name
        assert "requirements.txt" not in text, name
