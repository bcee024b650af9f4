"""Amounts owed on every wager: a second implementation, independent of the engine.

`paytables` were typed from the filings once more, `hands` and `sides` read the rules aloud.
Nothing here may import how the engine settles (import-linter checks it), or the two would
agree by being one.
"""
