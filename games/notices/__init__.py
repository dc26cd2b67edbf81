"""Telling people. What is owed is a row, written with its cause; each channel has a file of its own."""
