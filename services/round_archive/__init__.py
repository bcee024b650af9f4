"""Search, live stream and replay of rounds: an index, and the log itself.

config     settings
domain     replay of a round, its text, differences of versions; pure
grpc       queries, live stream, replay
kafka      topics into the index; events of one round
postgres   the index
"""
