"""The settings of a worker that a test starts: the site's, with the rows and the broker of that test run."""

import os

from carcassonne.settings import *  # noqa: F403
from carcassonne.settings import (
    CELERY_BROKER_TRANSPORT_OPTIONS,
    CELERY_TASK_TIME_LIMIT,
    REDIS_URL,
)

CELERY_IMPORTS = ["tests.worker_tasks", "tests.worker_poison"]
CELERY_TASK_SOFT_TIME_LIMIT = CELERY_TASK_TIME_LIMIT - 1  # the time limit is short here
if REDIS_URL:
    CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"] = os.environ["TEST_KEY_PREFIX"]
    CELERY_BROKER_TRANSPORT_OPTIONS["unacked_restore_interval"] = 1
    # Nothing here is queued ahead of its time.
    CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] = 2 * CELERY_TASK_TIME_LIMIT
