"""The reference client of the gateway: an outbox on disk, sent until acknowledged.

backoff           how long to wait before trying again
errors            what trying again does not fix
outbox            events on disk, and how far they are acknowledged
record_file       a file that holds a record whole or not at all
records           the records of that file
rejected_events   events that the gateway rejected, kept for people
reporter          sends the outbox
"""
