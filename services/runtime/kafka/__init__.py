"""Kafka by confluent-kafka, with measured settings.

assignments            where to go on after an assignment
backlog                what a reader has not read, measured from outside
batching               a bounded batch of messages
bounded_calls          calls into the library that may never return
brokers                addresses and security of the brokers
configuration          consumer and producer settings, with reasons
consumer_thread        a consumer thread with a bounded queue
end_offsets            where topics end
errors                 how bad an error is
exactly_once           the loop: consume, transform, produce, commit
group_reset            what a rebuild command needs
hanging_transactions   transactions that no broker will ever end
lag                    lag of every reader: metrics and status
log_guard              keeps a reader from reading another log
log_identity           which log was read, and whether it is there
log_marks              where readers without a database remember that
loop_metrics           metrics of the exactly-once loop
partitioner            the partition of a key
producer               a producer whose callers wait for the brokers
rebuild_command        command line of `python -m SERVICE.kafka.rebuild`
records                outputs and places
rejections             dead letters
topic_reader           a range of a topic, outside any group
transactions           a transactional producer
worker_identity        one name for membership and transactions
"""
