"""Sums over the facts of gaming days, and the facts behind each sum.

coupons          coupons from issue to end
journal          entries and balances
loader           the inputs of a report, read from one snapshot
measures         the SQL of each leaf, for sums and for drill-downs
parts            the facts of an amount, one by one
scope            the days and the table of a query
slips_and_cash   slips with signers, patrons' cash, account balances
snapshot         one view of the database for all inputs of a report
tables           trays, boxes and sales, by day and table
wagers           wagers by day, table, rule set and wager
"""
