"""The folders of the project's code."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("core", "accounts", "ratings", "games", "moderation", "leagues", "carcassonne")
