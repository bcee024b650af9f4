"""Tables that play by the rules, and break them on request, from a seed.

`domain` plays and judges by an oracle that was written from the filings and shares no code with
the engine, so that each checks the other.

config   settings
days     a simulated day as files and bytes
domain   play, faults, patterns, oracle; pure
grpc     the floor as clients of the gateway and of accounting
"""
