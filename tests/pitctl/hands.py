"""Hand histories of the five games, typed from the filings; all paid as owed."""

from __future__ import annotations

from typing import Final

SKWEEZIT: Final = """\
table SK-07
rules skweezit decks 6 skweezit 1
dealer arrives D-1204
supervisor S-88
shoe SH-1 decks 6
round R-17 at 2026-03-01T20:15:00Z
bet 1 main 25.00, skweezit 5.00, 2 main 10.00
no more bets
deal 1 QC, 2 9H, dealer KD, 1 AH, 2 2S, dealer down 7C
pay 1 skweezit 100.00
dealer peeks no blackjack
pay 1 main 37.50
2 hits 6H
2 stands
dealer shows 7C
return 2 main 10.00
close round
"""

DOUBLE_ACTION: Final = """\
table DA-01
rules double_action_iii decks 6 double_action 1 match_madness 1
shoe SH-1 decks 6
round R-1 at 2026-03-01T20:00:00Z
bet 1 main 10.00, double_action 5.00, match_madness 5.00
no more bets
deal 1 8C, dealer 8H, 1 8D, dealer down 8S
pay 1 double_action 105.00
1 stands
dealer shows 8S
pay 1 match_madness 500.00
dealer draws TC
pay 1 main 10.00
close round
"""

MATCH_MADNESS: Final = """\
table MM-01
rules match_madness decks 4 match_me 1 match_me_2 1
shoe SH-1 decks 4
round R-1 at 2026-03-01T20:00:00Z
bet 1 match_me 5.00, match_me_2 5.00
no more bets
deal 1 KD, dealer match_me_2 down 2H, 1 9C, dealer match_me down KS, 1 4C
turn dealer match_me KS
pay 1 match_me 5.00
turn dealer match_me_2 2H
collect 1 match_me_2 5.00
close round
"""

DEAD_MANS_HAND: Final = """\
table DM-01
rules dead_mans_hand decks 6 dead_mans_hand 1
shoe SH-1 decks 6
round R-1 at 2026-03-01T20:00:00Z
bet 1 main 10.00, dead_mans_hand 5.00
no more bets
deal 1 8C, dealer 9H, 1 8D, dealer down 8S
1 splits AC AD
1.1 stands
1.2 stands
dealer shows 8S
pay 1 dead_mans_hand 250.00
pay 1.2 main 10.00
pay 1.1 main 10.00
close round
"""

HALF_BACK: Final = """\
table HB-01
rules half_back decks 6 upcard_bonus 1
shoe SH-1 decks 6
round R-1 at 2026-03-01T20:00:00Z
bet 1 main 10.00, half_back 10.00, upcard_bonus 5.00
no more bets
deal 1 TC, dealer 4C, 1 5D, dealer down TH
replace up card 8D
pay 1 upcard_bonus 5.00
1 takes half back 10.00
1 stands
dealer shows TH
collect 1 main 10.00
close round
"""

OVERPAID: Final = """\
table SK-08
rules skweezit decks 6 skweezit 1
dealer arrives D-1204
shoe SH-1 decks 6
round R-1 at 2026-03-01T20:00:00Z
bet 1 main 25.00 patron P-9
no more bets
deal 1 TC, dealer 9H, 1 9D, dealer down 8S
1 stands
dealer shows 8S
pay 1 main 30.00
close round
"""

CORRECTED: Final = OVERPAID + 'correct round R-1 1 main -5.00 reason "five too much" by S-88\n'

ALL_GAMES: Final = SKWEEZIT + DOUBLE_ACTION + MATCH_MADNESS + DEAD_MANS_HAND + HALF_BACK
"""Five tables in one text, nothing wrong at any of them."""
