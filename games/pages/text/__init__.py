"""The board in words, for screen readers."""
