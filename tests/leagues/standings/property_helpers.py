"""Settings of Hypothesis for standings."""

from hypothesis import HealthCheck, settings

repeatable = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
