"""python -m tests.runtime.handshakes FOLDER: a server, and many clients that come at once.

A program of its own, because what it looks for ends a process without an exception.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from runtime.identity.credentials import Credentials
from runtime.identity.names import Name

CLIENTS, TIMES = 24, 30
SERVER = Name("service", "gateway")


async def main(folder: Path) -> None:
    server = grpc.aio.server()
    servicer: Any = health.aio.HealthServicer()
    add_servicer: Any = health_pb2_grpc.add_HealthServicer_to_server
    add_servicer(servicer, server)
    own = Credentials(SERVER, folder / "server", folder / "authority")
    port = server.add_secure_port("127.0.0.1:0", own.server())
    await server.start()
    shown = Credentials(Name("table", "T1"), folder / "table", folder / "authority").client()
    for _ in range(TIMES):
        await asyncio.gather(*(_greet(port, shown) for _ in range(CLIENTS)))
    await server.stop(None)
    print(CLIENTS * TIMES, "handshakes")


async def _greet(port: int, shown: grpc.ChannelCredentials) -> None:
    options = [
        ("grpc.ssl_target_name_override", SERVER.host),
        ("grpc.use_local_subchannel_pool", 1),  # else they would share one connection
    ]
    async with grpc.aio.secure_channel(f"127.0.0.1:{port}", shown, options=options) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        await stub.Check(health_pb2.HealthCheckRequest(), timeout=30)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
