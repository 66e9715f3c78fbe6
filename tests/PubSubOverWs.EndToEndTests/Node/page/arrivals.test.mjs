// What the page takes for new, and where it says that something is missing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Arrivals, newStream, readId } from "../../../../src/PubSubOverWs.Relay/Page/arrivals.js";

const A = "page-aaaaaaaaaa";
const B = "page-bbbbbbbbbb";

/** What a reader of the list sees: numbers, and ranges that are missing, for one stream that comes in this order. */
function shown(numbers, arrivals = new Arrivals()) {
  const rows = [];
  const put = (at, ...items) => rows.splice(at, 0, ...items.filter(item => item !== undefined));
  for (const number of numbers) {
    const { fresh, gap, fills, leads, rest } = arrivals.take(`${A}.${number}`);
    if (fresh) {
      const at = fills !== undefined ? rows.indexOf(fills) : leads ? 0 : rows.length;
      rows.splice(at, fills === undefined ? 0 : 1);
      put(at, gap, number, rest);
    }
  }
  return rows.map(row => typeof row === "number" ? row : `${row.from}-${row.to}`);
}

test("an id names its stream and its number, and others do not", () => {
  assert.deepEqual(readId(`${A}.12`), { stream: A, number: 12 });
  for (const id of ["", "12", `${A}.0`, `${A}.-1`, `${A}.1x`, `${A}.1234567890123456`, "page-AAAAAAAAAA.1", `x${A}.1`]) {
    assert.equal(readId(id), null, id);
  }
});

test("streams have names of their own", () => {
  const names = new Set(Array.from({ length: 1_000 }, () => newStream()));
  assert.equal(names.size, 1_000);
  names.forEach(name => assert.notEqual(readId(`${name}.1`), null));
});

for (const [came, expected] of [
  [[1, 2, 3], [1, 2, 3]],
  [[1, 1, 2, 2, 1], [1, 2]],
  [[1, 4], [1, "2-3", 4]],
  [[1, 4, 2], [1, 2, "3-3", 4]],
  [[1, 4, 3], [1, "2-2", 3, 4]],
  [[1, 5, 3], [1, "2-2", 3, "4-4", 5]],
  [[1, 5, 3, 2, 4, 3], [1, 2, 3, 4, 5]],
  [[7, 8], [7, 8]],
  [[7, 6, 3], [3, "4-5", 6, 7]],
  [[7, 3, 5, 4, 6], [3, 4, 5, 6, 7]],
]) {
  test(`${came.join(", ")} is shown as ${expected.join(", ")}`, () => assert.deepEqual(shown(came), expected));
}

test("whatever comes, in any order and however often, each is shown once and in order, and what is missing is marked", () => {
  let seed = 1;
  const draw = most => (seed = Math.imul(seed, 48_271) >>> 0) % most;
  for (let round = 0; round < 300; round++) {
    const came = Array.from({ length: 40 }, () => 1 + draw(30));
    const expected = [...new Set(came)].sort((a, b) => a - b).flatMap((number, index, all) =>
      index > 0 && all[index - 1] < number - 1 ? [`${all[index - 1] + 1}-${number - 1}`, number] : [number]);
    assert.deepEqual(shown(came), expected, came.join(","));
  }
});

test("streams do not know each other, and ids of other clients are known by themselves", () => {
  const arrivals = new Arrivals();
  assert.equal(arrivals.take(`${A}.1`).fresh, true);
  assert.equal(arrivals.take(`${B}.1`).fresh, true);
  assert.equal(arrivals.take(`${A}.1`).fresh, false);
  assert.equal(arrivals.take("order-7").fresh, true);
  assert.deepEqual(arrivals.take("order-9"), { fresh: true });
  assert.equal(arrivals.take("order-7").fresh, false);
});

test("of ids of other clients at least as many as asked are remembered, and at most twice as many", () => {
  const arrivals = new Arrivals({ remembered: 10 });
  const came = Array.from({ length: 40 }, (_, index) => `m${index}`);
  came.forEach(id => assert.ok(arrivals.take(id).fresh));
  assert.ok(came.slice(-10).every(id => !arrivals.take(id).fresh));
  assert.ok(arrivals.take("m0").fresh);
});

test("a message of a gap that was forgotten is shown all the same", () => {
  const arrivals = new Arrivals({ mostGaps: 2 });
  assert.deepEqual(shown([1, 3, 5, 7, 9], arrivals), [1, "2-2", 3, "4-4", 5, "6-6", 7, "8-8", 9]);
  assert.equal(arrivals.take(`${A}.2`).fresh, true);
  assert.equal(arrivals.take(`${A}.2`).fresh, false);
  assert.equal(arrivals.take(`${A}.8`).fresh, true);
  assert.equal(arrivals.take(`${A}.9`).fresh, false);
});
