"""Load on a site of several processes whose parts are killed: ``make bench-load``.

A run starts a PostgreSQL cluster, a Redis and the site's own processes (as ``manage.py serve`` does)
on free ports and in folders of its own, and removes them all when it ends. It only needs the Debian packages
``postgresql`` and ``redis-server``.

The players don't use Django: they are users of Locust (``locustfile``, which ``swarm`` runs as a process of
its own), who open pages, follow their links and send their forms. ``tables`` and ``audit``, which set up and
check, are processes of their own with the site's settings.
"""
