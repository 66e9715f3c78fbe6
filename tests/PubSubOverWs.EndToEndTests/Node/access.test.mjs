// Clients against a server that has users. In the environment: STOMP_URL; LOGIN and PASSCODE of a user who may use /queue/orders/ and no
// more; TOKEN of one who may do all; and whether the server takes a TOKEN_IN_QUERY.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Client } from "@stomp/stompjs";
import WebSocket from "ws";

Object.assign(globalThis, { WebSocket });
const { STOMP_URL, LOGIN, PASSCODE, TOKEN, TOKEN_IN_QUERY } = process.env;
const RAW_URL = STOMP_URL.replace(/\/ws$/, "/raw");

// Connects, lets `use` do something with the client, and resolves with the ERROR that comes of it, or with what `use` called `done` with.
function attempt(connectHeaders, use) {
  return new Promise((resolve, reject) => {
    const client = new Client({
      brokerURL: STOMP_URL, reconnectDelay: 0, heartbeatIncoming: 0, heartbeatOutgoing: 0, connectHeaders,
      onConnect: () => use(client, resolve),
      onStompError: frame => resolve(frame),
      onWebSocketError: reject,
    });
    client.activate();
  });
}

/** The status of a handshake: 101 when it became a WebSocket. */
function handshake(url, protocols, options) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, options);
    socket.on("open", () => { socket.terminate(); resolve(101); });
    socket.on("unexpected-response", (request, response) => { request.destroy(); resolve(response.statusCode); });
    socket.on("error", reject);
  });
}

const bearer = token => ({ headers: { Authorization: `Bearer ${token}` } });

test("with login and passcode a message comes back from a destination that the user may use", async () => {
  const message = await attempt({ login: LOGIN, passcode: PASSCODE }, (client, done) => {
    const queue = `/queue/orders/${process.pid}`;
    client.subscribe(queue, one => { client.deactivate(); done(one); });
    client.publish({ destination: queue, body: "mine" });
  });
  assert.equal(message.body, "mine");
});

for (const [name, headers] of [
  ["another passcode", { login: LOGIN, passcode: "wrong" }],
  ["another login", { login: "nobody", passcode: PASSCODE }],
]) {
  test(`${name} is refused with the same ERROR`, async () => {
    const error = await attempt(headers, () => assert.fail("It was let in."));
    assert.equal(error.headers.message, "The login or the passcode is wrong: check both.");
  });
}

test("no login is refused with an ERROR that says what to do", async () => {
  const error = await attempt({}, () => assert.fail("It was let in."));
  assert.match(error.headers.message, /send login and passcode with CONNECT/);
});

test("a destination that the user may not use is refused by its name", async () => {
  const error = await attempt({ login: LOGIN, passcode: PASSCODE }, client => client.publish({ destination: "/queue/other", body: "x" }));
  assert.match(error.headers.message, /'\/queue\/other'/);
  const other = await attempt({ login: LOGIN, passcode: PASSCODE }, client => client.subscribe("/topic/other", () => undefined));
  assert.match(other.headers.message, /'\/topic\/other'/);
});

test("the raw relay requires a token, and echoes the messages of a client that has one", async () => {
  assert.equal(await handshake(RAW_URL), 401);
  assert.equal(await handshake(RAW_URL, [], bearer("wrong")), 401);
  assert.equal(await handshake(STOMP_URL, ["v12.stomp"], bearer("wrong")), 401);
  for (const url of [STOMP_URL, RAW_URL]) {
    const socket = new WebSocket(url, [], bearer(TOKEN));
    await once(socket, "open");
    const arrived = once(socket, "message");
    socket.send("mine");
    assert.equal(`${(await arrived)[0]}`, "mine");
    socket.close(1000);
    await once(socket, "close");
  }
});

test("without a sub-protocol a client may log in, and one that does not is told to", async () => {
  const client = new WebSocket(STOMP_URL);
  await once(client, "open");
  const answered = once(client, "message");
  client.send(`CONNECT\naccept-version:1.2\nhost:x\nlogin:${LOGIN}\npasscode:${PASSCODE}\n\n\0`);
  assert.match(`${(await answered)[0]}`, /^CONNECTED\n/);
  client.terminate();
  const raw = new WebSocket(STOMP_URL);
  await once(raw, "open");
  const closed = once(raw, "close");
  raw.send("mine");
  const [status, reason] = await closed;
  assert.equal(status, 1008);
  assert.match(`${reason}`, /^The raw relay wants a bearer token/);
});

test("a token in the query counts when that is switched on", async () =>
  assert.equal(await handshake(`${RAW_URL}?access_token=${TOKEN}`), TOKEN_IN_QUERY === "true" ? 101 : 401));

test("a page of another origin is refused, and one of the server's own is not", async () => {
  const own = STOMP_URL.replace(/^ws/, "http").replace(/\/ws$/, "");
  assert.equal(await handshake(STOMP_URL, ["v12.stomp"], { origin: "https://evil.example" }), 403);
  assert.equal(await handshake(STOMP_URL, ["v12.stomp"], { origin: own }), 101);
  // As load tools have it: no browser sends a host without a scheme.
  assert.equal(await handshake(STOMP_URL, ["v12.stomp"], { origin: new URL(own).hostname }), 101);
});
