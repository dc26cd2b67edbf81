"""The Django project: settings, addresses, Celery. Wiring only; the game lives in ``games``."""

from core.time_zones import use_pinned_data

use_pinned_data()  # before anything else is imported, in every kind of process

from carcassonne.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
