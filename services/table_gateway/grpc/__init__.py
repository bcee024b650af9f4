"""The gRPC service.

budget         how much may be in progress at once
errors         why a call ends
ingest_clock   when events are received
service        the servicer
sessions       one session per table: the newest wins
"""
