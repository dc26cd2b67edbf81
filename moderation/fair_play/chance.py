"""Probabilities of results by chance alone: exact where that is fast."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, exp, lgamma, sqrt
from statistics import NormalDist

RARE = 1 / 1000
"""Maximum share of honest pairs, or people, that one test finds by chance."""


def threshold(tested: int) -> float:
    """Return the p-value below which a result is shown, if so many pairs or people are *tested*: one in a
    thousand; on a large site one expected false finding among all of them (Bonferroni).

    >>> threshold(10), threshold(20_000)
    (0.001, 5e-05)
    """
    return min(RARE, 1 / tested) if tested else RARE


def sum_at_least(total: float, rows: Sequence[Sequence[int]]) -> float:
    """Return the probability that the sum is *total* or more if one number is drawn from each of *rows*,
    uniformly.

    Exact, by convolution. Numbers are whole and not negative.

    >>> sum_at_least(6, [(0, 3), (0, 3), (3, 3)])
    0.75
    """
    ways = [1.0]
    for row in rows:
        after = [0.0] * (len(ways) + max(row))
        for number in row:
            for known, chance in enumerate(ways):
                after[known + number] += chance / len(row)
        ways = after
    return min(1.0, sum(chance for value, chance in enumerate(ways) if value >= total - 1e-9))


def deviation(total: float, rows: Sequence[Sequence[int]]) -> float:
    """Return the number of standard deviations of *total* above the mean of such draws (z); 0 without
    variance.

    >>> deviation(9, [(0, 3), (0, 3), (0, 3)])  # the mean is 4.5, the deviation of each row 1.5
    1.7320508075688772
    """
    means = [sum(row) / len(row) for row in rows]
    variance = sum(
        sum((number - mean) ** 2 for number in row) / len(row) for row, mean in zip(rows, means, strict=True)
    )
    return (total - sum(means)) / sqrt(variance) if variance else 0.0


def ranks_above(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the probability that *some* rank so far above *others* if both have one distribution (rank-sum
    test of Wilcoxon, Mann and Whitney, one-sided, by the normal distribution with corrections for steps and
    ties).

    >>> round(ranks_above([4, 5, 6], [1, 2, 3]), 2), round(ranks_above([1, 3, 5], [2, 3, 4]), 2)
    (0.04, 0.59)
    """
    n, m = len(some), len(others)
    if not n or not m:
        return 1.0
    both = sorted([*some, *others])
    first = {value: index for index, value in reversed(list(enumerate(both, 1)))}
    last = {value: index for index, value in enumerate(both, 1)}
    above = sum((first[value] + last[value]) / 2 for value in some) - n * (n + 1) / 2
    ties = sum((last[value] - first[value] + 1) ** 3 - (last[value] - first[value] + 1) for value in first)
    variance = n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1)))
    if variance <= 0:
        return 1.0
    return 1 - NormalDist().cdf((above - n * m / 2 - 0.5) / sqrt(variance))


def drawn_at_least(hits: int, draws: int, marked: int, all_of_them: int) -> float:
    """Return the probability that *draws* out of *all_of_them*, of which some are *marked*, hold *hits*
    marked ones or more (hypergeometric; Fisher's exact test, one-sided).

    >>> round(drawn_at_least(2, 2, 2, 10), 4)
    0.0222
    """
    ways = comb(all_of_them, draws)
    total = sum(
        comb(marked, some) * comb(all_of_them - marked, draws - some)
        for some in range(hits, min(marked, draws) + 1)
    )
    return total / ways


def hits_at_least(hits: int, tries: int, rate: float, spread: float) -> float:
    """Return the probability of *hits* or more out of *tries* if the *rate* differs between people
    (beta-binomial). *spread*, from 0 to 1, is how much it does: 0 is not at all (binomial).

    >>> round(hits_at_least(8, 10, 0.5, 0), 4), round(hits_at_least(8, 10, 0.5, 0.1), 4)
    (0.0547, 0.1367)
    """
    if not 0 < rate < 1:
        return 1.0 if rate >= 1 or hits <= 0 else 0.0
    if spread <= 0:
        weights = (comb(tries, n) * rate**n * (1 - rate) ** (tries - n) for n in range(hits, tries + 1))
        return min(1.0, sum(weights))
    a, b = (share * (1 - spread) / spread for share in (rate, 1 - rate))
    every = lgamma(a) + lgamma(b) - lgamma(a + b)
    chances = (
        exp(
            lgamma(tries + 1) - lgamma(n + 1) - lgamma(tries - n + 1)
            + lgamma(n + a) + lgamma(tries - n + b) - lgamma(tries + a + b) - every
        )
        for n in range(hits, tries + 1)
    )  # fmt: skip
    return min(1.0, sum(chances))
