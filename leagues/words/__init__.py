"""Texts about leagues for players, in the reader's language."""
