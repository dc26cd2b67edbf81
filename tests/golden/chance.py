"""Chance by a seed, for a program that must write the same file twice. To be imported before Django."""

import random
import secrets
import uuid

LOT = random.Random()


def _make_bytes(number: int | None = None) -> bytes:
    return LOT.randbytes(32 if number is None else number)


secrets.choice = LOT.choice
secrets.randbelow = LOT.randrange
secrets.token_bytes = _make_bytes
secrets.token_hex = lambda number=None: _make_bytes(number).hex()
uuid.uuid4 = lambda: uuid.UUID(bytes=LOT.randbytes(16), version=4)
