"""Certificates find every misprint of the filings, and what would explain it, by themselves.

The expectations are typed from domain knowledge; nothing in `odds` knows them. The last
part plants misprints of its own and expects them to be explained.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from msgspec import structs

from odds.certificates import Certificate, JudgedFigure, PrintVerdict, certify
from odds.decimals import rounded
from odds.printed import PRINTED, FigureKind


@cache
def certificates() -> tuple[Certificate, ...]:
    return tuple(certify())


EXACT_EDGES = """
    skweezit       skweezit        2  1   2.321
    skweezit       skweezit        4  1   3.737
    skweezit       skweezit        5  1   4.016
    skweezit       skweezit        6  1   4.201
    skweezit       skweezit        7  1   4.334
    skweezit       skweezit        8  1   4.433
    match_madness  match_me        7  1   9.964
    match_madness  match_me        7  2   9.187
    dead_mans_hand dead_mans_hand  6  2   8.751
    dead_mans_hand dead_mans_hand  6  4   7.382
    half_back      upcard_bonus    6  1   3.229
    half_back      upcard_bonus    8  6   4.616
"""


def certificate(
    game: str, wager: str, decks: int, option: int, among: tuple[Certificate, ...] = ()
) -> Certificate:
    (found,) = (
        certificate
        for certificate in among or certificates()
        if certificate.offer.filing.game == game
        and wager in certificate.offer.wagers
        and (certificate.offer.decks, certificate.offer.paytable.option) == (decks, option)
    )
    return found


def figure(found: Certificate, kind: FigureKind, outcome: str | None = None) -> JudgedFigure:
    (judged,) = (
        judgment
        for judgment in found.judged
        if (judgment.figure.kind, judgment.figure.outcome) == (kind, outcome)
    )
    return judged


def reading(judged: JudgedFigure) -> str:
    return judged.reading.words if judged.reading is not None else ""


def test_there_are_eighty_one() -> None:
    counts = Counter(
        (certificate.offer.filing.game, certificate.offer.wagers[0])
        for certificate in certificates()
    )
    assert counts == {
        ("double_action_iii", "double_action"): 22,
        ("double_action_iii", "match_madness"): 8,
        ("match_madness", "match_me"): 8,
        ("skweezit", "skweezit"): 6,
        ("dead_mans_hand", "dead_mans_hand"): 25,
        ("half_back", "upcard_bonus"): 12,
    }


@pytest.mark.parametrize("line", EXACT_EDGES.strip().splitlines())
def test_the_exact_edge_is_stated(line: str) -> None:
    game, wager, decks, option, edge = line.split()
    found = certificate(game, wager, int(decks), int(option))
    assert rounded(100 * found.offer.worth.edge, 3) == Fraction(edge)


def test_every_printed_figure_is_judged() -> None:
    judged = {structs.astuple(judgment.figure) for c in certificates() for judgment in c.judged}
    assert judged == {structs.astuple(figure) for printed in PRINTED.values() for figure in printed}


def test_the_edges_of_double_action_are_all_right() -> None:
    wagers = ("double_action", "match_madness")
    of_filing = [c for c in certificates() if c.offer.wagers[0] in wagers]
    assert {judgment.verdict for judgment in of_filing} == {PrintVerdict.AGREES}


def test_the_edges_of_skweezit_fit_sixty_four_to_one_for_the_suited_belly() -> None:
    for decks in (2, 4, 5, 6, 7, 8):
        found = certificate("skweezit", "skweezit", decks, 1)
        edge = figure(found, FigureKind.HOUSE_EDGE)
        assert edge.verdict is PrintVerdict.MISPRINT
        assert "all agree if “Suited belly Skweezer” paid 64 to 1, not the filed 100" in reading(
            edge
        )
        assert figure(found, FigureKind.TOTAL_HIT_PERCENTAGE).verdict is PrintVerdict.AGREES


def test_seven_decks_of_match_madness_fit_a_triple_of_one_hundred() -> None:
    found = certificate("match_madness", "match_me_2", 7, 1)
    assert found.verdict is PrintVerdict.MISPRINT
    assert "it agrees if “Triple match” paid 100 to 1, not the filed 125 to 1" in reading(
        figure(found, FigureKind.HOUSE_EDGE)
    )
    others = [c for c in certificates() if "match_me" in c.offer.wagers and c is not found]
    assert {judgment.verdict for judgment in others} == {PrintVerdict.AGREES}


@pytest.mark.parametrize("decks", [1, 2, 5, 6, 8])
def test_dead_mans_hand_2_comes_close_with_fifty_for_the_dealers_blackjack(decks: int) -> None:
    edge = figure(certificate("dead_mans_hand", "dead_mans_hand", decks, 2), FigureKind.HOUSE_EDGE)
    assert edge.verdict is PrintVerdict.MISPRINT
    assert "within 0.02 points if “A-A or 8-8 and the dealer has blackjack” paid 50" in reading(
        edge
    )


@pytest.mark.parametrize("decks", [1, 2, 5, 6, 8])
def test_dead_mans_hand_4_comes_within_six_hundredths_with_two_for_the_pair(decks: int) -> None:
    edge = figure(certificate("dead_mans_hand", "dead_mans_hand", decks, 4), FigureKind.HOUSE_EDGE)
    assert edge.verdict is PrintVerdict.MISPRINT
    assert "within 0.06 points if “A-A or 8-8 with no A-8” paid 2 to 1" in reading(edge)


def test_dead_mans_hand_1_3_and_5_are_near() -> None:
    for option in (1, 3, 5):
        for decks in (1, 2, 5, 6, 8):
            found = certificate("dead_mans_hand", "dead_mans_hand", decks, option)
            assert found.verdict is PrintVerdict.NEAR
            assert not found.misprints


def test_the_eight_deck_rates_of_match_madness_are_the_five_deck_ones() -> None:
    for option in (1, 2):
        found = certificate("double_action_iii", "match_madness", 8, option)
        wrong = {misprint.figure.kind: misprint for misprint in found.misprints}
        assert len(found.misprints) == 7
        assert all(reading(misprint).endswith("for 5 decks") for misprint in found.misprints)
        assert wrong[FigureKind.TOTAL_HIT_PERCENTAGE].figure.text == "20.50%"


def test_the_six_deck_total_of_match_madness_is_the_four_deck_one() -> None:
    for option in (1, 2):
        found = certificate("double_action_iii", "match_madness", 6, option)
        assert [misprint.figure.text for misprint in found.misprints] == ["4.9", "20.29%"]
        assert {reading(misprint) for misprint in found.misprints} == {
            "it is the figure for 4 decks"
        }
        exact = found.offer.worth.hit
        assert (rounded(100 * exact, 2), rounded(1 / exact, 2)) == (
            Fraction("20.65"),
            Fraction("4.84"),
        )


def test_the_five_deck_totals_of_double_action_are_the_eight_deck_ones() -> None:
    for option in range(1, 7):
        found = certificate("double_action_iii", "double_action", 5, option)
        assert [misprint.figure.text for misprint in found.misprints] == ["4.39", "22.8%"]
        assert {reading(misprint) for misprint in found.misprints} == {
            "it is the figure for 8 decks"
        }


def test_the_six_deck_totals_of_double_action_are_off_in_the_last_digit() -> None:
    for option in range(1, 6):
        found = certificate("double_action_iii", "double_action", 6, option)
        near = [judgment for judgment in found.judged if judgment.verdict is PrintVerdict.NEAR]
        assert [judgment.figure.text for judgment in near] == ["4.42", "22.6%"]
        assert not found.misprints


def test_five_decks_of_match_madness_differ_in_a_last_digit() -> None:
    for option in (1, 2):
        found = certificate("double_action_iii", "match_madness", 5, option)
        off = [judgment for judgment in found.judged if judgment.verdict is not PrintVerdict.AGREES]
        assert [judgment.figure.text for judgment in off] == ["6.6", "20.50%"]
        assert {reading(judgment) for judgment in off} == {
            "it is the exact figure cut off, not rounded"
        }


def test_nothing_was_printed_of_the_upcard_bonus() -> None:
    upcard = [
        certificate
        for certificate in certificates()
        if certificate.offer.filing.game == "half_back"
    ]
    assert {certificate.verdict for certificate in upcard} == {PrintVerdict.NOT_PRINTED}


def test_no_other_figure_is_a_misprint() -> None:
    wrong = Counter(
        (c.offer.wagers[0], misprint.figure.kind.value)
        for c in certificates()
        for misprint in c.misprints
    )
    assert wrong == {
        ("skweezit", "house_edge"): 6,
        ("match_me", "house_edge"): 1,
        ("dead_mans_hand", "house_edge"): 10,
        ("dead_mans_hand", "payout_percentage"): 10,
        ("match_madness", "hit_rate"): 12,
        ("match_madness", "total_hit_rate"): 4,
        ("match_madness", "total_hit_percentage"): 4,
        ("double_action", "total_hit_rate"): 6,
        ("double_action", "total_hit_percentage"): 6,
    }
