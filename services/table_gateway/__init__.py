"""Table controllers to Kafka.

config   settings
domain   which events of a table's stream are accepted; pure
grpc     sessions of tables
kafka    the log: append, and the heads of tables
"""
