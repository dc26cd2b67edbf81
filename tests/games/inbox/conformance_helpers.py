"""The messages of the specification for replies."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "tests" / "conformance-replies"
CASES = [json.loads(line) for line in (EXAMPLES / "cases.jsonl").read_text().splitlines()]


def decode_message(case: dict[str, Any]) -> bytes:
    raw: str = case["raw"]
    return b64decode(raw) if case.get("encoding") == "base64" else raw.encode()
