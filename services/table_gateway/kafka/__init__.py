"""Events to the log, and what the log already has of each table."""
