"""The gRPC service: sessions of tables, limits on work in progress, errors."""
