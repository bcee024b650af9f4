"""Exact odds of every wager: probabilities, certificates, the edge of a remaining shoe.

A side bet is counted, way by way, through the evaluator that settles it (`ways`), so that
payouts and odds cannot drift apart. Counts are integers and odds are
fractions until they are printed. The main game is a decision problem and is analyzed
in `main_game`; what it costs to hand out a coupon is in `coupons`.
"""
