"""Leagues in the words of players, in the reader's language."""
