"""The local stack: a real Kafka, a real PostgreSQL and our services, with nothing but Python.

A stack is a folder. What runs in it, on which ports and with which password, is written in
its `state.json`; who has the folder can join the stack, look at it or end it. Two folders are
two stacks, which know nothing of each other.

- `settings` reads the environment, once, and reports every mistake in it at once.
- `jars` brings Kafka's jars by their checksums; `jar_list` remakes that list.
- `java` calls Kafka's Java; `warm` makes its starts shorter.
- `kafka` and `postgres` each prepare and start a server; `services` is the table of what comes
  after, `service_process` starts a row of it, `identity` says who is who.
- `process` starts and ends processes by an identity that no recycled number can take.
- `stack` puts them together: `up` is what `up` left or makes it so; `down` ends it all.

Linux only: elsewhere, name the servers with KAFKA_BOOTSTRAP and DATABASE_URL.
"""

import os

# Servers are started by forking a process that has gRPC in it, for health checks. Its handlers for
# forks have run in the child and ended a PostgreSQL before it began; no child here uses gRPC.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
