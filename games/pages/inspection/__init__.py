"""Inspecting a board: facts about features, open spaces and quarters, and overlays."""
