"""HTTPS requests to hosts that users name, safe against server-side request forgery.

A name is resolved when a request is sent, every address that it has must be public, and the connection goes
to an address that was looked at: no second answer of a name server comes in between. TLS is checked against
the name. Redirects are not followed, proxies of the environment not asked, answers not read beyond their
status, and all of it together ends in time, however slowly the other side talks.

requests-hardened 1.3.0 would be the library for this. It looks at the first address alone, takes some IPv6
forms of private IPv4 addresses for public ones (``::127.0.0.1``, ``::ffff:0:127.0.0.1``) and ``fec0::/10``,
asks proxies of the environment unless it is told not to, and has a time limit for each read alone. So it is
urllib3 below, which it builds on, too.
"""

from __future__ import annotations

import json
import math
import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import certifi
from django.conf import settings
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, SSLError
from urllib3.util.ssl_ import create_urllib3_context

from core.outgoing_urls import PORT, HostFailed, HostFault, HttpsTarget, is_public

MOST_ADDRESSES = 3  # tried per host
MOST_LOOKUPS = 8
"""Maximum number of concurrent lookups: ``getaddrinfo`` has no timeout, and its threads can't be stopped."""

_lookups = threading.BoundedSemaphore(MOST_LOOKUPS)


def post_json(target: HttpsTarget, payload: Mapping[str, Any], *, seconds: float) -> int:
    """Post *payload* and return the status of the answer, of which nothing else is read. All of it takes at
    most so many *seconds*.

    :raises HostFailed: there was no answer, or the host is none of the public internet
    """
    stop = time.monotonic() + seconds
    addresses = _resolve(target.host, seconds)
    if not addresses or not all(is_public(address) for address in addresses):
        raise HostFailed(HostFault.NOT_PUBLIC if addresses else HostFault.UNKNOWN)
    connection = _connect(target.host, addresses, stop)
    try:
        headers = {
            "Host": target.host,
            "Content-Type": "application/json",
            "User-Agent": f"Carcassonne ({settings.SITE_URL})",
        }
        body = json.dumps(payload).encode()
        connection.request("POST", target.path, body=body, headers=headers, preload_content=False)
        return connection.getresponse().status
    except TimeoutError as error:
        raise HostFailed(HostFault.TIMEOUT) from error
    except (OSError, HTTPError) as error:
        raise HostFailed(HostFault.CONNECTION) from error
    finally:
        connection.close()


class _DeadlineSocket(ssl.SSLSocket):
    """A connection that ends in time, however often the other side sends a little."""

    stop = math.inf  # on the monotonic clock

    def recv_into(self, *args: Any, **more: Any) -> int:
        self._limit_wait()
        return super().recv_into(*args, **more)

    def send(self, *args: Any, **more: Any) -> int:
        self._limit_wait()
        return super().send(*args, **more)

    def _limit_wait(self) -> None:
        if self.stop < math.inf:
            self.settimeout(_get_time_left(self.stop))


def _get_time_left(stop: float) -> float:
    """
    :raises TimeoutError: there is none
    """
    left = stop - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _resolve(host: str, seconds: float) -> list[IPv4Address | IPv6Address]:
    """Return all addresses of *host*, in the order in which they are to be tried."""
    lookups = _lookups
    if not lookups.acquire(blocking=False):
        raise HostFailed(HostFault.TIMEOUT)  # slow name servers of other hosts
    answers: queue.SimpleQueue[list[Any] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            # With a dot at its end no domain of our own network is put behind the name.
            answers.put(socket.getaddrinfo(f"{host}.", PORT, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)
        finally:
            lookups.release()

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise HostFailed(HostFault.TIMEOUT) from None
    if isinstance(answer, Exception):
        raise HostFailed(HostFault.UNKNOWN) from answer
    return list(dict.fromkeys(ip_address(sockaddr[0]) for *_family, sockaddr in answer))


def _connect(host: str, addresses: Sequence[IPv4Address | IPv6Address], stop: float) -> HTTPSConnection:
    """Open a connection to the first of *addresses* that takes one, and shows the certificate of *host*."""
    fault = HostFault.CONNECTION
    for address in addresses[:MOST_ADDRESSES]:
        try:
            # Once for the connection, and once for TLS.
            left = _get_time_left(stop) / 2
            connection = HTTPSConnection(
                str(address), PORT, timeout=left, server_hostname=host, ssl_context=_build_context()
            )
            connection.connect()
        except (ssl.SSLCertVerificationError, SSLError):
            fault = HostFault.CERTIFICATE
        except NewConnectionError:  # a kind of ConnectTimeoutError, for which it is not
            fault = HostFault.CONNECTION
        except (TimeoutError, ConnectTimeoutError):
            fault = HostFault.TIMEOUT
        except (OSError, HTTPError):
            fault = HostFault.CONNECTION
        else:
            assert isinstance(connection.sock, _DeadlineSocket)
            connection.sock.stop = stop
            return connection
    raise HostFailed(fault)


@cache
def _build_context() -> ssl.SSLContext:
    context = create_urllib3_context()
    context.load_verify_locations(certifi.where())
    context.sslsocket_class = _DeadlineSocket
    return context
