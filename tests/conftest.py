"""What every test may use."""

from importlib.util import find_spec

# The browser tests have requirements of their own; `make browser` brings them.
collect_ignore_glob = [] if find_spec("playwright") else ["browser/*"]


def pytest_report_header() -> list[str]:
    """Say what is left out, so that it is not left out silently."""
    return (
        []
        if find_spec("playwright")
        else ["browser tests: left out, playwright is not installed (make browser)"]
    )
