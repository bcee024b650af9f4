"""What every service stands on, without a word of the trade.

A service is a process with settings from the environment, logs on stderr, metrics and health
on ports of their own, an identity, parts that run side by side, and links to others over gRPC,
Kafka and PostgreSQL. Each of these is a module or a package here; none of them imports another
package of ours, and a service takes only those it needs.

    settings   typed, from the environment; every mistake reported at once
    tracing    OpenTelemetry: spans, and the context in headers and metadata
    logs       JSON lines with service and trace id
    metrics    Prometheus, on a port of its own
    health     live and ready, on a port of its own
    process    parts, signals, exit codes
    service    the door of a service: settings, logs, process
    identity   certificates that name who speaks, tokens that name a person
    questions  why a question is not answered, the same in every service
    rpc        one gRPC server, and channels to others
    kafka      consumers, producers, the exactly-once loop
    database   PostgreSQL pools, migrations, offsets
"""
