"""The addresses of a server: its public URL, or those in its network."""

import ipaddress
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Addresses outside, and in each private network. Nothing is sent there: connecting a UDP socket
# only selects the local address.
_ELSEWHERE = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254")
_ELSEWHERE_6 = ("2001:db8::1", "fd00::1")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class ServerAddresses:
    """Where a server listens; `site` is its public URL, if any."""

    host: str
    port: int
    site: str = ""

    @property
    def local_url(self) -> str:
        """The URL on this machine."""
        host = parsed_address(self.host)
        if host is not None and host.is_unspecified:
            return _url("127.0.0.1" if host.version == 4 else "::1", self.port)
        return _url(self.host, self.port)

    @property
    def is_local_only(self) -> bool:
        """Whether only this machine can reach it."""
        host = parsed_address(self.host)
        return not self.site and host is not None and host.is_loopback

    @property
    def addresses(self) -> list[str]:
        """The URLs for other machines, looked up each time as a machine may change networks."""
        if self.site:
            return [self.site]
        if self.is_local_only:
            return []
        host = parsed_address(self.host)
        if host is None or not host.is_unspecified:
            return [_url(self.host, self.port)]
        own = [*_own(_ELSEWHERE), *(_own(_ELSEWHERE_6) if host.version == 6 else ())]
        return [_url(each, self.port) for each in dict.fromkeys(own)]


def is_near(address: str) -> bool:
    """Whether an address is of this machine or of a private network."""
    found = parsed_address(address)
    return found is not None and (found.is_loopback or found.is_private)


def _own(elsewhere: Iterable[str]) -> Iterator[str]:
    """The addresses of this machine that would connect to others."""
    for target in elsewhere:
        family = socket.AF_INET6 if ":" in target else socket.AF_INET
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                own = parsed_address(probe.getsockname()[0])
        except OSError:
            continue  # no route
        if own is not None and not (own.is_loopback or own.is_unspecified or own.is_link_local):
            yield str(own)


def parsed_address(text: str) -> Address | None:
    """An IP address; None for anything else. IPv4 addresses within IPv6 are IPv4 addresses."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if found.version == 6 else None
    return mapped or found


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
