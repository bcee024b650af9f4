"""The gRPC service: access, queries, replay, live stream."""
