"""`python -m runtime.probe`: is the service of this container ready? Exit code 0: yes, 1: no.

For orchestrators that can only run a command. One with gRPC probes, such as Kubernetes, queries
HEALTH_ADDRESS itself.
"""

from __future__ import annotations

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from runtime.addresses import Address
from runtime.health import READY
from runtime.service import ServiceSettings
from runtime.settings import BadSettings

SECONDS_MAX = 3.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def nearby(address: Address) -> Address:
    """The address to probe for a service that listens on all interfaces.

    >>> str(nearby(Address("0.0.0.0", 9465)))
    '127.0.0.1:9465'
    """
    return Address(_EVERYWHERE.get(address.host, address.host), address.port)


def is_ready(address: Address) -> bool:
    """The state that the service reports; no answer counts as not ready."""
    with grpc.insecure_channel(str(nearby(address))) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined]
        try:
            answer = check(health_pb2.HealthCheckRequest(service=READY), timeout=SECONDS_MAX)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def main() -> int:
    try:
        settings = ServiceSettings.from_environment()
    except BadSettings as bad:
        print(f"probe: {bad}", file=sys.stderr)
        return 1
    return 0 if is_ready(settings.health_address) else 1


if __name__ == "__main__":
    sys.exit(main())
