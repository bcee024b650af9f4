"""Tests of the hand history: reading, writing, refusing and checking."""
