"""Settings of the site, with the view of ``bare`` before its own."""

from carcassonne.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.load.bare"
