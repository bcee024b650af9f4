"""Rounds, cash and coupons in an immutable ledger; the gaming day; reports.

config      settings
domain      changes of each fact on the accounts, checks, reports; pure
grpc        queries and commands
kafka       topics to ledger entries
postgres    tables, report inputs, checks before a day closes
"""
