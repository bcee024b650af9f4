"""Topics to ledger entries.

cage_posting        cage, count room and accountants
cash_posting        cash facts of tables
decoder             bytes to values of the domain
event_posting       shared parts of posting an entered event
finding_posting     findings, which explain differences
ledger_projection   the projection: what each message adds, batch by batch
promotion_posting   the promotions desk
round_posting       rounds: each version once, a later one as the difference
"""
