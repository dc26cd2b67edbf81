"""Signs of what may speak against fair play, for moderators to look at: never a punishment by itself.

Pure functions first: what one game tells (``sheet``), how often chance alone does as much (``chance``), and
what the games of somebody tell by that (``helping``, ``stalling``, ``throwing``, ``likeness``). Then rows:
the games that are measured (``measuring``), what was found (``signals``), and the search for it
(``search``). The formulas, their assumptions and what honest games give stand in docs/fair-play.md.
"""
