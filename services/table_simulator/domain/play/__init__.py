"""Rounds as they are played: bets, cards, decisions and payments, each written down as a fact."""
