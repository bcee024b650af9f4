"""Rounds and cash into an immutable ledger, the gaming day, promotions, and their reports.

domain        what each fact changes on the accounts; pure
gaming_day    the calendar of the property
reading       bytes of the topics to values of the domain
posting       the topics into the ledger, each message once, by one instance at a time
rows          what a batch adds to the tables
"""
