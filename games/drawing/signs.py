"""Buildings and signs of the sets beyond the base game, each drawn around the point (0, 0)."""

from __future__ import annotations

from . import palette as p


def _water_gate() -> str:
    """An arch in a wall, for a river."""
    return (
        f'<path d="M-8 5V-2a8 7 0 0 1 16 0v7z" fill="{p.STONE_FACE}" stroke="{p.INK}"/>'
        f'<path d="M-5 5V0a5 5 0 0 1 10 0v5z" fill="{p.BANK}" stroke="{p.INK}"/>'
    )


def _lake() -> str:
    """Where a river ends."""
    return (
        f'<ellipse rx="18" ry="15" fill="{p.WATER}" stroke="{p.BANK}" stroke-width="1.5"/>'
        f'<path d="M-9-4q3-2 6 0t6 0M-4 4q3-2 6 0t6 0" fill="none" stroke="{p.WATER_LIGHT}"/>'
        '<path d="M11-10v-8m2.4 8.5v-6m-5 5v-5" stroke="#5c7a35" stroke-width="1.3"/>'
    )


def _spring() -> str:
    """Where a river begins, in a pool under rocks."""
    return (
        f'<ellipse cy="4" rx="17" ry="10.5" fill="{p.WATER}" stroke="{p.BANK}" stroke-width="1.5"/>'
        f'<g stroke="{p.INK}" stroke-linejoin="round">'
        f'<path d="M-16 3l1-8 5-5 6-2 3-8 6-3 6 5 1 6 4 3 1 10q-16 6-33 2z" fill="{p.STONE_FACE}"/>'
        f'<path d="M-19 6q-1-6 4-7 5 0 6 6-5 3-10 1zM12 7q0-7 5-6 5 1 4 6-5 2-9 0z" fill="#9b8d77"/></g>'
        f'<path d="M-10-10l2 4-2 5M-4-12l4 3 1 3M11-15l-3 5" fill="none" stroke="{p.STONE_DARK}"'
        ' stroke-width=".9"/>'
        f'<path d="M-2-3q2.5-2 5 0l1.5 8q-4 2.5-8 0z" fill="{p.WATER_LIGHT}"/>'
        '<path d="M-.5-1v6M2-1v6" stroke="#fff" stroke-opacity=".7" stroke-width=".8"/>'
        f'<path d="M-8 9q3-1.5 5 0m6 1q3-1.5 5 0" fill="none" stroke="{p.WATER_LIGHT}"'
        ' stroke-linecap="round"/>'
    )


def _inn() -> str:
    """An inn by a pond, with its sign."""
    return (
        f'<ellipse cx="4" cy="5" rx="10" ry="5.5" fill="{p.WATER}" stroke="{p.BANK}" stroke-width="1.2"/>'
        f'<g stroke="{p.INK}" stroke-linejoin="round"><path d="M-10 4V-4h14v8z" fill="{p.PLASTER}"/>'
        f'<path d="M-12-4l4-7H3l4 7z" fill="{p.ROOF_DARK}"/></g>'
        f'<path d="M-7 4v-4h3v4zM-1-1h3v2.5h-3z" fill="{p.WINDOW}"/>'
        f'<path d="M4-3h5v2" fill="none" stroke="{p.INK}" stroke-width="1.2"/>'
        f'<circle cx="9" cy="1" r="2.4" fill="{p.FLOWER[1]}" stroke="{p.INK}" stroke-width=".8"/>'
    )


def cathedral() -> str:
    """A great church with two spires and a rose window."""
    windows = "M-14.5 4v-6a1.5 1.5 0 0 1 3 0v6zM11.5 4v-6a1.5 1.5 0 0 1 3 0v6z"
    return (
        f'<g stroke="{p.INK}" stroke-width="1.2" stroke-linejoin="round">'
        f'<path d="M-10 20V-6L0-15 10-6v26z" fill="{p.STONE}"/>'
        f'<path d="M-18 20V-10h10v30zM8 20v-30h10v30z" fill="{p.PLASTER}"/>'
        f'<path d="M-19-10l6-14 6 14zM7-10l6-14 6 14z" fill="{p.ROOF_BLUE}"/>'
        f'<circle cy="-2" r="4.5" fill="{p.SHIELD}"/></g>'
        f'<path d="M-4 20v-7a4 4 0 0 1 8 0v7z{windows}" fill="{p.WINDOW}"/>'
        f'<path d="M0-6.5v9M-4.5-2h9" stroke="{p.SHIELD_TRIM}" stroke-width=".9"/>'
    )


def _ware(picture: str) -> str:
    """A round sign for goods."""
    return f'<circle r="9" fill="{p.SHIELD_TRIM}" stroke="{p.INK}" stroke-width="1.6"/>{picture}'


def _wine() -> str:
    hoops = "M-5.3-2.5q5.3 1.6 10.6 0M-5.3 2.5q5.3 1.6 10.6 0"
    return _ware(
        f'<path d="M-4.5-5.5q4.5-2 9 0 2 5.5 0 11-4.5 2-9 0-2-5.5 0-11z" fill="#8c3b55" stroke="{p.INK}"/>'
        f'<path d="{hoops}" fill="none" stroke="{p.FLOWER[1]}"/>'
    )


def _grain() -> str:
    ears = "M0-6l-2.5-1.5M0-6l2.5-1.5M-1.8-3l-3-1.5M1.8-3l3-1.5M-2.3 0l-3-1.5M2.3 0l3-1.5"
    return _ware(
        '<path d="M0 7v-13M-3.5 6.5l2-12M3.5 6.5l-2-12" stroke="#a9791f" stroke-width="1.3"/>'
        f'<path d="{ears}" stroke="#d9a227" stroke-width="2" stroke-linecap="round"/>'
        '<path d="M-4 3h8" stroke="#7c4f1c" stroke-width="1.6"/>'
    )


def _cloth() -> str:
    return _ware(
        f'<path d="M-6-3.5L3-5.5V3.5L-6 5.5z" fill="#4b8f8c" stroke="{p.INK}"/>'
        f'<ellipse cx="4" cy="-1" rx="2.6" ry="4.5" fill="#76b5b0" stroke="{p.INK}"/>'
        f'<ellipse cx="4" cy="-1" rx=".9" ry="1.8" fill="{p.INK}"/>'
    )


def _pig_herd() -> str:
    """Two pigs."""
    pig = (
        f'<ellipse rx="6.5" ry="4.2" fill="#e7a7a0" stroke="{p.INK}" stroke-width=".9"/>'
        f'<path d="M-4 3.5v3M4 3.5v3" stroke="{p.INK}" stroke-width="1.6"/>'
        f'<circle cx="-6.5" cy="-1" r="3.2" fill="#efbab3" stroke="{p.INK}" stroke-width=".9"/>'
        '<circle cx="-8.3" cy="-.6" r="1" fill="#b9655e"/>'
        f'<path d="M-7.5-3.4l.6-2.4 2 1.7z" fill="#d98f88" stroke="{p.INK}" stroke-width=".7"/>'
        f'<path d="M-6.2-1.8h0" stroke="{p.INK}" stroke-width="1.1" stroke-linecap="round"/>'
        '<path d="M6-1q2.5-1 1.5-3" fill="none" stroke="#b9655e"/>'
    )
    grass = "M-15 9l-1-3m1 3l1-3M12 8l-1-3m1 3l1-3"
    return (
        f'<ellipse cy="6" rx="15" ry="5.5" fill="{p.TREE_SHADE}"/>'
        f'<path d="{grass}" fill="none" stroke="{p.GRASS_DARK}" stroke-width="1.2"/>'
        f'<g transform="translate(7 -4) scale(1.15)">{pig}</g>'
        f'<g transform="translate(-3 4.5) scale(1.25)">{pig}</g>'
    )


def _volcano() -> str:
    """A smoking mountain."""
    return (
        f'<path d="M-20 15L-6-11q6 3 12 0L20 15q-20 6-40 0z" fill="#7d6a5c" stroke="{p.INK}"/>'
        '<path d="M6-11L20 15q-6 2-12 2.5z" fill="#5f5047"/>'
        '<path d="M-6-11q6 3 12 0l1 4-3 2 1 6-4-3-3 7-1-8-4-3z" fill="#e2622b"/>'
        '<path d="M-1-12q-4-2-1-5" fill="none" stroke="#cfc8c0" stroke-width="3" stroke-linecap="round"/>'
    )


def signs() -> dict[str, str]:
    """All of them by name; where a name is a mark of the tile tables, it is what the mark looks like."""
    return {
        "water-gate": _water_gate(),
        "lake": _lake(),
        "spring": _spring(),
        "inn": _inn(),
        "cathedral": cathedral(),
        "wine": _wine(),
        "grain": _grain(),
        "cloth": _cloth(),
        "pig_herd": _pig_herd(),
        "volcano": _volcano(),
    }
