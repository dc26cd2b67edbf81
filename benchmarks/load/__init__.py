"""A site of several processes under load, and while its parts are killed.

``python -m benchmarks.load`` measures, ``python -m benchmarks.load.faults`` kills; ``make bench-load`` does
both. Each run starts a PostgreSQL cluster, a Redis and the site's own processes (as ``manage.py serve`` does)
on free ports and in folders of its own, and takes all of it away when it ends. Nothing is needed but the
Debian packages ``postgresql`` and ``redis-server``.

Those who play know no Django: they are users of Locust (``locustfile``, which ``swarm`` runs as a process of
its own), who visit pages, read what these offer and send it. ``tables`` and ``audit``, which set up and
check, are processes of their own with the site's settings.
"""
