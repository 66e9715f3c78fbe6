"""Judges a run under a fault: H1b by a permutation of blocks (docs/reference/method.md, "Faults"), and the lines of its prediction
(docs/reference/faults.md, "How a prediction is judged"). The lines are the texts that run.json kept from before the run."""
import math
import re

from formulas import hochberg, permutation, welch
from records import seconds


def block_losses(record, arm):
    """(lost, attempts) of each block."""
    blocks = {}
    for trial in record.select(arm):
        lost, attempts = blocks.get(trial.block, (0, 0))
        blocks[trial.block] = lost + int(trial.lost), attempts + int(trial["attempts"])
    return [blocks[block] for block in sorted(blocks)]


def totals(record, arm, column):
    return int(sum(trial[column] for trial in record.select(arm)))


def lost_of(record, arm):
    return int(sum(trial.lost for trial in record.select(arm)))


def difference_90(record, first, second):
    """second - first of block loss rates, in percentage points, by Welch's test."""
    found = welch(*([100.0 * lost / attempts for lost, attempts in block_losses(record, arm)] for arm in (first, second)))
    return found.difference(0.90) if found else None


def alike(record, first, second):
    """Within a point, by the 90 % interval."""
    interval = difference_90(record, first, second)
    return interval is not None and -1.0 < interval[0] and interval[1] < 1.0


def windows_agree(record, first, second):
    """All windows of subscribers together agree within 5 %, and all clients came back."""
    away = []
    for arm in (first, second):
        trials = record.select(arm)
        if any(trial["measure neverBack"] for trial in trials):
            return False
        away.append(sum((trial["measure subscriberWindows"] or 0) * (trial["measure subscriberAwayMeanUs"] or 0) for trial in trials))
    if away[0] == 0 or away[1] == 0:
        return away[0] == away[1]
    return abs(away[1] / away[0] - 1.0) <= 0.05


class Family:
    """The runs of a list, with p corrected over those that could be tested."""

    def __init__(self, records):
        self.records, self.p, self.words = records, {}, {}
        for record in records:
            nothing = lost_of(record, "direct") == 0 and lost_of(record, "pubsub") == 0
            few = min(len(block_losses(record, arm)) for arm in ("direct", "pubsub")) < 4
            agree = windows_agree(record, "direct", "pubsub")
            self.words[record.name] = ("not testable" if nothing else "not judged (quick)" if few
                                       else "not testable" if not agree else None)
            self.p[record.name] = None if self.words[record.name] else permutation(block_losses(record, "direct"),
                                                                                    block_losses(record, "pubsub"))
        names = [record.name for record in records]
        self.corrected = dict(zip(names, hochberg([self.p[name] for name in names])))
        for record in records:
            self.words[record.name] = self.words[record.name] or self._word(record)

    def _word(self, record):
        if alike(record, "direct", "pubsub"):
            return "alike"
        if self.corrected[record.name] < 0.05:
            return "holds" if lost_of(record, "pubsub") < lost_of(record, "direct") else "reversed"
        return "not shown"

    @property
    def tested(self):
        return sum(1 for p in self.p.values() if p is not None)


# --- predictions -------------------------------------------------------------------------------------------------------------

AS, NOT, UNTESTABLE = "as predicted", "not as predicted", "not testable"


def prediction(record):
    """As predicted only if every line is."""
    words = [judge(record, line) for line in record.run["prediction"]["expectations"] if not _left_out(record, line)]
    return next((word for word in (NOT, UNTESTABLE, None) if word in words), AS) if words else UNTESTABLE


def _left_out(record, line):
    """"The line about direct+buffer under churn is left out where it was not run." (docs/reference/faults.md)"""
    fault = record.scenario.get("fault") or {}
    return fault.get("profile") == "churn" and line.startswith("direct+buffer ") and "direct+buffer" not in record.arms


def judge(record, line):
    for pattern, rule in RULES:
        match = re.fullmatch(pattern, line)
        if match:
            return rule(record, *match.groups())
    return None


def _holds(good):
    return AS if good else NOT


def loses_nothing(record, arm):
    return _holds(lost_of(record, arm) == 0)


def as_forecast(record, arm):
    """Without messages that were shed or whose clients never got in."""
    left_out = sum(totals(record, arm, column) for column in ("causeShed", "causeConnectRefused", "causeConnectTimeout"))
    forecast = totals(record, arm, "measure predictedLost")
    return _holds(0.75 <= (lost_of(record, arm) - left_out) / forecast <= 1.25)


def as_closed_form(record, arm):
    trials = record.select(arm)
    windows = sum(trial["measure subscriberWindows"] for trial in trials)
    away = sum(trial["measure subscriberWindows"] * trial["measure subscriberAwayMeanUs"] for trial in trials) / windows / 1e6
    share = away / (seconds(record.scenario["fault"]["every"]) + away)
    return _holds(0.75 <= lost_of(record, arm) / totals(record, arm, "attempts") / share <= 1.25)


def keeps_acknowledged(record, arm):
    trials = record.select(arm)
    if any(trial["lostAcknowledged"] and trial.cells["drain"] == "proven" for trial in trials):
        return NOT
    proven = all(trial.cells["drain"] == "proven" for trial in trials)
    return AS if proven and totals(record, arm, "acknowledged") > 0 and totals(record, arm, "lostAcknowledged") == 0 else UNTESTABLE


def loses_acknowledged(record, arm, every):
    lost = [trial["lostAcknowledged"] for trial in record.select(arm) if trial.cells["drain"] == "proven"]
    return _holds(all(lost) if every else sum(lost) > 0) if lost else UNTESTABLE


def sheds(record, arm):
    """From 1 - capacity/offered to Erlang's B (Erlang, 1917), within a percentage point."""
    fault, scenario = record.scenario["fault"], record.scenario
    served = fault["atATime"] / seconds(fault["cost"])
    offered = scenario["users"][0] * scenario["messages"] / seconds(scenario["arrival"].split(":")[1])
    load, places = offered * seconds(fault["cost"]), fault["atATime"]
    erlang = (load ** places / math.factorial(places)) / sum(load ** k / math.factorial(k) for k in range(places + 1))
    shares = [trial["causeShed"] / trial["attempts"] for trial in record.select(arm)]
    return _holds(all(1 - served / offered - 0.01 <= share <= erlang + 0.01 for share in shares))


def differ_little(record, first, second):
    if lost_of(record, first) == 0 and lost_of(record, second) == 0:
        return UNTESTABLE if record.scenario["fault"]["profile"] == "slow-consumer" else AS
    losses = block_losses(record, first), block_losses(record, second)
    if min(map(len, losses)) < 4:
        return UNTESTABLE
    if alike(record, first, second):
        return AS
    return NOT if permutation(*losses) < 0.05 else UNTESTABLE


def not_much_more(record, more, less):
    if lost_of(record, more) == 0 and lost_of(record, less) == 0:
        return UNTESTABLE
    interval = difference_90(record, less, more)
    if interval[1] < 1.0:
        return AS
    return NOT if interval[0] > 0 and permutation(block_losses(record, more), block_losses(record, less)) < 0.05 else UNTESTABLE


def all_cut(record, arm):
    return _holds(all(trial["measure subscriberWindows"] > 0 for trial in record.select(arm)))


def equally_away(record, first, second):
    return _holds(windows_agree(record, first, second))


def late_or_lost(record, arm, ms):
    return _holds(all(trial["dueMaxUs"] >= 1000.0 * float(ms) or trial.lost / trial["attempts"] >= 0.01
                      for trial in record.select(arm)))


RULES = [
    (r"(\S+) loses nothing", loses_nothing),
    (r"the loss of (\S+) agrees with the offline windows as measured, within a quarter", as_forecast),
    (r"(\S+) loses W'/\(C \+ W'\), within a quarter", as_closed_form),
    (r"(\S+) loses nothing that was acknowledged", keeps_acknowledged),
    (r"(\S+) loses messages that were acknowledged(, in every iteration)?", loses_acknowledged),
    (r"in every iteration (\S+) sheds what a loss system sheds: .*", sheds),
    (r"the losses of (\S+) and (\S+) differ by less than a percentage point", differ_little),
    (r"(\S+) loses less than a percentage point more than (\S+)", not_much_more),
    (r"in every iteration subscribers of (\S+) lose their connections", all_cut),
    (r"subscribers of (\S+) and (\S+) are away equally long, within 5 %", equally_away),
    (r"in every iteration (\S+) delivers messages (\d+)ms late or more, or loses a percentage point", late_or_lost),
]
