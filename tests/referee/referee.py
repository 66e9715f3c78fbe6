"""An independent referee: recomputes the tables of README.md, docs/results.md and docs/guides/which-queue.md from the committed records,
and derives the verdicts of the paper's hypotheses from the rules of docs/reference/method.md. Run it from the root of the repository:

    python3 tests/referee/referee.py

The exit code is 0 without a difference, else 1 with a line for each."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from pages import Checker, Page          # noqa: E402
from records import Record, read_json    # noqa: E402
from tables import Tables                # noqa: E402
from verdicts import compare             # noqa: E402


def main():
    root = Path(__file__).resolve().parents[2]
    pages = [Page(root, name) for name in ("README.md", "docs/results.md", "docs/guides/which-queue.md")]
    checker = Checker()
    tables = Tables(root, checker, pages[1])
    for page in pages:
        checker.differences += [f"{page.name}: the link {target} leads nowhere" for target in page.broken]
        for table in page.tables:
            tables.run(table)

    published = read_json(root / "results" / "published" / "paper.json")
    verdicts = runs = 0
    for folder in sorted((root / "results" / "paper").iterdir()):
        if (folder / "run.json").exists():
            record = Record.at(folder)
            if record.scenario["name"] == "paper" and not record.arms[0].endswith("-a"):
                runs += 1
                verdicts += compare(record, published, checker.differences, checker.notes)

    for line in checker.notes:
        print("note:", line)
    for line in checker.differences:
        print("difference:", line)
    counts = checker.counts
    found = f"{len(checker.differences)} differences" if checker.differences else "no difference"
    print(f"{sum(counts.values())} figures of {checker.tables} tables ({counts['recomputed']} recomputed from records, "
          f"{counts['published']} compared with results/published, {counts['report']} taken from a report) "
          f"and {verdicts} verdicts of {runs} runs: {found}")
    return 1 if checker.differences else 0


if __name__ == "__main__":
    sys.exit(main())
