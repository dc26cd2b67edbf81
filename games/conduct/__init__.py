"""How people behave towards each other: what is reported, what follows, who wants nothing to do with whom.

Below ``play`` and ``tables``, which ask here whether somebody may play, talk or sit down with somebody.
"""
