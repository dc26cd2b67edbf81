"""Search for signals of unfair play, for moderators to look at: never a punishment by itself.

Pure functions: what one game tells (``sheet``), probabilities of chance (``chance``), and tests of somebody's
games (``helping``, ``stalling``, ``throwing``, ``likeness``). Rows: measured games (``measuring``), signals
(``signals``), and the search (``search``). Formulas, their assumptions and results of honest games are in
docs/fair-play.md.
"""
