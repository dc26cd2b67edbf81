"""Games as JSON records: the format, what is read from it, what is written."""
