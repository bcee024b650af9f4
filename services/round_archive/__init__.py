"""Rounds and findings to be asked for: an index of what settlement said, and replay from the log.

`domain` is pure: a round rebuilt from its own events, fact by fact, and held against what was said.
"""
