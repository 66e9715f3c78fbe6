"""Derives the verdicts of the paper's hypotheses, the noise floor and the arms that still changed, by the rules of docs/reference/method.md
("Statistics", "Verdicts", "The noise floor"), and compares them with report.md and noise.json."""
import math
import re
from dataclasses import dataclass

from formulas import effective, halves, holm, mean, most_rejections, paired, variance, welch
from records import Record, read_json

LATENCY_MARGIN, BYTES_MARGIN = 0.01, 0.004
WAYS = ("blocks", "iterations", "n_eff")


# --- a table of one metric -------------------------------------------------------------------------------------------------

class Level:
    """The readings of two arms at one level, compared in each way."""

    def __init__(self, record, first, second, metric, users):
        self.users = users
        self.first, self.second = (record.values(arm, metric, users=users) for arm in (first, second))
        blocks = [[mean(block) for block in record.by_block(arm, metric, users=users)] for arm in (first, second)]
        self.first_blocks, self.second_blocks = blocks
        self.n = min(len(self.first), len(self.second))
        self.blocks = min(map(len, blocks))
        self.ways, self.holm = {}, {}
        if self.n > 1:
            self.ways["iterations"] = welch(self.first, self.second)
            self.ways["n_eff"] = effective(self.first, self.second)
        if self.blocks > 1 and len(blocks[0]) == len(blocks[1]):
            self.ways["blocks"] = paired(*blocks)

    @property
    def judged(self):
        """Blocks from five on, else iterations."""
        return self.ways.get("blocks" if self.blocks >= 5 else "iterations")

    @property
    def constant_and_equal(self):
        return self.n > 0 and len(set(self.first) | set(self.second)) == 1


def table_of(record, metric, arms):
    levels = [Level(record, *arms, metric, users) for users in record.scenario["users"]]
    for way in WAYS:
        corrected = holm([level.ways[way].p if level.ways.get(way) else None for level in levels])
        for level, p in zip(levels, corrected):
            level.holm[way] = p
    return levels


# --- direction and size ------------------------------------------------------------------------------------------------------

@dataclass
class Verdict:
    verdict: str
    direction: str | None = None
    size: str | None = None
    claimed: bool = True


def direction_of(level, way, sign, inside, by_difference):
    """One of the three ways: alike is asked first."""
    found = level.ways.get(way)
    if found is None:
        return "open"
    interval = found.difference(0.90) if by_difference else found.ratio(0.90)
    if interval is not None and inside(interval):
        return "alike"
    p = level.holm[way]
    if p is not None and p < 0.05:
        return "as claimed" if (found.second - found.first) * sign > 0 else "opposite"
    return "open"


def direction(level, sign, inside, by_difference=False):
    """That of blocks, where iterations and n_eff find the same."""
    found = {direction_of(level, way, sign, inside, by_difference) for way in WAYS}
    return found.pop() if len(found) == 1 else "open"


def size_of(interval, published, effect):
    """effect is ln for a ratio, and the number itself for percentage points."""
    if interval is None:
        return "too coarse"
    low, high = interval
    if not low <= published <= high:
        return "other size"
    ends = [effect(end) / effect(published) if end > 0 or effect is not math.log else -math.inf for end in interval]
    return "as published" if all(0.5 <= end <= 2.0 for end in ends) else "too coarse"


def with_size(found, size, above_floor, claimed):
    if not claimed:
        return Verdict("no claim", found, None, False)
    if found == "as claimed":
        return Verdict("reproduced" if size == "as published" and above_floor else "direction only", found, size)
    return Verdict("contradicted" if found in ("opposite", "alike") else "open", found)


class Paper:
    """A run of the scenario paper whose arms are direct and pubsub."""

    def __init__(self, record, published):
        self.record, self.published = record, published
        self.users = record.scenario["users"]
        self.floor = noise_floor(record)
        self.report = Report((record.folder / "report.md").read_text(encoding="utf-8"))
        self.tables = {metric: table_of(record, metric, ("direct", "pubsub")) for metric in ("loss", "latency", "bytes")}

    def row(self, table, users):
        return next((row for row in self.published[table]["rows"] if row["users"] == users), None)

    def quick(self, level):
        return level.n < 20 or level.blocks < 5

    def verdicts(self):
        rows = {"H1a": [], "H1b": [], "H2": [], "H3": [], "H3'": []}
        for loss, latency, size in zip(*(self.tables[metric] for metric in ("loss", "latency", "bytes"))):
            rows["H1a"].append(self.h1a(loss))
            rows["H1b"].append(self.h1b(loss))
            rows["H2"].append(self.h2(latency))
            rows["H3"].append(Verdict("not testable"))
            rows["H3'"].append(self.h3_bytes(size))
        return rows

    def testable(self, level):
        """What holds for every hypothesis: a valid run that has both arms. Validity is what report.md says it is."""
        if not self.report.valid or level.n == 0:
            return Verdict("not testable")
        return None

    def h1a(self, level):
        """The direct server loses, from 500 users on. Compares no arms, so that it is constant at 0 is an answer."""
        printed = self.row("table1_loss", level.users)
        early = self.testable(level)
        if early:
            return early
        if printed is None or printed["direct"]["loss"] == 0:
            return Verdict("not testable")      # one of the readings that README.md names
        if self.quick(level):
            return Verdict("not judged")
        expected = printed["direct"]["loss"]
        blocks = level.first_blocks
        none = paired([0.0] * len(blocks), blocks)
        interval = none.difference(0.95) if none else None
        found = "open"
        if len(level.first) >= 30 and all(loss < expected / 2 for loss in level.first):
            found = "alike"
        elif interval is not None and interval[0] > 0:
            found = "as claimed"
        return with_size(found, size_of(interval, expected, lambda x: x), self.above("loss", mean(level.first)), True)

    def h1b(self, level):
        """Pubsub loses less: the difference of the rates, in points."""
        printed = self.row("table1_loss", level.users)
        early = self.testable(level)
        if early:
            return early
        if level.constant_and_equal or printed is None or printed["direct"]["loss"] == printed["pubsub"]["loss"]:
            return Verdict("not testable")
        if self.quick(level):
            return Verdict("not judged")
        expected = printed["pubsub"]["loss"] - printed["direct"]["loss"]
        half = abs(expected) / 2
        found = direction(level, -1, lambda interval: -half < interval[0] and interval[1] < half, by_difference=True)
        if found == "alike" and max(mean(level.first), mean(level.second)) < half:
            return Verdict("not testable")
        size = size_of(level.judged.difference(0.95), expected, lambda x: x)
        return with_size(found, size, self.above("loss", abs(mean(level.second) - mean(level.first))), True)

    def h2(self, level):
        """Pubsub is slower; claimed from 500 users on."""
        printed = self.row("table3_latency", level.users)
        early = self.testable(level)
        if early:
            return early
        if level.constant_and_equal or printed is None:
            return Verdict("not testable")
        if self.quick(level):
            return Verdict("not judged")
        found = direction(level, 1, lambda interval: 1 - LATENCY_MARGIN < interval[0] and interval[1] < 1 + LATENCY_MARGIN)
        size = size_of(level.judged.ratio(0.95), printed["pubsub"]["mean"] / printed["direct"]["mean"], math.log)
        return with_size(found, size, self.above("latency", mean(level.second) / mean(level.first)), level.users >= 500)

    def h3_bytes(self, level):
        """H3': per delivered message both send the same. Not the paper's, and without a published size."""
        early = self.testable(level)
        if early:
            return early
        if level.constant_and_equal:
            return Verdict("not testable")
        if self.quick(level):
            return Verdict("not judged")
        inside = direction(level, 1, lambda interval: 1 - BYTES_MARGIN < interval[0] and interval[1] < 1 + BYTES_MARGIN)
        if inside == "alike":
            floor = self.floor and self.floor["passes"] and self.floor["bytes"]
            return Verdict("no difference" if floor and floor <= 1 + BYTES_MARGIN else "open", "alike")
        whole = level.judged.ratio(0.95)
        p = level.holm["blocks"]
        outside = whole is not None and (whole[0] > 1 + BYTES_MARGIN or whole[1] < 1 - BYTES_MARGIN)
        return Verdict("contradicted" if p is not None and p < 0.05 and outside else "open")

    def above(self, metric, effect):
        """Not below the floor, which there is, on a set-up that passed."""
        floor = self.floor and self.floor["passes"] and self.floor[metric]
        if floor is None or floor is False:
            return False
        return effect >= floor if metric == "loss" else max(effect, 1 / effect) >= floor


def of_hypothesis(rows, users):
    """(verdict, levels that contradict): over the rows where it is claimed."""
    claimed = [(row, n) for row, n in zip(rows, users) if row.claimed]
    contradicted = [n for row, n in claimed if row.verdict == "contradicted"]
    if contradicted:
        return "contradicted", contradicted
    words = [row.verdict for row, _ in claimed]
    return next((word for word in ("not judged", "open", "direction only", "reproduced", "no difference") if word in words),
                "not testable"), []


# --- the noise floor -----------------------------------------------------------------------------------------------------------

def farthest(interval):
    """The factor, up or down, that an interval of R does not exclude; infinite where it has no end."""
    if interval is None or interval[0] <= 0.0:
        return math.inf
    return max(interval[1], 1.0 / interval[0], 1.0)


def findings(record):
    """What an A/A run found."""
    first, second = record.arms
    tests = rejections = 0
    floor = {"loss": 0.0, "latency": 1.0, "bytes": 1.0}
    for metric in floor:
        for level in table_of(record, metric, (first, second)):
            if mean(level.first) != mean(level.second) or variance(level.first) != variance(level.second):
                tests += 1
                rejections += level.ways["iterations"].p < 0.05
            if metric == "loss":
                interval = level.judged.difference(0.95)
                floor[metric] = max(floor[metric], *map(abs, interval)) if interval else math.inf
            else:
                floor[metric] = max(floor[metric], farthest(level.judged.ratio(0.95)))
    most = most_rejections(tests)
    return {"server": first.removesuffix("-a"), "tests": tests, "rejections": rejections, "mostRejections": most,
            "passes": rejections <= most, **{metric: None if math.isinf(value) else value for metric, value in floor.items()}}


def noise_floor(record):
    """From the A/A runs that noise.json names, which lie beside the run; None without that file. The larger floor counts."""
    path = record.folder / "noise.json"
    if not path.exists():
        return None
    found = {source["run"]: findings(Record.at(record.folder.parent / source["run"])) for source in read_json(path)["sources"]}
    whole = {metric: None if any(one[metric] is None for one in found.values()) else max(one[metric] for one in found.values())
             for metric in ("loss", "latency", "bytes")}
    return {**whole, "passes": all(one["passes"] for one in found.values()), "sources": found}


# --- arms that still changed ---------------------------------------------------------------------------------------------------

def changing(record, interaction=False):
    """(arm, users) whose second half of each block differs from the first, after Holm over arms and levels, where a level is large
    enough for a verdict."""
    cells = [(arm, users) for arm in record.arms for users in record.scenario["users"]
             if len(record.select(arm, users=users)) >= 20 and len(record.by_block(arm, "latency", users=users)) >= 5]
    ps = []
    for arm, users in cells:
        trials = record.select(arm, users=users)
        ps.append(halves([record.mean_ms(trial) for trial in trials], [trial.block for trial in trials], interaction))
    return sorted(cell for cell, p in zip(cells, holm(ps)) if p is not None and p < 0.05)


# --- comparison with what the project wrote ------------------------------------------------------------------------------------

class Report:
    """What report.md says: validity, the table of hypotheses, and the arms that still changed."""

    def __init__(self, text):
        lines = text.splitlines()
        self.valid = any(line.startswith("## Validity: all checks pass") for line in lines)
        self.hypotheses = {}
        for cells in rows_below(lines, "| hypothesis | verdict | claim | by level |"):
            levels = {}
            for part in re.split(r"; (?=\d)", cells[3]):
                users, found = part.split(": ", 1)
                word, answer = re.match(r"([a-z ]+?)(?: \((as claimed|opposite|alike|open|other size|too coarse|as published)\))?(?: \(|$)",
                                        found).groups()
                levels |= {int(one): (word, answer) for one in users.split(", ")}
            whole, at = re.fullmatch(r"\*\*([a-z ]+?)(?: at N = ([\d, ]+) on this host| \(.*\))?\*\*", cells[1]).groups()
            self.hypotheses[cells[0]] = (whole, [int(users) for users in at.split(", ")] if at else [], levels)
        steady = next(line for line in lines if line.startswith("| arms steady while they were measured |"))
        self.changing = sorted((arm, int(users)) for arm, users in re.findall(r"(\S+) at (\d+) had ", steady))


def rows_below(lines, head):
    """The cells of each row of a table."""
    at = lines.index(head) + 2
    while at < len(lines) and lines[at].startswith("|"):
        yield [cell.strip() for cell in lines[at].strip("|").split("|")]
        at += 1


def answer_of(row):
    """What stands in brackets behind a verdict: the size where the direction is as claimed, else the direction."""
    if row.verdict == "direction only":
        return row.size
    return row.direction if row.verdict in ("contradicted", "no claim") else None


def compare(record, published, differences, notes):
    """The number of verdicts compared."""
    name = f"{record.folder.parent.name}/{record.name}"
    paper = Paper(record, published)
    count = compare_floor(record, paper.floor, name, differences)
    for hypothesis, rows in paper.verdicts().items():
        if hypothesis not in paper.report.hypotheses:
            differences.append(f"{name}/report.md: no hypothesis {hypothesis}")
            continue
        written, at, by_users = paper.report.hypotheses[hypothesis]
        whole, levels = of_hypothesis(rows, paper.users)
        count += 1
        if (written, at) != (whole, levels):
            differences.append(f"{name}/report.md: {hypothesis}: report {written} {at}, by the rules {whole} {levels}")
        for users, row in zip(paper.users, rows):
            # The page gives H3 and H3' neither a direction nor a size.
            answers = 1 if hypothesis in ("H3", "H3'") else 2
            found, own = by_users.get(users, ())[:answers], (row.verdict, answer_of(row))[:answers]
            count += 1
            if found != own:
                differences.append(f"{name}/report.md: {hypothesis} at {users}: report {found}, by the rules {own}")
    return count + compare_changing(record, paper.report, name, differences, notes)


def compare_changing(record, report, name, differences, notes):
    own, other = changing(record), changing(record, interaction=True)
    if own != other:
        notes.append(f"{name}: arms that still changed: {own} without an interaction of block and half, {other} with one")
    if report.changing not in (own, other):
        differences.append(f"{name}/report.md: arms that still changed: report {report.changing}, by the rules {own}")
    return 1


def compare_floor(record, floor, name, differences):
    if floor is None:
        return 0
    written = read_json(record.folder / "noise.json")
    if written.get("noise") != 2:
        differences.append(f"{name}/noise.json: version {written.get('noise')}, made by older rules: its floor is not compared")
        return 0

    def same(where, key, theirs, own):
        close = theirs == own or (isinstance(theirs, (int, float)) and isinstance(own, (int, float))
                                  and math.isclose(theirs, own, rel_tol=1e-6, abs_tol=1e-9))
        if not close:
            differences.append(f"{name}/noise.json: {where} {key}: file {theirs}, recomputed {own}")
    for source in written["sources"]:
        for key, value in source["found"].items():
            same(source["run"], key, value, floor["sources"][source["run"]].get(key))
    for key in ("passes", "loss", "latency", "bytes"):
        same("all sources:", key, written.get(key), floor[key])
    return 1 + len(written["sources"])
