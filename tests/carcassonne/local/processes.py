"""Processes of this machine, read from ``/proc`` (a small system may lack ``ps``)."""

from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    pid: int
    state: str  # Z: dead, and its parent has not noticed
    parent: int
    group: int
    command: str


def processes() -> list[Process]:
    """All running processes."""
    running = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name, in brackets, may hold anything; what counts comes after its last bracket.
            state, parent, group, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_text().replace("\0", " ")
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
        running.append(Process(int(folder.name), state, int(parent), int(group), command))
    return running
