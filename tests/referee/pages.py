"""Reads the Markdown pages: their tables, and the links by which a table is attributed to records."""
import re
from dataclasses import dataclass, field
from pathlib import Path

from records import Record

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
RECORD = re.compile(r"(?:^|/)results/([a-z-]+)/(\d{4}-\d\d-\d\dT[\w-]+)/report\.md$")
MARKER = re.compile(r"<!-- table of (?P<together>together\s+)?(?P<records>[^:>]+): (?P<heading>[^>]+?)"
                    r"(?: where (?P<where>[^>=]+) = (?P<value>[^>]+?))?\s*-->\s*$")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


@dataclass
class Table:
    page: "Page"
    line: int
    heading: str            # of the reports, by the marker; None: a table without one
    together: bool          # the records are beside each other, as report --together has them
    records: list
    header: list
    rows: list
    row_links: list
    where: tuple = (None, None)     # a column that the page leaves out, and its value in all rows
    seen: set = field(default_factory=set)

    @property
    def name(self):
        columns = ", ".join(name or "(empty)" for name in self.header[:4])
        return f"{self.page.name}:{self.line} \"{self.heading}\" ({columns}, ...)"

    def labelled(self, column):
        """A column without the label of a record, and that record: the first one where no label is given."""
        for record in self.records:
            if record.label and column.endswith(", " + record.label):
                return column.removesuffix(", " + record.label), record
        return column, self.records[0]


class Page:
    def __init__(self, root, name):
        self.root, self.name = root, name
        self.path = root / name
        self.text = self.path.read_text(encoding="utf-8")
        self.broken = [target for target in (match.group(2).split("#")[0] for match in LINK.finditer(self.text))
                       if target and "://" not in target and not (self.path.parent / target).exists()]
        self.tables = list(self._read_tables())

    def _read_tables(self):
        code, block, lines = False, [], self.text.splitlines() + [""]
        for number, line in enumerate(lines, 1):
            bare = line.strip()
            if bare.startswith("```"):
                code = not code
            if not code and bare.startswith("|"):
                block.append((number, bare))
                continue
            if len(block) > 2:
                yield self._table(block, "\n".join(lines[:block[0][0] - 1]))
            block = []

    def _table(self, block, before):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", text)[1:-1]] for _, text in block]
        links = []
        for row in rows[2:]:
            match = next((RECORD.search(found.group(2)) for cell in row for found in LINK.finditer(cell)
                          if RECORD.search(found.group(2))), None)
            links.append(self.root / "results" / match.group(1) / match.group(2) if match else None)
        marker = MARKER.search(before)
        folders = [self.root / path for path in marker["records"].split()] if marker else []
        # A folder of records stands for all of them.
        records = [Record.at(one) for folder in folders
                   for one in ([folder] if (folder / "run.json").exists() else sorted(folder.iterdir()))]
        plain = [[LINK.sub(lambda found: found.group(1), cell) for cell in row] for row in rows]
        heading, together = (marker["heading"], bool(marker["together"])) if marker else (None, False)
        where = (marker["where"], marker["value"]) if marker else (None, None)
        return Table(self, block[0][0], heading, together, records, plain[0], plain[2:], links, where)


# --- printed numbers ---------------------------------------------------------------------------------------------------------

def printed_numbers(cell):
    """(value, unit of the last printed digit) of each number of a cell. Integers of more than four digits are printed with four
    significant ones, so zeros behind the fourth digit are no digits; where counts are compared this is not used."""
    return [(float(text.replace(",", "")), _unit(text.replace(",", ""))) for text in NUMBER.findall(cell)]


def _unit(text):
    mantissa, _, exponent = text.lstrip("-").partition("e")
    scale = 10.0 ** int(exponent) if exponent else 1.0
    if "." in mantissa:
        return scale * 10.0 ** -len(mantissa.split(".")[1])
    if not exponent and len(mantissa) > 4 and set(mantissa[4:]) == {"0"}:
        return 10.0 ** (len(mantissa) - 4)
    return scale


def agrees(printed, unit, value):
    """A value, or a bucket (low, high) of values, rounds to what is printed; a tie may go either way."""
    low, high = value if isinstance(value, tuple) else (value, value)
    slack = 0.5000001 * unit + 1e-12 * abs(printed)
    return low - slack <= printed <= high + slack


def shown(value, unit=None):
    if value is None:
        return "–"
    if isinstance(value, tuple):
        return f"{value[0]:.6g} to {value[1]:.6g}"
    return f"{value:.6g}"


class Checker:
    """Compares cells and keeps the differences."""

    def __init__(self):
        self.differences, self.notes = [], []
        self.counts = {"recomputed": 0, "published": 0, "report": 0}
        self.tables = 0

    def differ(self, table, row, column, page, own):
        label = table.rows[row][0] if row is not None else ""
        self.differences.append(f"{table.name}: row \"{label}\", column \"{table.header[column]}\": page {page}, recomputed {own}")

    def numbers(self, table, row, column, values, kind="recomputed"):
        """values: the numbers of the cell in their order. A deviation of 0 need not be printed behind its mean."""
        cell = table.rows[row][column]
        table.seen.add((row, column))
        self.counts[kind] += 1
        values = list(values)
        if all(value is None for value in values):
            if cell not in ("–", "-", ""):
                self.differ(table, row, column, cell, "–")
            return
        found = printed_numbers(cell)
        if len(found) == 1 and len(values) == 2 and values[1] in (None, 0.0):
            values = values[:1]
        if len(found) != len(values) or any(value is None for value in values) \
                or not all(agrees(printed, unit, value) for (printed, unit), value in zip(found, values)):
            self.differ(table, row, column, cell, ", ".join(shown(value) for value in values))

    def exact(self, table, row, column, values, kind="recomputed"):
        """Counts, and figures that are quoted: equal, not rounded."""
        cell = table.rows[row][column]
        table.seen.add((row, column))
        self.counts[kind] += 1
        found = [value for value, _ in printed_numbers(cell)]
        values = [value for value in values if value is not None]
        if len(found) != len(values) or any(abs(a - b) > 1e-12 * max(1.0, abs(b)) for a, b in zip(found, values)):
            self.differ(table, row, column, cell, ", ".join(shown(value) for value in values) or "–")

    def word(self, table, row, column, expected):
        cell = table.rows[row][column].replace("*", "")
        table.seen.add((row, column))
        self.counts["recomputed"] += 1
        if cell != expected:
            self.differ(table, row, column, cell, expected)

    def key(self, table, row, column):
        table.seen.add((row, column))

    def missing(self, table):
        """Every cell must have been looked at."""
        for row, cells in enumerate(table.rows):
            for column in range(len(table.header)):
                if column >= len(cells):
                    self.differences.append(f"{table.name}: row \"{cells[0]}\" has no column \"{table.header[column]}\"")
                elif (row, column) not in table.seen:
                    self.differ(table, row, column, cells[column], "nothing: no rule covers this cell")
