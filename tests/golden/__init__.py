"""The golden: what every page and every mail says, written to a file that a refactoring is compared with."""
