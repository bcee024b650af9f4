"""Findings, rounds and office facts to alerts.

config    settings
domain    detectors and statistics; pure
kafka     filter, routing, detection and state, on Faust and the exactly-once loop
metrics   metrics
"""
