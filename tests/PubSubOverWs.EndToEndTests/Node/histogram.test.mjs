// Reads a log of ours with hdr-histogram-js, and writes a log back.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import hdr from "hdr-histogram-js";

const folder = process.env.HISTOGRAMS;
const read = (name) => readFileSync(join(folder, name), "utf8");

test("our log holds the same histograms", () => {
  const reader = new hdr.HistogramLogReader(read("ours.hlog"));
  const expected = JSON.parse(read("expected.json"));
  for (const { tag, count, percentiles } of expected) {
    const histogram = reader.nextIntervalHistogram();
    assert.equal(histogram.tag, tag);
    assert.equal(histogram.totalCount, count);
    for (const [percent, microseconds] of percentiles)
      assert.equal(histogram.getValueAtPercentile(percent), microseconds, `${tag} p${percent}`);
  }
  assert.equal(reader.nextIntervalHistogram(), null);
});

test("a log of its own is written for us to read", () => {
  const histogram = hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: 3 });
  for (let i = 1; i <= 10_000; i++)
    histogram.recordValue(i * i);
  histogram.tag = "theirs";
  const lines = [];
  const writer = new hdr.HistogramLogWriter((text) => lines.push(text));
  writer.outputLogFormatVersion();
  writer.outputLegend();
  writer.outputIntervalHistogram(histogram, 0, 1);
  writeFileSync(join(folder, "theirs.hlog"), lines.join(""));
  const percentiles = [1, 50, 90, 99, 99.9].map((percent) => [percent, histogram.getValueAtPercentile(percent)]);
  writeFileSync(join(folder, "theirs.json"), JSON.stringify(percentiles));
});
