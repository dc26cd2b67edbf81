"""A turn being put together, and what else a seat is asked."""
