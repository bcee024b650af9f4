"""Tables that play by the rules, and break them on request, from a seed.

`domain` plays and judges: a croupier deals correct rounds of the five games and pays by an
oracle that was written from the filings and shares no code with the engine, so that the
two can be held against each other; `domain.faults` plants irregularities, and says which.
Around it: `seeded` gives chance from a seed, `sealing` makes the hash-chained bytes that a
table controller sends, `feed` says when each is due, `controller` sends them from one table and
`sending` from a whole floor; `python -m table_simulator` does that as a process.
"""
