"""The console in a real browser, on a complete stack."""
