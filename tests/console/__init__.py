"""The console in a real browser, over the real services."""
