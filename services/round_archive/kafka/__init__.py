"""Topics into the index, and events of one round.

decoder            bytes to rows
definitions        rule sets and promotions of the catalog, followed and published
index_projection   changes of the index, batch by batch
round_events       the events of one round, read from table-events
"""
