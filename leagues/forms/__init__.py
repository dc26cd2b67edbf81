"""Text becomes values, or a clear error."""
