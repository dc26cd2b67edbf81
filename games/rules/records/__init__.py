"""Games as JSON records: the format, the reader and the writer."""
