// The measurement against a server that a test plays, and the histogram beside that of hdr-histogram-js. SAMPLES, a file that is written
// for the reader of records.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import hdr from "hdr-histogram-js";
import { FakeClock, FakeSocket } from "./fakes.mjs";
import { LatencyHistogram } from "../../../../src/PubSubOverWs.Relay/Page/histogram.js";
import { Measurement, classify, payload, samplesCsv } from "../../../../src/PubSubOverWs.Relay/Page/measure.js";
import { FrameReader, StompClient, encodeFrame } from "../../../../src/PubSubOverWs.Relay/Page/stomp.js";

/** A measurement, and the server that answers it when the test says so. */
class Play {
  clock = new FakeClock();
  socket = new FakeSocket();
  progress = 0;
  failure = null;

  constructor(settings) {
    this.measurement = new Measurement({
      settings: { messages: 3, perSecond: 0, bytes: 20, deadline: 1_000, destination: "/queue/m", ...settings },
      connect: on => new StompClient(this.socket, { on, ...this.clock.options }),
      run: "run",
      on: { progress: () => this.progress++, done: failure => { this.failure = failure; } },
      ...this.clock.options,
    });
    this.clock.advance(5_000);
    this.socket.open();
    this.socket.say("CONNECTED\nversion:1.2\nserver:PubSubOverWs (pubsub)\nheart-beat:0,0\n\n\0");
    this.socket.say("RECEIPT\nreceipt-id:subscribed\n\n\0");
  }

  get sends() {
    return this.socket.sent.flatMap(message => [...new FrameReader().read(message)]).filter(frame => frame.command === "SEND");
  }

  receipt(number, outcome = "taken") {
    this.socket.say(`RECEIPT\nreceipt-id:run-${number}\noutcome:${outcome}\n\n\0`);
  }

  deliver(number, body = this.sends[number].text) {
    this.socket.say(encodeFrame("MESSAGE", { id: `run-${number}`, subscription: "measure" }, body));
  }

  /** Bucket and cause of each attempt. */
  get buckets() {
    return this.measurement.attempts.map(one => {
      const { outcome, cause } = classify(one, 1_000);
      return `${outcome} ${cause}`.trim();
    });
  }
}

test("one at a time the next message is sent when the last has come", () => {
  const play = new Play({});
  for (let number = 0; number < 3; number++) {
    assert.equal(play.sends.length, number + 1);
    play.receipt(number);
    play.clock.advance(7);
    play.deliver(number);
  }
  assert.equal(play.failure, "");
  assert.ok(play.socket.isLeft);
  assert.deepEqual(play.measurement.attempts, [0, 1, 2].map(number => (
    { id: `run-${number}`, due: 7 * number, sent: 7 * number, receipt: 7 * number, taken: true, received: 7 * number + 7 })));
  assert.equal(play.measurement.latencies.mean, 7_000);
  assert.equal(play.measurement.server, "pubsub");
});

test("one at a time a message that does not come within the deadline holds up the next so long and no longer", () => {
  const play = new Play({});
  play.receipt(0);
  play.clock.advance(999);
  assert.equal(play.sends.length, 1);
  play.clock.advance(1);
  assert.equal(play.sends.length, 2);
  play.deliver(0);
  assert.equal(play.sends.length, 2, "a late one does not send another");
  play.receipt(1, "shed");
  assert.equal(play.sends.length, 3);
  play.clock.advance(1_000);
  assert.equal(play.failure, "");
  assert.deepEqual(play.buckets, ["delivered", "refused shed", "lost-unacknowledged deadline"]);
});

test("at a rate a message is sent when it is due, however slow the server is", () => {
  const play = new Play({ perSecond: 100, messages: 50 });
  play.clock.advance(245);
  assert.equal(play.sends.length, 25);
  play.clock.advance(10_000);
  assert.equal(play.sends.length, 50);
  assert.equal(play.failure, "");
  assert.deepEqual(play.measurement.attempts.map(one => one.due), Array.from({ length: 50 }, (_, i) => 10 * i));
  assert.deepEqual(new Set(play.buckets), new Set(["lost-unacknowledged deadline"]));
});

test("at a rate a page that was late sends what is due, and the latency counts from due", () => {
  const play = new Play({ perSecond: 100, messages: 10 });
  play.clock.sleep(55);
  play.clock.advance(0);
  assert.equal(play.sends.length, 6);
  const third = play.measurement.attempts[3];
  assert.deepEqual([third.due, third.sent], [30, 55]);
  play.deliver(3);
  assert.equal(play.measurement.latencies.max, 25_000);
});

test("copies and changed messages are counted beside the buckets, and other messages not at all", () => {
  const play = new Play({ perSecond: 1_000 });
  play.clock.advance(5);
  play.deliver(0);
  play.deliver(0);
  play.deliver(1, "something else");
  play.socket.say("MESSAGE\nid:other-1\n\n\0");
  play.socket.say("MESSAGE\nid:run-9\n\n\0");
  assert.deepEqual(play.measurement.counts, { delivered: 1, late: 0, again: 1, corrupted: 1 });
});

test("a connection that ends leaves a bucket and a cause to every message of the plan", () => {
  const play = new Play({ perSecond: 100, messages: 4 });
  play.clock.advance(15);
  play.receipt(0);
  play.socket.end(1006, "");
  assert.equal(play.failure, "The connection ended.");
  assert.deepEqual(play.buckets, ["lost-acknowledged server-closed", "lost-unacknowledged server-closed",
    "refused server-closed", "refused server-closed"]);
});

test("a measurement that is stopped keeps what it has", () => {
  const play = new Play({ perSecond: 100, messages: 4 });
  play.clock.advance(15);
  play.deliver(0);
  play.measurement.stop();
  play.deliver(1);
  assert.equal(play.failure, "");
  assert.deepEqual(play.buckets, ["delivered", "lost-unacknowledged deadline"]);
});

test("a payload has its size, and no two are alike", () => {
  assert.equal(payload(7, 100).length, 100);
  assert.equal(payload(7, 100), payload(7, 100));
  assert.notEqual(payload(7, 100), payload(8, 100));
  assert.equal(payload(12_345, 1).length, 1);
});

test("samples are written as the record has them", () => {
  const attempts = [
    { id: "a-0", due: 0, sent: 0.01234, receipt: 1.5, taken: true, received: 2.00005 },
    { id: "a-1", due: 10, sent: 10, receipt: 11, taken: true, received: 5_000 },
    { id: "a-2", due: 20, sent: 20, receipt: 21, taken: false, failure: "no-subscriber" },
    { id: "a-3", due: 30, sent: 30, receipt: 31, taken: true },
    { id: "a-4", due: 40, sent: 40, failure: "server-closed" },
    { id: "a-5", due: 50, failure: "server-closed" },
  ];
  const text = samplesCsv(attempts, 1_000, "direct");
  assert.equal(text, [
    "arm,iteration,messageId,publisher,recipient,dueUs,sentUs,receiptUs,receivedUs,outcome,cause,flow,correlationId",
    "direct,1,a-0,0,0,0,12.3,1500,2000.1,delivered,,message,",
    "direct,1,a-1,0,0,10000,10000,11000,5000000,late,deadline,message,",
    "direct,1,a-2,0,0,20000,20000,21000,,refused,no-subscriber,message,",
    "direct,1,a-3,0,0,30000,30000,31000,,lost-acknowledged,deadline,message,",
    "direct,1,a-4,0,0,40000,40000,,,lost-unacknowledged,server-closed,message,",
    "direct,1,a-5,0,0,50000,,,,refused,server-closed,message,",
    "",
  ].join("\n"));
  if (process.env.SAMPLES) {
    writeFileSync(process.env.SAMPLES, gzipSync(text));
  }
});

test("percentiles are those of hdr-histogram-js, to the width of a bucket", () => {
  const [ours, theirs] = [new LatencyHistogram(7), hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 3.6e9,
    numberOfSignificantValueDigits: 3, useWebAssembly: false })];
  let seed = 7;
  for (let i = 0; i < 20_000; i++) {
    seed = Math.imul(seed, 48_271) >>> 0;
    const value = Math.floor(10 ** (seed / 2 ** 32 * 6));
    ours.record(value);
    theirs.recordValue(value);
  }
  for (const share of [0.01, 0.25, 0.5, 0.9, 0.99, 0.999]) {
    const [mine, other] = [ours.percentile(share), theirs.getValueAtPercentile(100 * share)];
    assert.ok(Math.abs(mine - other) <= Math.max(1, other / 64), `${share}: ${mine} and ${other}`);
  }
  assert.equal(ours.max, theirs.maxValue > ours.max ? ours.max : theirs.maxValue);
  assert.ok(Math.abs(ours.mean / theirs.mean - 1) < 0.001);
  assert.equal([...ours.buckets()].reduce((sum, bucket) => sum + bucket.count, 0), 20_000);
});

test("a percentile is given only where ten values lie beyond it on either side", () => {
  const histogram = new LatencyHistogram(7);
  const given = () => [0.5, 0.9, 0.99].map(share => histogram.percentile(share) !== null);
  for (let i = 1; i <= 1_000; i++) {
    histogram.record(i);
    if (i === 19) assert.deepEqual(given(), [false, false, false]);
    if (i === 20) assert.deepEqual(given(), [true, false, false]);
    if (i === 99) assert.deepEqual(given(), [true, false, false]);
    if (i === 100) assert.deepEqual(given(), [true, true, false]);
    if (i === 999) assert.deepEqual(given(), [true, true, false]);
  }
  assert.deepEqual(given(), [true, true, true]);
});

test("buckets follow each other without a gap, and values outside count at the nearer end", () => {
  const histogram = new LatencyHistogram(3);
  [-5, 0, 7, 8, 15, 16, 17, 1_000, 3_600_000_000, 1e12].forEach(value => histogram.record(value));
  assert.deepEqual([...histogram.buckets()].map(({ from, to, count }) => [from, to, count]), [
    [0, 1, 2], [7, 8, 1], [8, 9, 1], [15, 16, 1], [16, 18, 2], [960, 1_024, 1], [3_489_660_928, 3_758_096_384, 2],
  ]);
});
