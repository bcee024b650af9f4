"""Certificates: exact odds of every filed wager beside what its filing prints.

A printed figure *agrees* if it is the exact one to its last digit, is *near* within a
tenth of a point, and is a *misprint* beyond that. For a misprint the reading that would
explain it is searched for.
"""

from odds.certificates.certificate import Certificate, JudgedFigure, certify
from odds.certificates.offer import Offer, offers
from odds.certificates.reading_rank import FigureReading
from odds.certificates.verdicts import PrintVerdict

__all__ = [
    "Certificate",
    "FigureReading",
    "JudgedFigure",
    "Offer",
    "PrintVerdict",
    "certify",
    "offers",
]
