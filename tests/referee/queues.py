"""The tables of which-queue: what is lost, and what a message costs."""
from formulas import incomplete_beta, mean, paired

LIMIT_MS = 100.0        # of p99: a rate is held up to it
LEAST_ACHIEVED = 0.99   # of a rate that is held


def clopper_pearson(hits, n, confidence=0.95):
    """The exact interval of a share (Clopper and Pearson 1934), by bisection of the incomplete beta function."""
    def quantile(p, a, b):
        low, high = 0.0, 1.0
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if incomplete_beta(a, b, middle) < p else (low, middle)
        return low
    tail = 0.5 * (1 - confidence)
    return (0.0 if hits == 0 else quantile(tail, hits, n - hits + 1),
            1.0 if hits == n else quantile(1 - tail, hits + 1, n - hits))


class Queues:
    """The trials of one record, by arm."""

    def __init__(self, record):
        self.record = record
        self.rates = sorted(record.scenario["rates"])

    def setting(self, name):
        return self.record.run["setUp"]["settings"].get("broker " + name, "")

    def percentiles(self, arm, name, rate):
        return self.record.values(arm, lambda trial: self.record.percentile_ms(trial, name), trial="relayed", rate=rate)

    def over_direct(self, arm):
        """R of the medians at the lowest rate with its interval by blocks."""
        first, second = (
            [mean(block) for block in self.record.by_block(
                one, lambda trial: self.record.percentile_ms(trial, "P50"), trial="relayed", rate=self.rates[0])]
            for one in ("direct", arm))
        if arm == "direct":
            return [None]
        return [mean(second) / mean(first), *(paired(first, second).ratio(0.95) or ())]

    def measure(self, arm, name, trial, rate):
        values = self.record.values(arm, lambda one: one["measure " + name], trial=trial, rate=rate)
        return mean(values) if values else None

    def highest(self, arm):
        held = None
        for rate in self.rates:
            if not all(self._holds(trial, rate) for trial in self.record.select(arm, trial="relayed", rate=rate)):
                break
            held = rate
        return held

    def _holds(self, trial, rate):
        return (trial.lost == 0 and trial["measure achieved"] >= LEAST_ACHIEVED * rate
                and self.record.percentile_ms(trial, "P99") <= LIMIT_MS)

    def processor(self, arm):
        """Of relay and queue, at the highest rate that is held."""
        held = self.highest(arm)
        if held is None:
            return None
        return self.measure(arm, "relayCpu", "relayed", held) + (self.measure(arm, "queueCpu", "relayed", held) or 0.0)

    def added(self, arm, rate):
        """What the relay takes more than a client of the queue alone."""
        client = self.measure(arm, "clientCpu", "alone", 0)
        return None if client is None else self.measure(arm, "relayCpu", "relayed", rate) - client

    def lost(self, arm, trial):
        """Lost of acknowledged, trials that lost any, all trials, and the ends of the interval of their share."""
        trials = self.record.select(arm, trial=trial)
        if not trials:
            return None
        losses = [one["lostAcknowledged"] + one["stillQueued"] + one["deadLettered"] for one in trials]
        losing = sum(loss > 0 for loss in losses)
        low, high = clopper_pearson(losing, len(trials))
        return [sum(losses), sum(one["acknowledged"] for one in trials), losing, len(trials), 100 * low, 100 * high]


def decide(table, check):
    """The table to decide by."""
    queues = Queues(table.records[0])
    for r, cells in enumerate(table.rows):
        arm = cells[0]
        for c, column in enumerate(table.header):
            if column == "queue":
                check.key(table, r, c)
            elif column == "version":
                check.word(table, r, c, queues.setting("version of " + arm))
            elif column == "what it keeps":
                check.word(table, r, c, queues.setting(arm + " keeps"))
            elif column == "latency, ms":
                check.numbers(table, r, c, [mean(queues.percentiles(arm, name, queues.rates[0])) for name in ("P50", "P99")])
            elif column == "over direct's":
                check.numbers(table, r, c, queues.over_direct(arm))
            elif column == "highest rate, messages/s":
                held = queues.highest(arm)
                check.word(table, r, c, f"below {queues.rates[0]}" if held is None
                           else f"{held}, the most offered" if held == queues.rates[-1] else str(held))
            elif column == "CPU, us per message":
                check.numbers(table, r, c, [queues.processor(arm)])
            elif column in ("relay killed", "queue killed", "power cut"):
                lost = queues.lost(arm, column.replace(" ", "-"))
                if lost is None:
                    check.word(table, r, c, "" if arm == "direct" else "not tested")
                else:
                    check.numbers(table, r, c, lost)


def costs(table, check):
    """What a message costs."""
    queues = Queues(table.records[0])
    measures = {"arrived": "achieved", "relay": "relayCpu", "queue, us": "queueCpu", "client alone": "clientCpu",
                "written, bytes": "written"}
    for r, cells in enumerate(table.rows):
        row = dict([table.where, *zip(table.header, cells)])
        rate = row["messages/s offered"]
        trial, offered = ("alone", 0) if rate == "alone" else ("relayed", int(rate))
        for c, column in enumerate(table.header):
            if column in ("queue", "messages/s offered"):
                check.key(table, r, c)
            elif column == "relay less client":
                check.numbers(table, r, c, [queues.added(row["queue"], offered) if trial == "relayed" else None])
            elif column in measures:
                check.numbers(table, r, c, [queues.measure(row["queue"], measures[column], trial, offered)])
