"""The gRPC service.

budget         bytes in progress at once
errors         why a call ends
ingest_clock   when events are received
service        the servicer
sessions       one session per table: the newest wins
"""
