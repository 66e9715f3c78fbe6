"""Recomputes the tables of README.md and docs/results.md. Each handler knows a table by its header, finds its records by the links
before it or in its rows, and looks at every cell."""
import re

from fault_rules import Family, lost_of, prediction, totals
from formulas import deviation, mean, paired
from pages import LINK
from records import Record, read_json

METRICS = {"I": "loss", "II": "lost", "III": "latency", "IV": "kbps"}
PUBLISHED = {"I": "table1_loss", "II": "table2_lostMessages", "III": "table3_latency", "IV": "table4_bandwidthOut"}


class Unattributed(Exception):
    """A table, or a column of it, that no record is linked for."""


def needed(record, what):
    if record is None:
        raise Unattributed(f"no link to {what}")
    return record


def mean_sd(values):
    if not values:
        return None, None
    return mean(values), deviation(values)


def ratio_by_blocks(record, users):
    """R of the means over iterations, with its 95 % interval by blocks."""
    first, second = (record.by_block(arm, "latency", users=users) for arm in ("direct", "pubsub"))
    found = paired([mean(block) for block in first], [mean(block) for block in second])
    interval = found.ratio(0.95) or (None, None)
    whole = mean([value for block in second for value in block]) / mean([value for block in first for value in block])
    return (whole, *interval)


def reached_per_second(record, arm, **level):
    """Delivered messages over the sum of the bursts."""
    trials = record.select(arm, **level)
    return sum(trial["delivered"] for trial in trials) / sum(trial["burstUs"] for trial in trials) * 1e6


class Tables:
    def __init__(self, root, checker, family_page):
        self.check, self.root = checker, root
        self.published = {name: read_json(root / "results" / "published" / f"{name}.json")
                          for name in ("paper", "request-reply", "stream-interference", "transports")}
        self.family_page, self._family = family_page, None
        self.handlers = [
            (lambda t: t.header[0] == "users" and "direct, published" in t.header, self.paper),
            (lambda t: t.header[0] == "users" and "direct, before" in t.header, self.before_and_after),
            (lambda t: t.header[0] == "users" and any("distant" in name for name in t.header), self.distant),
            (lambda t: t.header[:2] == ["arm", "client"], self.client),
            (lambda t: t.header[0] == "what breaks", self.faults),
            (lambda t: t.header[0] == "test" and "model" in t.header, self.transports),
            (lambda t: t.header[:3] == ["loss, %", "client", "transport"], self.cuts),
            (lambda t: t.header[:2] == ["clients", "transport"], self.cost),
            (lambda t: t.header[:2] == ["", "published"] and "direct" in t.header, self.request_reply),
            (lambda t: t.header[:2] == ["connections", "arm"], self.idle),
            (lambda t: t.header[:2] == ["stream", "request every"], self.stream),
            (lambda t: t.header == ["to", "read"], self.navigation),
        ]

    def run(self, table):
        self.check.tables += 1
        handler = next((handler for fits, handler in self.handlers if fits(table)), None)
        if handler is None:
            self.check.differences.append(f"{table.name}: this table can not be attributed: its header is of no known kind")
            return
        try:
            handler(table)
        except Unattributed as reason:
            self.check.differences.append(f"{table.name}: can not be attributed: {reason}")
            return
        self.check.missing(table)

    @property
    def family(self):
        """The runs of the table of docs/results.md. README.md shows some of them, with p corrected over all."""
        if self._family is None:
            tables = [table for table in self.family_page.tables if table.header[0] == "what breaks"]
            folders = [folder for table in tables for folder in table.row_links if folder]
            self._family = Family([Record.at(folder) for folder in folders], self.check.notes)
        return self._family

    # --- the paper's four tables -------------------------------------------------------------------------------------------

    def _published_row(self, number, users):
        rows = self.published["paper"][PUBLISHED[number]]["rows"]
        return next((row for row in rows if row["users"] == users), None)

    def paper(self, table):
        number = re.search(r"\b(IV|III|II|I)\b", table.heading)
        number = needed(number and number.group(1), "a table of the paper in the heading")
        for r, cells in enumerate(table.rows):
            users = int(cells[0])
            self.check.key(table, r, 0)
            printed = self._published_row(number, users)
            for c, name in enumerate(table.header[1:], 1):
                quantity, _, source = name.partition(", ")
                if source == "published":
                    self._published_cell(table, r, c, number, quantity, printed)
                    continue
                record = needed(table.page.first("paper", source), f"a run labelled {source}")
                metric = METRICS[number]
                if quantity == "R":
                    first, second = (mean(record.values(arm, metric, users=users)) for arm in ("direct", "pubsub"))
                    self.check.numbers(table, r, c, [second / first])
                else:
                    self.check.numbers(table, r, c, mean_sd(record.values(quantity, metric, users=users)))

    def _published_cell(self, table, r, c, number, quantity, printed):
        if printed is None:
            self.check.exact(table, r, c, [], "published")
        elif quantity == "R":
            self.check.numbers(table, r, c, [printed["pubsub"]["mean"] / printed["direct"]["mean"]], "published")
        elif number == "I":
            self.check.exact(table, r, c, [printed[quantity]["loss"]], "published")
        else:
            self.check.exact(table, r, c, [printed[quantity]["mean"], printed[quantity]["sd"]], "published")

    # --- further runs of the paper's scenario ------------------------------------------------------------------------------

    def before_and_after(self, table):
        label = needed({"burst": "burst", "spread": "spread"}.get(next(iter(re.findall("burst|[Ss]pread", table.lead)), "").lower()),
                       "a burst or a spread load in the line above the table")
        now = needed(table.page.first("paper", label), f"a run labelled {label}")
        before = needed(table.last("paper", label), f"an older run labelled {label}")
        if before.name >= now.name:
            raise Unattributed(f"an older run labelled {label} in this section")
        for r, cells in enumerate(table.rows):
            self.check.key(table, r, 0)
            for c, name in enumerate(table.header[1:], 1):
                record = before if name.endswith(", before") else now
                quantity = name.removesuffix(", before")
                if quantity == "R":
                    self.check.numbers(table, r, c, ratio_by_blocks(record, cells[0]))
                else:
                    self.check.numbers(table, r, c, [mean(record.values(quantity, "latency", users=cells[0]))])

    def distant(self, table):
        far = needed(table.last("paper", "aws"), "a run labelled aws")
        near = needed(table.page.first("paper", "burst"), "the burst")
        for r, cells in enumerate(table.rows):
            self.check.key(table, r, 0)
            users = cells[0]
            far_ratio, near_ratio = ratio_by_blocks(far, users), ratio_by_blocks(near, users)
            for c, name in enumerate(table.header[1:], 1):
                if name == "direct" or name.startswith("pubsub"):
                    record = near if "near" in name else far
                    values = [mean(record.values(name.split(",")[0], "latency", users=users))]
                elif name.startswith("R, near"):
                    values = near_ratio if "95" in name else near_ratio[:1]
                elif name.startswith("R, distant"):
                    values = far_ratio if "95" in name else far_ratio[:1]
                elif name.startswith("messages/s"):
                    values = [reached_per_second(far, "pubsub", users=users)]
                else:
                    continue
                self.check.numbers(table, r, c, values)

    def client(self, table):
        records = {"page" if link.record.run["setUp"].get("client") == "browser" else "own": link.record
                   for link in table.section_links("paper")}
        for r, cells in enumerate(table.rows):
            arm, record = cells[0], needed(records.get(cells[1]), f"a run of the client {cells[1]}")
            users = record.scenario["users"][0]
            trials = record.select(arm, users=users)
            values = {
                "mean, ms": lambda: mean(record.values(arm, "latency", users=users)),
                "p50, ms": lambda: record.merged_percentile(arm, users, 50),
                "p99, ms": lambda: record.merged_percentile(arm, users, 99),
                "CPU of the load per message, us": lambda: sum(trial["loadCpuUs"] for trial in trials)
                / sum(trial["delivered"] for trial in trials),
                "messages/s": lambda: reached_per_second(record, arm, users=users),
            }
            self._by_column(table, r, 2, lambda name: [values[name]()] if name in values else None)

    def _by_column(self, table, r, first, values_of, kind="recomputed"):
        for c in range(first):
            self.check.key(table, r, c)
        for c, name in enumerate(table.header[first:], first):
            values = values_of(name)
            if values is not None:
                self.check.numbers(table, r, c, values, kind)

    # --- faults ------------------------------------------------------------------------------------------------------------

    def faults(self, table):
        family = self.family
        for r, cells in enumerate(table.rows):
            record = Record.at(needed(table.row_links[r], "a record in the row " + cells[0]))
            name = record.name
            if name not in family.words:
                raise Unattributed(f"{name} is not among the runs of the table of {self.family_page.name}")
            self.check.word(table, r, 0, record.scenario["fault"]["profile"] if record.scenario.get("fault") else "none")
            for c, column in enumerate(table.header[1:], 1):
                lost = re.fullmatch(r"(\S+) lost", column)
                if lost:
                    arm = lost.group(1)
                    share = 100.0 * lost_of(record, arm) / totals(record, arm, "attempts") if arm in record.arms else None
                    self.check.numbers(table, r, c, [share])
                elif column == "acknowledged, and lost by pubsub":
                    self.check.exact(table, r, c, [totals(record, "pubsub", "lostAcknowledged"), totals(record, "pubsub", "acknowledged")])
                elif column == "prediction":
                    self.check.word(table, r, c, prediction(record) or "a line of the prediction that no rule is known for")
                elif column == "p":
                    self.check.numbers(table, r, c, [family.p[name]])
                elif re.fullmatch(r"p, \w+", column):
                    self.check.numbers(table, r, c, [family.corrected[name]])
                elif "pubsub loses less" in column:
                    self.check.word(table, r, c, family.words[name])

    # --- transports --------------------------------------------------------------------------------------------------------

    def transports(self, table):
        record = needed(table.last("transports"), "a run of transports")
        arms = {"WebSocket": ("websocket", "webSocket"), "long polling": ("long-polling", "longPolling"), "polling": ("polling", "polling")}
        model = self._models(record)
        for r, cells in enumerate(table.rows):
            test = cells[0]
            self.check.key(table, r, 0)
            printed = next((one for one in self.published["transports"]["tests"] if one["name"] == test), None)
            printed = needed(printed, f"a published test {test}")
            group = ""
            for c, name in enumerate(table.header[1:], 1):
                if name.endswith(", published"):
                    group = name.removesuffix(", published")
                parts = [arms[part] for part in group.split("/")]
                if name == "model":
                    self.check.numbers(table, r, c, [model[test, parts[0][0]]], "report")
                elif len(parts) == 1 and name.endswith("published"):
                    self.check.exact(table, r, c, [printed[parts[0][1]]["mean"], printed[parts[0][1]]["sd"]], "published")
                elif len(parts) == 2 and name.endswith("published"):
                    self.check.numbers(table, r, c, [printed[parts[0][1]]["mean"] / printed[parts[1][1]]["mean"]], "published")
                elif name == "measured":
                    means = [mean(record.values(part[0], "latency", test=test)) for part in parts]
                    if len(parts) == 2:
                        self.check.numbers(table, r, c, [means[0] / means[1]])
                    else:
                        spread = record.values(parts[0][0], lambda trial: trial[record.latency + "SdUs"] / 1000.0, test=test)
                        self.check.numbers(table, r, c, [means[0], mean(spread)])

    def _models(self, record):
        """The model is a simulation of the program; only its report has the result."""
        found = {}
        for line in (record.folder / "report.md").read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) > 6 and re.fullmatch(r"\d+\.\d+", cells[6]) and cells[1] in record.arms:
                found[cells[0], cells[1]] = float(cells[6])
        return found

    def cuts(self, table):
        record = needed(table.last("transports-cuts"), "a run of transports-cuts")

        def never(trial):
            return trial["attempts"] - trial["delivered"] - trial["late"]
        columns = {
            "never came": never,
            "per cut": lambda trial: never(trial) / trial["measure cuts"],
            "noticed to next measurement, ms": lambda trial: trial["measure untilFirst"],
            "p50, ms": lambda trial: record.percentile_ms(trial, "P50"),
            "p99, ms": lambda trial: record.percentile_ms(trial, "P99"),
        }
        for r, cells in enumerate(table.rows):
            self._by_column(table, r, 3, lambda name: mean_sd(record.values(
                cells[2], columns[name], loss=cells[0], client=cells[1])) if name in columns else None)

    def cost(self, table):
        record = needed(table.last("transports-cost"), "a run of transports-cost")
        columns = {
            "bytes to the client": lambda trial: trial["measure bytesToClient"],
            "bytes to the server": lambda trial: trial["measure bytesToServer"],
            "requests": lambda trial: trial["measure requestsPerMeasurement"],
            "server CPU, us": lambda trial: trial["serverCpuUs"] / trial["delivered"],
            "server memory, KiB": lambda trial: trial["measure idleMemory"],
            "mean, ms": record.mean_ms,
            "p99, ms": lambda trial: record.percentile_ms(trial, "P99"),
        }
        for r, cells in enumerate(table.rows):
            self._by_column(table, r, 2, lambda name: mean_sd(record.values(
                cells[1], columns[name], clients=cells[0])) if name in columns else None)

    # --- requests and replies, idle connections, requests beside a stream -----------------------------------------------------

    def knee(self, record, arm, limit_ms):
        """The highest rate that the arm held, with all lower ones, in every block: nothing lost, at least 99 % answered while it
        was offered, p99 within the limit."""
        held = None
        for rate in sorted(record.scenario["rates"]):
            trials = record.select(arm, rate=rate)
            if not trials or not all(trial.lost == 0 and trial["measure answered"] >= 0.99 * rate
                                     and record.percentile_ms(trial, "P99") <= limit_ms for trial in trials):
                break
            held = rate
        return held

    def request_reply(self, table):
        printed = self.published["request-reply"]
        busy = printed["cores"] * printed["busyPercentBelow"] / 100.0
        quoted = {
            "requests/s": [printed["requestsPerSecond"]], "connections of users": [printed["connections"]],
            "round trip, mean (ms)": [printed["latencyMs"]["mean"]], "p99 (ms)": [printed["latencyMs"]["p99"]],
            "requests per busy core-second": [printed["requestsPerSecond"] / busy], "memory of the server (MiB)": [None],
        }
        links = table.section_links("request-reply")
        for c, arm in enumerate(table.header[1:], 1):
            if arm == "published":
                for r, cells in enumerate(table.rows):
                    self.check.key(table, r, 0)
                    if cells[0] in quoted:
                        self.check.numbers(table, r, c, quoted[cells[0]], "published")
                continue
            record = needed(next((link.record for link in links if arm in link.record.arms), None), f"a run of {arm}")
            rate = needed(self.knee(record, arm, printed["latencyMs"]["p99"]), f"a rate that {arm} held")
            trials = record.select(arm, rate=rate)
            own = {
                "requests/s": lambda trial: float(rate),
                "connections of users": lambda trial: trial["connections"] - record.scenario["providers"],
                "round trip, mean (ms)": record.mean_ms,
                "p99 (ms)": lambda trial: record.percentile_ms(trial, "P99"),
                "requests per busy core-second": lambda trial: trial["measure perCoreSecond"],
                "memory of the server (MiB)": lambda trial: trial["measure resident"],
            }
            for r, cells in enumerate(table.rows):
                if cells[0] in own:
                    self.check.numbers(table, r, c, [mean([own[cells[0]](trial) for trial in trials])])

    def idle(self, table):
        links = table.section_links("idle-connections")
        columns = {"idle": "memoryPerConnection", "after": "memoryPerConnectionAfter", "idle CPU": "idleCpu",
                   "connects": "connectsPerSecond", "50 %": "halfReached", "99 %": "mostReached", "all": "allReached"}
        for r, cells in enumerate(table.rows):
            level, arm = cells[0], cells[1]
            record = needed(next((link.record for link in links if link.record.select(arm, idleConnections=level)), None),
                            f"a run of {level} connections")
            self._by_column(table, r, 2, lambda name: [mean(record.values(
                arm, lambda trial: trial["measure " + columns[name]], idleConnections=level))] if name in columns else None)

    def stream(self, table):
        record = needed(table.last("stream-interference"), "a run of stream-interference")
        arms = {"one socket": "one-socket", "two sockets": "two-sockets", "chunks": "chunked", "HTTP/2": "http2"}
        for r, cells in enumerate(table.rows):
            every = int(cells[1].split()[0])
            one = next((cell for cell in self.published["stream-interference"]["cells"]
                        if cell["published"] == cells[0] and cell["requestEveryMs"] == every), None)
            one = needed(one, f"a published cell {cells[0]}, {cells[1]}")
            size, period = ("0", "0") if one["stream"] == "idle" else one["stream"].removesuffix("us").split("/")
            for c, name in enumerate(table.header):
                if c < 2:
                    self.check.key(table, r, c)
                elif name == "published":
                    self.check.exact(table, r, c, [one["worstMeanUs"]], "published")
                elif "rerun" in name:
                    self.check.exact(table, r, c, [one["rerunMeanUs"]], "published")
                elif name in arms:
                    values = record.values(arms[name], "latency", dummyBytes=size, dummyPeriodUs=period, requestEveryMs=every)
                    self.check.numbers(table, r, c, [1000.0 * max(values)])

    def navigation(self, table):
        """No figures. The links of the whole page are checked elsewhere; a digit outside a name would be a figure."""
        for r, cells in enumerate(table.rows):
            for c, cell in enumerate(cells):
                if not re.search(r"\d", LINK.sub("", cell)):
                    self.check.key(table, r, c)
