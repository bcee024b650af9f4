"""What every wager is worth: exact probabilities, certificates, the edge of a remaining shoe.

A side bet is counted, way by way, through the evaluator that settles it (`ways`), so that
what is paid and what it is worth cannot drift apart. Counts are integers and odds are
fractions until somebody prints them. The main game is a decision problem and is analysed
in `main_game`; what it costs to hand out a coupon is in `coupons`.
"""
