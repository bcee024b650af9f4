"""`pitctl`: what operators, auditors and developers type.

`pitctl settle` folds a hand history or JSON lines through the engine and says what every
wager is owed, with its clause; `pitctl games` shows what can be played and how it is
written. `pitctl.accounting` is what an accountant types. Everything that decides anything is in
`blackjack` and in the services; here it is read and shown.
"""
