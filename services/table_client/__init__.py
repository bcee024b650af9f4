"""The reference client of the gateway: for controllers, adapters of real hardware, the simulator.

What is told to the journal is on disk before it is sent, and is sent until it is acknowledged,
through crashes of either side.

    errors      what can go wrong that trying again does not mend
    records     what a journal's file is made of
    record_file its end, where a record is written whole or not at all
    aside       the events that were refused, kept for people
    journal     the events that were written down, and how far they are acknowledged
    backoff     how long to wait before trying again
    reporter    sends what the journal has
"""
