"""The Django project: settings, addresses, Celery. Wiring only; the game lives in ``games``."""

from carcassonne.celery import app as celery_app

__all__ = ["celery_app"]
