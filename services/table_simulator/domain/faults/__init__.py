"""Irregularities on request: a correct stream goes in, and comes out with one thing wrong."""
