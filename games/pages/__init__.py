"""The contents of pages as values: put together for one viewer, shown by templates that compute nothing."""
