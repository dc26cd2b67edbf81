"""``make mutants``: mutation testing, one change of the program at a time."""
