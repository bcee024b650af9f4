"""The stack's broker with one more listener: over TLS, for who knows the password."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import deploy.stack.kafka
from deploy.stack.stack import Stack
from runtime.identity.authority import open_authority
from runtime.identity.names import Name
from tests.stack.plugin import StackMaker
from tests.stack.ports import own_port

_LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule"


def secure_stack(
    own_stack: StackMaker, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Stack, dict[str, str]]:
    """Its servers, and the environment of who speaks with it so. The certificate of the broker is
    from an authority of ours."""
    port_over_tls = own_port()
    authority = open_authority(folder / "authority")
    now = datetime.now(UTC)
    pair = authority.issue(Name("service", "kafka"), now=now, hosts=("127.0.0.1",))
    keystore, trusted = folder / "keystore.pem", folder / "ca.crt"
    keystore.write_bytes(pair.key + pair.certificate)
    trusted.write_bytes(pair.authority)
    plain = deploy.stack.kafka.properties

    def properties(*, port: int, controller_port: int, data: str) -> str:
        address = f"SECURE://127.0.0.1:{port_over_tls}"
        lines = []
        for line in plain(port=port, controller_port=controller_port, data=data).splitlines():
            name = line.partition(" = ")[0]
            more = {
                "listeners": address,
                "advertised.listeners": address,
                "listener.security.protocol.map": "SECURE:SASL_SSL",
            }
            lines.append(f"{line},{more[name]}" if name in more else line)
        of_listener = "listener.name.secure."
        lines += [
            f"{of_listener}ssl.keystore.type = PEM",
            f"{of_listener}ssl.keystore.location = {keystore}",
            f"{of_listener}sasl.enabled.mechanisms = PLAIN",
            f'{of_listener}plain.sasl.jaas.config = {_LOGIN} required user_pit="open sesame";',
        ]
        return "\n".join(lines) + "\n"

    monkeypatch.setattr(deploy.stack.kafka, "properties", properties)
    stack = own_stack()
    stack.up(servers_only=True)
    return stack, {
        "KAFKA_BOOTSTRAP": f"127.0.0.1:{port_over_tls}",
        "KAFKA_SECURITY_PROTOCOL": "sasl_ssl",
        "KAFKA_CA_FILE": str(trusted),
        "KAFKA_SASL_MECHANISM": "plain",
        "KAFKA_SASL_USERNAME": "pit",
        "KAFKA_SASL_PASSWORD": "open sesame",
    }
