"""The alert desk, as a process."""
