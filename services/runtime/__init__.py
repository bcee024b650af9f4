"""What every service stands on; it knows no word of the trade.

addresses      host and port
database       PostgreSQL
health         live and ready, on a port of its own
identity       certificates name machines, tokens name people
kafka          consumers, producers, the exactly-once loop
logs           JSON lines with service and trace id
metrics        Prometheus, on a port of its own
positions      places in a log
probe          `python -m runtime.probe`: is this container ready?
process        parts, signals, exit codes
projector      topics into a database, each message once
query_errors   errors of queries, the same in every service
rpc            gRPC server and channels
service        a service's start: settings, logs, metrics, health
settings       typed, from the environment; all mistakes at once
tracing        OpenTelemetry
"""
