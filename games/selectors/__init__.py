"""Every read wider than one row."""
