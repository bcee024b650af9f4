"""The odds of every side bet, by means that share nothing with the engine nor with `odds`.

Only the standard library is used, and the rules and paytables are typed from the filings.
`filed` counts a full shoe in closed form, `brute` deals every ordered deal of any shoe and
judges it, `dead_mans_hand` follows the splits, `edges` puts a price on all 81 paytables.

A card is a number from 0 to 51, suits C D H S of thirteen ranks, ace first; a shoe is how
many of each are left. A law is what each winning outcome's chance is, the loss left out.
"""
