"""Table controllers to Kafka: what the brokers have is acknowledged, what is wrong is refused.

domain        what is taken of a stream; pure
config        the settings
tips          how far each table is, learnt from the log
desks         one table, one speaker: the newest
intake        bytes judged, appended, acknowledged
api           the gRPC service
"""
