"""The reference client of the gateway: an outbox on disk, sent until acknowledged.

backoff           how long to wait before the next try
errors            errors that another try does not fix
outbox            events on disk until they are acknowledged
record_file       a file that holds a record whole or not at all
records           the records of that file
rejected_events   events that the gateway rejected, kept for people
reporter          sends the outbox
"""
