"""Kafka by confluent-kafka, with the settings that were measured.

configuration   consumers and producers, and why each setting is as it is
records         what is written, where something was read, headers
bounded         calls into the library that may never return
transactions    a producer that commits whole batches, or says that it did not
exactly_once    the loop: consume, transform, produce, and the offsets with it
reading         a stretch of a topic from end to end, outside any group
consuming       a consumer thread with a bounded queue, for async services
backlog         what a reader has not read yet, measured from outside of it
lag             every reader of a service, measured once a second: metrics and status
ends            where topics end, asked of the brokers
log_identity    which log a reader has read, and whether it is still there
log_marks       where readers without a database remember that
log_guard       keeps them from reading another log than before
watching        topics followed for one client, and where it is
rejections      dead letters, written before anything goes on
producing       a producer whose callers wait until the brokers have it
"""
