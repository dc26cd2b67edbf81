"""A game as one viewer may look at it, made once per request; its addresses and its picture."""

from .scene import Scene

__all__ = ["Scene"]
