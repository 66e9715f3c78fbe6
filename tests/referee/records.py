"""Reads the records under results/ as docs/reference/record.md describes them."""
import base64
import csv
import json
import re
import struct
import zlib
from pathlib import Path

import numpy as np

COUNTS = ("attempts", "acknowledged", "delivered", "late", "refused", "deadLettered", "stillQueued", "lostAcknowledged",
          "lostUnacknowledged", "causeConnectRefused", "causeConnectTimeout", "causeHandshakeRejected", "causeSendError", "causeShed",
          "causeNoSubscriber", "causeServerClosed", "causeDeadline", "duplicates", "reorderings", "unexpected", "corrupted")


def seconds(text):
    """10s, 300ms, 2m."""
    amount, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(amount) * {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}[unit]


def read_json(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Trial:
    """A row of iterations.csv with its judged flows and its measures. Numbers are floats; an empty cell is None."""

    def __init__(self, cells):
        self.cells = cells
        self.arm, self.block, self.iteration = cells["arm"], int(cells["block"]), int(cells["iteration"])

    def __getitem__(self, column):
        text = self.cells.get(column, "")
        return float(text) if text not in ("", None) else None

    @property
    def lost(self):
        return self["attempts"] - self["delivered"]


class Record:
    cache = {}

    @staticmethod
    def at(folder):
        folder = Path(folder).resolve()
        if folder not in Record.cache:
            Record.cache[folder] = Record(folder)
        return Record.cache[folder]

    def __init__(self, folder):
        self.folder, self.name = folder, folder.name
        self.run = read_json(folder / "run.json")
        self.scenario, self.label = self.run["scenario"], self.run["label"]
        self.factors = [factor["name"] for factor in self.run["factors"]]
        rows = read_csv(folder / "iterations.csv")
        judged = [flow for flow in self.run["flows"] if flow["judged"]]
        self.latency = judged[0]["latency"]
        self._add_flows(rows, [flow["name"] for flow in judged])
        self._add_measures(rows)
        self.every = [Trial(row) for row in rows]
        self.trials = [trial for trial in self.every
                       if trial.cells["warmUp"] != "true" and trial.cells["superseded"] != "true" and trial.arm != "floor"]
        self.arms = list(self.scenario["arms"])

    def _add_flows(self, rows, judged):
        flows = {}
        for flow in read_csv(self.folder / "flows.csv"):
            flows.setdefault((flow["arm"], flow["iteration"]), {})[flow["flow"]] = flow
        for row in rows:
            own = flows[row["arm"], row["iteration"]]
            row.update(own[judged[0]])
            for column in COUNTS:
                row[column] = str(sum(int(own[name][column]) for name in judged))

    def _add_measures(self, rows):
        path = self.folder / "measures.csv"
        if path.exists():
            at = {(row["arm"], row["iteration"]): row for row in rows}
            for cell in read_csv(path):
                row = at.get((cell["arm"], cell["iteration"]))
                if row is not None:
                    row["measure " + cell["measure"]] = cell["value"]

    def select(self, arm, **level):
        """The trials that count, of an arm at a level, in the order in which they ran."""
        found = [trial for trial in self.trials if trial.arm == arm
                 and all(trial.cells[name] == str(value) for name, value in level.items())]
        return sorted(found, key=lambda trial: trial.iteration)

    # --- metrics of a trial ----------------------------------------------------------------------------------------------

    def mean_ms(self, trial):
        us = trial[self.latency + "MeanUs"]
        return None if us is None else us / 1000.0

    def percentile_ms(self, trial, name):
        us = trial[f"{self.latency}{name}Us"]
        return None if us is None else us / 1000.0

    def metric(self, name):
        deadline = seconds(self.scenario["deadline"])
        return {
            "loss": lambda trial: 100.0 * trial.lost / trial["attempts"],
            "lost": lambda trial: trial.lost,
            "latency": self.mean_ms,
            "bytes": lambda trial: None if trial["clientBytes"] is None else trial["clientBytes"] / trial["delivered"],
            "kbps": lambda trial: None if trial["clientBytes"] is None else trial["clientBytes"] * 8 / deadline / 1000.0,
        }[name]

    def values(self, arm, metric, **level):
        get = self.metric(metric) if isinstance(metric, str) else metric
        return [value for value in (get(trial) for trial in self.select(arm, **level)) if value is not None]

    def by_block(self, arm, metric, **level):
        """Readings of each block, in the order of the blocks."""
        get = self.metric(metric) if isinstance(metric, str) else metric
        blocks = {}
        for trial in self.select(arm, **level):
            value = get(trial)
            if value is not None:
                blocks.setdefault(trial.block, []).append(value)
        return [blocks[block] for block in sorted(blocks)]

    # --- distributions ---------------------------------------------------------------------------------------------------

    def merged_percentile(self, arm, level, percent):
        """The bucket (low, high), in ms, of a percentile of all messages of a level, from the merged histograms of the trials
        that count. A value of the log is known to its bucket, so the percentile is any value in it."""
        wanted = {f"{arm}-{level}/{trial.iteration}" for trial in self.trials if trial.arm == arm}
        counts = np.zeros(0, dtype=np.int64)
        for line in (self.folder / "latency.hlog").read_text().splitlines():
            tag = re.match(r"Tag=([^,]+),", line)
            if tag and tag.group(1) in wanted:
                one = decode_histogram(line.rsplit(",", 1)[1])
                size = max(len(one), len(counts))
                counts = np.pad(counts, (0, size - len(counts))) + np.pad(one, (0, size - len(one)))
        rank = max(1, int(np.ceil(percent / 100.0 * counts.sum() - 1e-9)))
        index = int(np.searchsorted(np.cumsum(counts), rank))
        low, high = bucket(index)
        return low / 1000.0, high / 1000.0


def decode_histogram(text):
    """HdrHistogram's compressed encoding V2: a cookie and a length, then deflated a header of 40 bytes and counts as ZigZag LEB128,
    where a negative number stands for that many empty buckets. Three significant digits, from 1 us."""
    packed = base64.b64decode(text)
    cookie, length = struct.unpack(">ii", packed[:8])
    data = zlib.decompress(packed[8:8 + length])
    inner, size, _, digits, lowest, _, _ = struct.unpack(">iiiiqqd", data[:40])
    if (cookie & ~0xf0, inner & ~0xf0, digits, lowest) != (0x1c849304, 0x1c849303, 3, 1):
        raise ValueError("not a histogram that is known here")
    counts, at = [], 40
    while at < 40 + size:
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            if shift == 56:
                value |= byte << shift
                break
            value |= (byte & 0x7f) << shift
            shift += 7
            if not byte & 0x80:
                break
        value = (value >> 1) ^ -(value & 1)
        if value < 0:
            counts.extend([0] * -value)
        else:
            counts.append(value)
    return np.array(counts, dtype=np.int64)


def bucket(index):
    """The values of a bucket: 2,048 buckets of 1, then 1,024 of each further power of two."""
    if index < 2048:
        return index, index + 1
    width = 1 << ((index >> 10) - 1)
    low = ((index & 1023) + 1024) * width
    return low, low + width
