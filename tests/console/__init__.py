"""The console in a real browser, on a whole stack."""
