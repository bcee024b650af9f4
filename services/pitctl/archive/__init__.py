"""Commands for the round archive: replay, rounds, tail, dead letters, rebuild."""
