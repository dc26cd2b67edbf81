"""Pages about what moderators do: their desk, and what players read of it."""
