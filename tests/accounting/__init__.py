"""Accounting: the ledger by itself, and the process over it."""
