"""The lag of each reader of running services.

- `readers`: the readers of the services that keep their positions in Kafka.
- `reader_service`: the gRPC service that answers for all readers a process measures.
"""
