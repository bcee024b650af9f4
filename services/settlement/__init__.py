"""Table events to settled rounds and findings, exactly once.

config    settings
domain    the tables of a partition; pure
kafka     the exactly-once loop and its state
metrics   metrics
"""
