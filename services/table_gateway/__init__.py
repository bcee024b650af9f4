"""Table controllers to Kafka.

config   settings
domain   what is accepted of a table's stream; pure
grpc     sessions of tables
kafka    the log: append, and what it already has
"""
