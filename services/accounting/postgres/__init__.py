"""The ledger's tables: migrations, rows, report inputs, checks before a day closes."""
