"""What is for this machine alone. The settings need it, so it needs none."""

import ipaddress


def on_this_machine(host: str) -> bool:
    """Whether *host*, a name or an address, can only be this machine."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
