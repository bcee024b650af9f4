"""A service of nothing but its health: `python -m tests.stack.health_server [options]`.

It is ready after `--after SECONDS`, or once the file of `--until PATH` exists; `--touch PATH`
creates that file. `--needs NAME` ends it unless that service is ready. It answers at all three
of its addresses, and prints its environment.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from deploy.stack.service_process import READY, is_serving


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--after", type=float, default=0)
    parser.add_argument("--needs")
    parser.add_argument("--touch", type=Path)
    parser.add_argument("--until", type=Path)
    asked = parser.parse_args()
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    print(json.dumps(dict(os.environ)), flush=True)
    if asked.needs and not is_serving(os.environ.get(f"{asked.needs}_ADDRESS", "127.0.0.1:1")):
        sys.exit(f"{asked.needs} does not serve")
    servicer = health.HealthServicer()
    servicer.set("", health_pb2.HealthCheckResponse.SERVING)
    servicer.set(READY, health_pb2.HealthCheckResponse.NOT_SERVING)
    server = grpc.server(ThreadPoolExecutor(2))
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for name in ("RPC_ADDRESS", "HEALTH_ADDRESS", "METRICS_ADDRESS"):
        server.add_insecure_port(os.environ[name])
    server.start()
    if asked.touch:
        asked.touch.touch()
    while asked.until and not asked.until.exists():
        time.sleep(0.01)
    time.sleep(asked.after)
    servicer.set(READY, health_pb2.HealthCheckResponse.SERVING)
    ended.wait()
    server.stop(0).wait()
    print("ended in good order", flush=True)


if __name__ == "__main__":
    main()
