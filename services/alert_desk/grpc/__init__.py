"""The gRPC service: access, queries, commands, streams."""
