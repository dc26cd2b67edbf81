"""Passwords of known breaches, looked up without asking anybody.

The file has the first five bytes of the SHA-256 of each, sorted: half a megabyte, in which a password is
found in seventeen steps and from which nobody reads one. Of ten million others one is taken for a known one.
``docs/accounts.md`` says which lists it was made of.
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
    """Return whether *password*, in any capitals, is one of them."""
    hashes, wanted = _hashes(FILE), _hash_of(password)
    at = bisect_left(range(len(hashes) // WIDTH), wanted, key=lambda number: _nth(hashes, number))
    return _nth(hashes, at) == wanted


def write(passwords: Iterable[str], file: Path = FILE) -> int:
    """Make *file* of these *passwords*, and answer how many are in it."""
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
