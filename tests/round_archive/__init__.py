"""The archive of rounds, as a process."""
