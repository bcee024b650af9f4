"""What each wager is owed and was paid, and how a round ends."""
