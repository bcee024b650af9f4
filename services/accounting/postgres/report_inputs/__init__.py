"""Figures from the tables: sums over the facts of some gaming days, and the facts behind a sum.

measures     what each leaf of a figure adds up, once for the sum and for its parts
snapshot     one view of the database for all figures of a report
play         wagers, by table, rule set and wager
tables       trays, boxes, sales: what is counted
causes       what accounts for a difference
coupons      coupons from issue to end
office       slips and patrons' cash
parts        the facts behind a figure, one by one
journal      entries and balances
"""
