"""Patterns for surveillance: what no single table's log decides, planted over a whole floor.

They leave what the engine says of every table as it was, but for dealer dumping and dealers'
errors, which are made of payments that are wrong one by one as well.
"""
