"""Reads wider than one row."""
