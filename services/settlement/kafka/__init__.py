"""The exactly-once loop and its state.

finding_log        findings in the service's own log
quarantine         tables in quarantine are tried again at every assignment
rebuild            forget all state: `python -m settlement.kafka.rebuild`
settler            messages in, messages out, around the tables of our partitions
snapshot_opcodes   pickle opcodes that a snapshot may use
snapshot_records   messages of table-snapshots
snapshots          a table as bytes, and back
worker             the loop's transform: restore, refold, go on
"""
