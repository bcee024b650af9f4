"""The log.

dead_letters   one dead letter, read from the topic for a retry
ingest         a batch: checked, appended, acknowledged
log_reader     the head of each table, read from the log
rebuild        forget checkpoints: `python -m table_gateway.kafka.rebuild`
table_heads    heads of tables for the event loop
"""
