"""Rows: ratings, leagues and their seasons."""
