"""Whoever asks about rounds asks here: an index of what settlement said, and the log itself.

indexer       what each message of the topics becomes in the index
entries       bytes of a topic to rows
marks         cards, seats and pairs of cards as numbers that are found fast
store         rows into the database, with the positions of what was read
rounds        questions about rounds; findings, dead_letters, status: the others
masking       what would give away a hole card
watching      rounds and findings as they come, straight from the topics
definitions   rule sets and promotions of the catalogue, followed; rule sets published
log           the events of one round, read from table-events
domain        a round rebuilt from its own events, and held against what was said; pure
replaying     the log and the index brought together for a replay
rebuilding    the index emptied and made anew
api           the gRPC service
"""
