"""A simulated day: its plan, its randomness, its events as bytes, its ground truth."""
