"""Many certificates in words: how many agree, and how many figures are wrong."""

from __future__ import annotations

from collections.abc import Sequence

from odds.certificates import Certificate, Verdict
from pitctl.output.text import counted


def totals(certificates: Sequence[Certificate]) -> tuple[str, str]:
    """How many certificates by verdict, and how many printed figures are wrong."""
    counts = {v: sum(each.verdict is v for each in certificates) for v in Verdict}
    said = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)
    figures = {each.figure for certificate in certificates for each in certificate.figures}
    wrong = {each.figure for certificate in certificates for each in certificate.misprints}
    printed = f"{counted(len(figures), 'printed figure')}, {len(wrong)} of them misprinted"
    return (
        f"{counted(len(certificates), 'certificate')}; printed edges: {said}",
        printed if figures else "no figures are printed",
    )
