"""``make mutants``: change one place of the program at a time, and see whether a test notices."""
