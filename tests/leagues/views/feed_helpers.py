"""Feeds."""

ATOM = "{http://www.w3.org/2005/Atom}"
