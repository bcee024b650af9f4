"""The totals of many certificates: verdicts and misprints."""

from __future__ import annotations

from collections.abc import Sequence

from odds.certificates import Certificate, PrintVerdict
from pitctl.output.text import count_noun


def totals(certificates: Sequence[Certificate]) -> tuple[str, str]:
    """The number of certificates by verdict, and of misprints."""
    counts = {
        v: sum(certificate.verdict is v for certificate in certificates) for v in PrintVerdict
    }
    verdicts = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)
    checked = {judged.figure for one in certificates for judged in one.judged}
    wrong = {judged.figure for one in certificates for judged in one.misprints}
    printed = f"{count_noun(len(checked), 'printed figure')}, {len(wrong)} of them misprinted"
    return (
        f"{count_noun(len(certificates), 'certificate')}; printed edges: {verdicts}",
        printed if checked else "no printed figures",
    )
