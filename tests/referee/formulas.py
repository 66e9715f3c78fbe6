"""The formulas of docs/reference/method.md, written from their sources. Nothing here comes from the project's own program."""
import functools
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np


# --- Student's t -----------------------------------------------------------------------------------------------------------

def _beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function, by Lentz's method (Press et al., Numerical Recipes, 6.4)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 10_000):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = 1.0 + numerator / c
            c = c if abs(c) > tiny else tiny
            result *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return result


def incomplete_beta(a, b, x):
    """The regularized incomplete beta function I_x(a, b) (Abramowitz and Stegun, 26.5.8)."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def t_two_sided(t, df):
    """P(|T| > |t|) of Student's t: I_x(df/2, 1/2) at x = df/(df + t^2) (Abramowitz and Stegun, 26.7.1)."""
    return incomplete_beta(df / 2.0, 0.5, df / (df + t * t))


@functools.lru_cache(maxsize=None)
def t_quantile(two_sided, df):
    """The t whose two-sided tail is two_sided, by bisection."""
    low, high = 0.0, 1.0
    while t_two_sided(high, df) > two_sided:
        high *= 2.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        if t_two_sided(middle, df) > two_sided:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


# --- Moments ---------------------------------------------------------------------------------------------------------------

def mean(values):
    """Exactly rounded, so that the same readings in another order have the same mean."""
    if all(value == values[0] for value in values):
        return values[0]
    return math.fsum(values) / len(values)


def covariance(first, second):
    m1, m2 = mean(first), mean(second)
    return math.fsum((a - m1) * (b - m2) for a, b in zip(first, second)) / (len(first) - 1)


def variance(values):
    return covariance(values, values)


def deviation(values):
    return math.sqrt(variance(values)) if len(values) > 1 else None


# --- Tests and intervals of two arms ---------------------------------------------------------------------------------------

@dataclass
class Comparison:
    """second - first and second/first, tested in one way. p is None where it cannot be tested; an interval is None where it has
    no end or no degrees of freedom."""
    first: float
    second: float
    v1: float           # squared standard errors of the means, and their covariance
    v2: float
    v12: float
    df: float | None
    p: float | None

    def difference(self, confidence):
        d = self.second - self.first
        error = math.sqrt(max(0.0, self.v1 + self.v2 - 2 * self.v12))
        if error == 0.0:
            return d, d
        if self.df is None:
            return None
        half = t_quantile(1 - confidence, self.df) * error
        return d - half, d + half

    def ratio(self, confidence):
        """Fieller (1954): every R for which second - R first does not differ from 0, with the degrees of freedom of the test of
        the difference and cut at 0 (decision 0133). None where the first arm is not clear of 0."""
        if self.df is None:
            return None
        q = t_quantile(1 - confidence, self.df) ** 2
        a = self.first ** 2 - q * self.v1
        b = self.first * self.second - q * self.v12
        c = self.second ** 2 - q * self.v2
        if a <= 0.0:
            return None
        root = math.sqrt(max(0.0, b * b - a * c))
        high = (b + root) / a
        return (max(0.0, (b - root) / a), high) if high >= 0.0 else None


def _compare(m1, m2, v1, v2, v12, df):
    d, squared = m2 - m1, v1 + v2 - 2 * v12
    if squared <= 0.0:
        p = None if d == 0.0 else 0.0
    else:
        p = t_two_sided(d / math.sqrt(squared), df)
    return Comparison(m1, m2, v1, v2, v12, df, p)


def welch(first, second, count=None):
    """Welch (1947) with Satterthwaite's degrees of freedom. count stands for n of both arms where n_eff is asked for."""
    n1, n2 = (count, count) if count is not None else (len(first), len(second))
    if len(first) < 2 or len(second) < 2 or min(n1, n2) < 2:
        return None
    v1, v2 = variance(first) / n1, variance(second) / n2
    weights = v1 * v1 / (n1 - 1) + v2 * v2 / (n2 - 1)
    df = (v1 + v2) ** 2 / weights if weights > 0.0 else float(n1 + n2 - 2)
    return _compare(mean(first), mean(second), v1, v2, 0.0, df)


def paired(first, second):
    """Student's paired test. The interval of the ratio takes the covariance of the pairs."""
    n = len(first)
    if n < 2 or n != len(second):
        return None
    difference = [b - a for a, b in zip(first, second)]
    v1, v2 = variance(first) / n, variance(second) / n
    vd = variance(difference) / n
    return _compare(mean(first), mean(second), v1, v2, 0.5 * (v1 + v2 - vd), float(n - 1))


def lag1(pairs_first, pairs_second):
    """Lag-1 autocorrelation of the paired differences; None below 20 pairs or where they do not vary."""
    d = [b - a for a, b in zip(pairs_first, pairs_second)]
    if len(d) < 20:
        return None
    centre = mean(d)
    total = math.fsum((x - centre) ** 2 for x in d)
    if total == 0.0:
        return None
    return math.fsum((x - centre) * (y - centre) for x, y in zip(d, d[1:])) / total


def effective(first, second):
    """Welch with n_eff = n (1 - r)/(1 + r) where r > 0; the same as Welch where it is not."""
    r = lag1(first, second)
    if r is None or r <= 0.0:
        return welch(first, second)
    return welch(first, second, len(first) * (1 - r) / (1 + r))


# --- Corrections -----------------------------------------------------------------------------------------------------------

def holm(ps):
    """Holm (1979), step-down. Rows that cannot be tested (None) are no members of the family."""
    order = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    result, largest = [None] * len(ps), 0.0
    for rank, (p, i) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        result[i] = largest
    return result


def hochberg(ps):
    """Hochberg (1988), step-up."""
    order = sorted(((p, i) for i, p in enumerate(ps) if p is not None), reverse=True)
    result, least = [None] * len(ps), 1.0
    for rank, (p, i) in enumerate(order):
        least = min(least, (rank + 1) * p)
        result[i] = least
    return result


def most_rejections(tests, rate=0.05, bad=0.01):
    """The most rejections that a sound set-up exceeds with a probability of at most bad (binomial)."""
    at_least = [math.fsum(math.comb(tests, k) * rate ** k * (1 - rate) ** (tests - k) for k in range(j, tests + 1))
                for j in range(tests + 2)]
    return next(k for k in range(tests + 1) if at_least[k + 1] <= bad)


# --- Permutation and analysis of variance ----------------------------------------------------------------------------------

def permutation(first, second):
    """The exact two-sided p of a permutation of blocks. first and second hold (lost, attempts) of each block; rates are compared
    as fractions, so ties are ties."""
    rates = [Fraction(lost, attempts) for lost, attempts in first + second]
    n1, n2, total = len(first), len(second), sum(rates)

    def apart(chosen):
        part = sum(rates[i] for i in chosen)
        return abs((total - part) / n2 - part / n1)

    observed = apart(range(n1))
    every = [apart(chosen) for chosen in itertools.combinations(range(n1 + n2), n1)]
    return sum(1 for value in every if value >= observed) / len(every)


def halves(values, blocks, interaction=False):
    """p of the second half of each block against the first: analysis of variance with the factors block and half, by least
    squares. With interaction the residual is what is left within block and half. The middle of an odd block counts as second."""
    names = sorted(set(blocks))
    place = {name: [i for i, block in enumerate(blocks) if block == name] for name in names}
    half = np.zeros(len(values))
    for where in place.values():
        half[where[len(where) // 2:]] = 1.0
    block_part = np.array([[1.0 if block == name else 0.0 for name in names] for block in blocks])
    y = np.array(values)

    def residual(columns):
        fit, _, rank, _ = np.linalg.lstsq(columns, y, rcond=None)
        return float(np.sum((y - columns @ fit) ** 2)), int(rank)

    without, _ = residual(block_part)
    with_half, rank = residual(np.column_stack([block_part, half]))
    rest = with_half
    if interaction:
        rest, rank = residual(np.column_stack([block_part, block_part * half[:, None]]))
    df = len(values) - rank
    if df < 1 or rest <= 0.0:
        return None
    return t_two_sided(math.sqrt(max(0.0, without - with_half) / (rest / df)), df)
