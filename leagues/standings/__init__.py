"""Who stands where in a division, and why: exact fractions of results (STAND-1 to 12)."""
