"""Checks for loopback hosts, networks, and private file permissions. The settings import this module, so it
imports no settings."""

import ipaddress
from contextlib import suppress
from pathlib import Path

GROUP_AND_OTHERS = 0o077


def is_on_this_machine(host: str) -> bool:
    """Return whether *host*, a name or an address, can only be this machine."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def keep_private(folder: Path) -> None:
    """Create *folder* if needed, and remove the permissions of group and others on it and its entries.

    It holds mails and a database with addresses. Files of other owners are left alone.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (folder, *folder.iterdir()):
        with suppress(OSError):  # it is not ours, or a file that is gone already
            mode = path.stat(follow_symlinks=False).st_mode
            if mode & GROUP_AND_OTHERS and not path.is_symlink():
                path.chmod(mode & 0o7777 & ~GROUP_AND_OTHERS)


def parse_networks(names: list[str]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Parse networks such as ``10.0.0.0/8``.

    :raises ValueError: one of *names* is malformed
    """
    return [ipaddress.ip_network(name) for name in names]
