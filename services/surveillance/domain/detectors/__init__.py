"""Detectors, one a file: what each remembers of a subject, and what it makes of it."""
