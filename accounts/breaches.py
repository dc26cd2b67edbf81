"""Lookup of passwords in a local list of breached ones.

The file holds the first five bytes of each password's SHA-256, sorted: half a megabyte, searched in
seventeen steps, from which no password can be read. About one in ten million other passwords is a false
positive. ``docs/accounts.md`` names the lists that it was made from.
"""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

FILE = Path(__file__).with_name("breached_passwords.bin")
WIDTH = 5  # bytes of a hash
LEAST = 10  # characters; shorter passwords are refused anyway


def is_breached(password: str) -> bool:
    """Return whether *password*, ignoring case, is on the list."""
    hashes, wanted = _hashes(FILE), _hash_of(password)
    at = bisect_left(range(len(hashes) // WIDTH), wanted, key=lambda number: _nth(hashes, number))
    return _nth(hashes, at) == wanted


def write(passwords: Iterable[str], file: Path = FILE) -> int:
    """Make *file* from these *passwords*, and return their number."""
    hashes = sorted({_hash_of(password) for password in passwords if len(password.strip()) >= LEAST})
    file.write_bytes(b"".join(hashes))
    return len(hashes)


@cache
def _hashes(file: Path) -> bytes:
    return file.read_bytes()


def _nth(hashes: bytes, number: int) -> bytes:
    return hashes[number * WIDTH : (number + 1) * WIDTH]


def _hash_of(password: str) -> bytes:
    return sha256(password.strip().lower().encode(errors="replace")).digest()[:WIDTH]
