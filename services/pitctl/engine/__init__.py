"""Commands that settle, audit and replay files with no service running."""
