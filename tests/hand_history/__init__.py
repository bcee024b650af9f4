"""Tests of the hand history: reading, writing, rejecting and checking."""
