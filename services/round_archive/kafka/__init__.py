"""Rounds and findings from their topics into the index; events of a round from the log."""
