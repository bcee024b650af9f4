"""A table as a fold: state, rounds, and what each fact changes."""
