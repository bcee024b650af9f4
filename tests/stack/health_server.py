"""A service of nothing but its health: `python -m tests.stack.health_server PORT [options]`.

`--after SECONDS` it says that it serves; `--needs ADDRESS` it ends unless another one serves.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from deploy.stack.services import is_serving


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--after", type=float, default=0)
    parser.add_argument("--needs")
    asked = parser.parse_args()
    print("told of", os.environ["KAFKA_BOOTSTRAP"], os.environ["DATABASE_URL"], flush=True)
    if asked.needs and not is_serving(asked.needs):
        sys.exit(f"{asked.needs} does not serve")
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    servicer = health.HealthServicer()
    servicer.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
    server = grpc.server(ThreadPoolExecutor(2))
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    server.add_insecure_port(f"127.0.0.1:{asked.port}")
    server.start()
    time.sleep(asked.after)
    servicer.set("", health_pb2.HealthCheckResponse.SERVING)
    ended.wait()
    server.stop(0).wait()
    print("ended in good order", flush=True)


if __name__ == "__main__":
    main()
