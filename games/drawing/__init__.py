"""Tiles and boards as pictures: vector art made from the facts of the tile tables, nothing drawn by hand.

``sprite`` writes every tile once into a file of symbols; ``board`` draws a board as inline SVG that refers
to them, ``picture`` as PNG for mails, ``thumbnail`` as a small WebP for lists. Pure Python: knows no Django.
"""
