"""The systemd units: every service is confined, and finds a place for what it writes."""

from pathlib import Path

import pytest

UNITS = Path(__file__).parents[2] / "deploy/systemd"
CONFINED = {
    "CacheDirectory=benben",
    "CapabilityBoundingSet=",
    "Environment=BENBEN_DATA_DIR=%S/benben BENBEN_CACHE_DIR=%C/benben",
    "LimitNOFILE=65536",
    "MemoryMax=2G",
    "NoNewPrivileges=yes",
    "PrivateTmp=yes",
    "ProtectHome=yes",
    "ProtectSystem=strict",
    "Restart=always",
    "StateDirectory=benben",
    "StartLimitIntervalSec=0",
    "User=benben",
}


@pytest.mark.parametrize("unit", ["benben.service", "benben@.service", "benben-think.service"])
def test_a_service_is_confined(unit: str) -> None:
    lines = (UNITS / unit).read_text().splitlines()
    assert set(lines) >= CONFINED
    assert (
        len([line for line in lines if line.startswith("ExecStart=/opt/benben/bin/benben ")]) == 1
    )
