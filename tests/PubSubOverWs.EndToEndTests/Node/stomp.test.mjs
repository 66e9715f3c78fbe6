// A maintained STOMP client against a server, at the address in the environment variable STOMP_URL. Both servers must pass.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Client } from "@stomp/stompjs";
import WebSocket from "ws";

Object.assign(globalThis, { WebSocket });
const clients = [];
let names = 0;
const unique = kind => `/${kind}/${process.pid}-${++names}`;

afterEach(() => Promise.all(clients.splice(0).map(client => client.deactivate())));

/** A connected client whose failures reject `client.failed`. */
function connect(options) {
  return new Promise((resolve, reject) => {
    const client = new Client({
      brokerURL: process.env.STOMP_URL, reconnectDelay: 0, heartbeatIncoming: 0, heartbeatOutgoing: 0, ...options,
      onConnect: frame => resolve(Object.assign(client, { greeting: frame })),
      onStompError: frame => client.refused(frame),
      onWebSocketError: reject,
    });
    client.error = new Promise(refused => { client.refused = refused; });
    client.closed = new Promise(closed => { client.onWebSocketClose = closed; });
    clients.push(client);
    client.activate();
  });
}

/** Resolves when the server says that it did what the frame with this receipt asked for. */
const receipt = (client, id) => new Promise(resolve => client.watchForReceipt(id, resolve));

/** Subscribes, and resolves once the server has the subscription. `next()` is the next message. */
async function subscribe(client, destination, headers) {
  const arrived = [];
  const waiting = [];
  const id = `s-${++names}`;
  const subscribed = receipt(client, `r-${id}`);
  const subscription = client.subscribe(destination, message => (waiting.shift() ?? (one => arrived.push(one)))(message),
    { id, receipt: `r-${id}`, ...headers });
  await subscribed;
  const next = () => arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise(resolve => waiting.push(resolve));
  return { ...subscription, next };
}

async function publish(client, destination, body, headers) {
  const id = `p-${++names}`;
  const taken = receipt(client, id);
  client.publish({ destination, body, headers: { receipt: id, ...headers } });
  return (await taken).headers.outcome;
}

test("the server speaks STOMP 1.2 and names itself", async () => {
  const client = await connect();
  assert.equal(client.greeting.headers.version, "1.2");
  assert.ok(client.greeting.headers.session);
});

test("a message comes back with its headers, and its receipt says that it was taken", async () => {
  const client = await connect();
  const queue = unique("queue");
  const inbox = await subscribe(client, queue);
  assert.equal(await publish(client, queue, "é 漢 😀\nline\r\n", { colour: "red: \\ \n", id: "mine" }), "taken");
  const message = await inbox.next();
  assert.equal(message.body, "é 漢 😀\nline\r\n");
  assert.equal(message.headers.colour, "red: \\ \n");
  assert.equal(message.headers.id, "mine");
  assert.equal(message.headers.destination, queue);
});

test("a binary body comes back byte for byte", async () => {
  const client = await connect();
  const queue = unique("queue");
  const inbox = await subscribe(client, queue);
  const binaryBody = Uint8Array.from({ length: 256 }, (_, i) => i);
  client.publish({ destination: queue, binaryBody });
  assert.deepEqual(Uint8Array.from((await inbox.next()).binaryBody), binaryBody);
});

test("a topic's message comes to every subscriber, a queue's to one", async () => {
  const [first, second] = [await connect(), await connect()];
  const topic = unique("topic");
  const inboxes = [await subscribe(first, topic), await subscribe(second, topic)];
  await publish(first, topic, "to all");
  for (const inbox of inboxes) assert.equal((await inbox.next()).body, "to all");

  const queue = unique("queue");
  const takers = [await subscribe(first, queue), await subscribe(second, queue)];
  for (const body of ["a", "b", "c", "d"]) await publish(first, queue, body);
  const bodies = new Set();
  while (bodies.size < 4) {
    const [message, taker] = await Promise.race(takers.map(async one => [await (one.pending ??= one.next()), one]));
    taker.pending = undefined;
    assert.ok(!bodies.has(message.body));
    bodies.add(message.body);
  }
});

for (const mode of ["client", "client-individual"]) {
  test(`a message is acknowledged (${mode}) and the server confirms it`, async () => {
    const client = await connect();
    const queue = unique("queue");
    const inbox = await subscribe(client, queue, { ack: mode });
    await publish(client, queue, "one");
    const message = await inbox.next();
    assert.ok(message.headers.ack);
    const acknowledged = receipt(client, "acknowledged");
    message.ack({ receipt: "acknowledged" });
    await acknowledged;
  });
}

test("a message refused with NACK comes to another subscription, marked as redelivered", async () => {
  const client = await connect();
  const queue = unique("queue");
  const first = await subscribe(client, queue, { ack: "client-individual" });
  const second = await subscribe(client, queue, { ack: "client-individual" });
  await publish(client, queue, "again", { id: "same" });
  const arrivals = [first.next(), second.next()];
  const taker = await Promise.race(arrivals.map(async (arrival, index) => { await arrival; return index; }));
  (await arrivals[taker]).nack();
  const again = await arrivals[1 - taker];
  assert.equal(again.headers.id, "same");
  assert.equal(again.headers.redelivered, "true");
  const acknowledged = receipt(client, "acknowledged");
  again.ack({ receipt: "acknowledged" });
  await acknowledged;
});

test("a transaction's messages come when it is committed, and not when it is aborted", async () => {
  const client = await connect();
  const queue = unique("queue");
  const inbox = await subscribe(client, queue);
  const aborted = client.begin();
  client.publish({ destination: queue, body: "aborted", headers: { transaction: aborted.id } });
  aborted.abort();
  const committed = client.begin();
  for (const body of ["1", "2", "3"]) client.publish({ destination: queue, body, headers: { transaction: committed.id } });
  committed.commit();
  assert.deepEqual([await inbox.next(), await inbox.next(), await inbox.next()].map(message => message.body), ["1", "2", "3"]);
});

test("an acknowledgement within a transaction makes room when it is committed, and not before", async () => {
  const client = await connect();
  const queue = unique("queue");
  const inbox = await subscribe(client, queue, { ack: "client-individual", "prefetch-count": "1" });
  await publish(client, queue, "first");
  const transaction = client.begin();
  (await inbox.next()).ack({ transaction: transaction.id });
  // Without room the direct server sheds it, and the other one keeps it; a queue of SQS may turn the two round.
  const outcome = await publish(client, queue, "second");
  transaction.commit();
  await publish(client, queue, "third");
  assert.ok((outcome === "taken" ? ["second", "third"] : ["third"]).includes((await inbox.next()).body));
});

test("heart-beats go both ways", async () => {
  const seen = new Set();
  let both;
  const beaten = new Promise(resolve => { both = resolve; });
  const client = await connect({
    heartbeatIncoming: 1000, heartbeatOutgoing: 1000,
    debug: line => {
      if (line === ">>> PING" || line === "<<< PONG") seen.add(line);
      if (seen.size === 2) both();
    },
  });
  assert.match(client.greeting.headers["heart-beat"], /^1000,1000$/);
  await beaten;
});

test("a frame that breaks a rule gets an ERROR that says so, and other clients do not notice", async () => {
  const [guilty, other] = [await connect(), await connect()];
  const topic = unique("topic");
  const inbox = await subscribe(other, topic);
  guilty.subscribe(topic, () => undefined, { id: "twice" });
  guilty.subscribe(topic, () => undefined, { id: "twice" });
  assert.match((await guilty.error).headers.message, /twice/);
  await guilty.closed;
  await publish(other, topic, "still here");
  assert.equal((await inbox.next()).body, "still here");
});

test("a subscription that ends gets no more, and a connection ends with a receipt", async () => {
  const client = await connect();
  const topic = unique("topic");
  const [leaving, staying] = [await subscribe(client, topic), await subscribe(client, topic)];
  const left = receipt(client, "left");
  leaving.unsubscribe({ receipt: "left" });
  await left;
  await publish(client, topic, "for one");
  assert.equal((await staying.next()).body, "for one");
  assert.equal(await Promise.race([leaving.next(), publish(client, topic, "marker").then(() => "none")]), "none");
  await client.deactivate();
});
