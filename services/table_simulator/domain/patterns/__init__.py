"""Patterns for surveillance: what no single table's log decides, planted over a whole floor.

They leave the engine's findings of every table as they were, except for dealer dumping and dealers'
errors, which are made of payments that are wrong one by one as well.
"""
