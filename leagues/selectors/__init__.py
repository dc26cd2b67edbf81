"""Queries that read more than one row."""
