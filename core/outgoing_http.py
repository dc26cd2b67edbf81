"""HTTPS requests to hosts that users name, safe against server-side request forgery.

A name is resolved when a request is sent, all its addresses must be public, and the connection goes to one of
the addresses that were checked, so a second DNS answer can't change it. TLS is verified against the name.
Redirects are not followed, proxies of the environment not used, responses not read beyond their status, and a
time limit covers everything, however slowly the other side sends.

requests-hardened 1.3.0 would be the library for this. It checks the first address alone, takes some IPv6
forms of private IPv4 addresses for public ones (``::127.0.0.1``, ``::ffff:0:127.0.0.1``) and ``fec0::/10``,
uses proxies of the environment by default, and limits the time of each read alone. So this module uses
urllib3, on which that library builds, too.
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
_hanging: dict[str, threading.Thread] = {}
"""Lookups that nobody waits for any more, by host: one whose name servers hang takes one of all lookups."""


def post_json(target: HttpsTarget, payload: Mapping[str, Any], *, seconds: float) -> int:
    """Post *payload* within so many *seconds*, and return the response's status; nothing else is read.

    :raises HostFailed: there was no response, or the host is not on the public internet
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
    """TLS socket whose reads and writes end at ``stop``, even if the other side keeps sending a little."""

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
    """:raises TimeoutError: no time is left"""
    left = stop - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _resolve(host: str, seconds: float) -> list[IPv4Address | IPv6Address]:
    """Return all addresses of *host*, in the order in which to try them."""
    lookups = _lookups
    hanging = _hanging.get(host)
    if (hanging is not None and hanging.is_alive()) or not lookups.acquire(blocking=False):
        raise HostFailed(HostFault.LOOKUP)  # slow name servers, of this host or others
    _hanging.pop(host, None)
    answers: queue.SimpleQueue[list[Any] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            # With a dot at its end no domain of our own network is put behind the name.
            answers.put(socket.getaddrinfo(f"{host}.", PORT, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)
        finally:
            lookups.release()

    lookup = threading.Thread(target=ask, daemon=True)
    lookup.start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        _hanging[host] = lookup
        raise HostFailed(HostFault.LOOKUP) from None
    if isinstance(answer, Exception):
        ours = isinstance(answer, socket.gaierror) and answer.errno == socket.EAI_AGAIN
        raise HostFailed(HostFault.LOOKUP if ours else HostFault.UNKNOWN) from answer
    return list(dict.fromkeys(ip_address(sockaddr[0]) for *_family, sockaddr in answer))


def _connect(host: str, addresses: Sequence[IPv4Address | IPv6Address], stop: float) -> HTTPSConnection:
    """Connect to the first of *addresses* that accepts, and verify the certificate of *host*."""
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
