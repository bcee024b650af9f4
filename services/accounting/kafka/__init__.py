"""Topics to ledger entries: decoding, posting, the projection."""
