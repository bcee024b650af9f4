"""Commands on filed games and exact odds: games, certify, odds."""
