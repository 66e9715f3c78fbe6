"""Recomputes the tables of README.md and docs/results.md. A rule knows a table by the heading of the reports in its marker, finds its
records there, and looks at every cell."""
import re

from fault_rules import Family, lost_of, prediction, totals
from formulas import deviation, mean, paired
from queues import costs, decide
from records import Record, read_json


class Unattributed(Exception):
    """A table, or a column of it, that no record is named for."""


def needed(found, what):
    if found is None:
        raise Unattributed(f"no {what}")
    return found


def mean_sd(values):
    if not values:
        return None, None
    return mean(values), deviation(values)


def interval_by_blocks(record, users):
    """The 95 % interval of R by blocks."""
    first, second = (record.by_block(arm, "latency", users=users) for arm in ("direct", "pubsub"))
    return paired([mean(block) for block in first], [mean(block) for block in second]).ratio(0.95) or (None, None)


def arm_of(column):
    arm, _, name = column.partition(": ")
    return (arm, name) if name else (None, column)


class Tables:
    def __init__(self, root, checker, family_page):
        self.check, self.root = checker, root
        self.published = {name: read_json(root / "results" / "published" / f"{name}.json")
                          for name in ("paper", "stream-interference", "transports")}
        self.family_page, self._family = family_page, None

    def run(self, table):
        self.check.tables += 1
        if table.heading is None:
            self._without_marker(table)
            return
        by_heading = {"Table III": self.latency, "The fault": self.faults, "The published table": self.published_table,
                      "Overview": self.overview, "Which queue": lambda one: decide(one, self.check),
                      "What a message costs": lambda one: costs(one, self.check)}
        rule = self.together if table.together else by_heading.get(table.heading)
        try:
            needed(rule, f"rule for the heading {table.heading}")(table)
        except Unattributed as reason:
            self.check.differences.append(f"{table.name}: can not be attributed: {reason}")
            return
        self.check.missing(table)

    def _without_marker(self, table):
        """Words only: a digit outside of code, of a name and of a link would be a figure."""
        for cells in table.rows:
            for cell in cells:
                if re.search(r"(?<![\w.])\d", re.sub(r"`[^`]*`", "", cell)) and not table.page.name == "README.md":
                    self.check.differences.append(f"{table.name}: a figure without a marker: {cell}")

    @property
    def family(self):
        """The runs of the table of docs/results.md."""
        if self._family is None:
            records = [record for table in self.family_page.tables if table.heading == "The fault" for record in table.records]
            self._family = Family(records)
        return self._family

    # --- the paper's table of latencies ------------------------------------------------------------------------------------

    def latency(self, table):
        printed = {row["users"]: row for row in self.published["paper"]["table3_latency"]["rows"]}
        for r, cells in enumerate(table.rows):
            users = int(cells[0])
            self.check.key(table, r, 0)
            for c, column in enumerate(table.header[1:], 1):
                name, record = table.labelled(column)
                means = {arm: mean_sd(record.values(arm, "latency", users=users)) for arm in ("direct", "pubsub")}
                if name == "R published":
                    self.check.numbers(table, r, c, [printed[users]["pubsub"]["mean"] / printed[users]["direct"]["mean"]], "published")
                elif name == "R measured":
                    self.check.numbers(table, r, c, [means["pubsub"][0] / means["direct"][0]])
                elif name == "R, 95 %":
                    self.check.numbers(table, r, c, interval_by_blocks(record, users))
                elif name.endswith(" measured"):
                    self.check.numbers(table, r, c, means[name.removesuffix(" measured")])

    def together(self, table):
        """Runs in the order in which they started: R with its interval by blocks, and the smallest interval that holds all."""
        records = sorted(table.records, key=lambda record: record.run["started"])
        for r, cells in enumerate(table.rows):
            users = int(re.search(r"\d+", cells[0]).group())
            self.check.key(table, r, 0)
            intervals = [interval_by_blocks(record, users) for record in records]
            for c, column in enumerate(table.header[1:], 1):
                if column == "range":
                    self.check.numbers(table, r, c, [min(low for low, _ in intervals), max(high for _, high in intervals)])
                elif column.startswith("run "):
                    at = int(column.removeprefix("run ")) - 1
                    means = {arm: mean(records[at].values(arm, "latency", users=users)) for arm in ("direct", "pubsub")}
                    self.check.numbers(table, r, c, [means["pubsub"] / means["direct"], *intervals[at]])

    # --- faults ------------------------------------------------------------------------------------------------------------

    def faults(self, table):
        family = self.family
        for r, cells in enumerate(table.rows):
            record = Record.at(needed(table.row_links[r], "record in the row " + cells[0]))
            self.check.word(table, r, 0, record.scenario["fault"]["profile"] if record.scenario.get("fault") else "none")
            for c, column in enumerate(table.header[1:], 1):
                arm, name = arm_of(column)
                if name == "end-to-end loss":
                    share = 100.0 * lost_of(record, arm) / totals(record, arm, "attempts") if arm in record.arms else None
                    self.check.numbers(table, r, c, [share])
                elif name == "prediction":
                    self.check.word(table, r, c, prediction(record) or "a line of the prediction that no rule is known for")
                elif name == "H1b":
                    self.check.word(table, r, c, family.words[record.name])

    # --- published experiments ---------------------------------------------------------------------------------------------

    def published_table(self, table):
        if "test" in table.header:
            self._transports(table)
        else:
            self._stream(table)

    def _transports(self, table):
        record = table.records[0]
        names = {"long-polling": "longPolling", "polling": "polling"}
        for r, cells in enumerate(table.rows):
            self.check.key(table, r, 0)
            printed = needed(next((one for one in self.published["transports"]["tests"] if one["name"] == cells[0]), None),
                             f"published test {cells[0]}")
            for c, column in enumerate(table.header[1:], 1):
                arm, name = arm_of(column)
                if name == "published / WebSocket":
                    self.check.numbers(table, r, c, [printed[names[arm]]["mean"] / printed["webSocket"]["mean"]], "published")
                elif name == "measured / WebSocket":
                    means = [mean(record.values(one, "latency", test=cells[0])) for one in (arm, "websocket")]
                    self.check.numbers(table, r, c, [means[0] / means[1]])

    def _stream(self, table):
        record = table.records[0]
        for r, cells in enumerate(table.rows):
            every = int(cells[1].split()[0])
            one = next((cell for cell in self.published["stream-interference"]["cells"]
                        if cell["published"] == cells[0] and cell["requestEveryMs"] == every), None)
            # A stream that is not published stands in the page by its own name, and says so.
            own = cells[0].removesuffix(" (not published)")
            stream = needed(one["stream"] if one else own if own != cells[0] else None, f"published cell {cells[0]}, {cells[1]}")
            size, period = ("0", "0") if stream == "idle" else stream.removesuffix("us").split("/")
            for c, column in enumerate(table.header):
                arm, name = arm_of(column)
                if c < 2:
                    self.check.key(table, r, c)
                elif name == "published worst mean":
                    self.check.exact(table, r, c, [one["worstMeanUs"]] if one else [], "published")
                elif name == "measured worst mean":
                    values = record.values(arm, "latency", dummyBytes=size, dummyPeriodUs=period, requestEveryMs=every)
                    self.check.numbers(table, r, c, [1000.0 * max(values)])

    # --- overviews of the standard report ----------------------------------------------------------------------------------

    MEASURES = {
        "bytes to the client": lambda trial: trial["measure bytesToClient"],
        "bytes to the server": lambda trial: trial["measure bytesToServer"],
        "server CPU per delivered message (us)": lambda trial: trial["serverCpuUs"] / trial["delivered"],
        "resident memory of the server per idle client (KiB)": lambda trial: trial["measure idleMemory"],
        "memory of the servers per idle connection (KiB)": lambda trial: trial["measure memoryPerConnection"],
        "memory of the servers per connection after the messages (KiB)": lambda trial: trial["measure memoryPerConnectionAfter"],
        "time until all subscribers had a message (ms)": lambda trial: trial["measure allReached"],
    }

    def overview(self, table):
        at = table.header.index("arm")
        for r, cells in enumerate(table.rows):
            level = {name: cell for name, cell in zip(table.header[:at], cells)}
            record = next((one for one in table.records if one.select(cells[at], **level)), None)
            record = needed(record, f"record of {cells[at]} at {level}")
            for c in range(at + 1):
                self.check.key(table, r, c)
            for c, name in enumerate(table.header[at + 1:], at + 1):
                if name in self.MEASURES:
                    self.check.numbers(table, r, c, mean_sd(record.values(cells[at], self.MEASURES[name], **level)))
