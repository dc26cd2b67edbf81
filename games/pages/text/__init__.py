"""The board in words, to be played by ear."""
