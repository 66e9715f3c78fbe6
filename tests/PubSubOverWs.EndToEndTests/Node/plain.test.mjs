// Clients that offer no sub-protocol, as many tutorials have them, at the address in the environment variable STOMP_URL. Both servers must
// pass.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Stomp } from "@stomp/stompjs";
import WebSocket from "ws";

Object.assign(globalThis, { WebSocket });
const { STOMP_URL } = process.env;
const RAW_URL = STOMP_URL.replace(/\/ws$/, "/raw");
let names = 0;
const unique = kind => `/${kind}/plain-${process.pid}-${++names}`;

async function open(url, protocols) {
  const socket = new WebSocket(url, protocols);
  await once(socket, "open");
  return socket;
}

/** What comes next, as text. */
const next = async socket => `${(await once(socket, "message"))[0]}`;

for (const [name, webSocket] of [
  ["Stomp.over(new WebSocket(url))", () => new WebSocket(STOMP_URL)],
  ["Stomp.over(() => new WebSocket(url))", () => () => new WebSocket(STOMP_URL)],
]) {
  test(`${name} connects, and gets what it sends`, async () => {
    const client = Stomp.over(webSocket());
    client.debug = () => undefined;
    client.reconnect_delay = 0;
    const destination = unique("queue");
    const message = await new Promise((resolve, reject) => client.connect({}, () => {
      client.subscribe(destination, resolve, { ack: "client-individual" });
      client.send(destination, { id: "mine" }, "hello");
    }, reject));
    assert.equal(message.body, "hello");
    assert.equal(message.headers.id, "mine");
    message.ack();
    await new Promise(resolve => client.disconnect(resolve));
  });
}

for (const [name, send] of [
  ["as text", (socket, frame) => socket.send(frame)],
  ["as binary", (socket, frame) => socket.send(Buffer.from(frame))],
  ["with line ends before it", (socket, frame) => socket.send(`\n\r\n${frame}`)],
  ["in fragments of one byte", (socket, frame) => [...frame].forEach((byte, i) => socket.send(byte, { fin: i === frame.length - 1 }))],
  ["over two messages", (socket, frame) => { socket.send(frame.slice(0, 12)); socket.send(frame.slice(12)); }],
]) {
  test(`a plain WebSocket that sends CONNECT ${name} speaks STOMP`, async () => {
    const socket = await open(STOMP_URL);
    assert.equal(socket.protocol, "");
    const connected = next(socket);
    send(socket, "CONNECT\naccept-version:1.2\nhost:x\n\n\0");
    assert.match(await connected, /^CONNECTED\nversion:1\.2\n/);
    const destination = unique("topic");
    const message = next(socket);
    socket.send(`SUBSCRIBE\nid:s\ndestination:${destination}\n\n\0`);
    socket.send(`SEND\ndestination:${destination}\n\nhello\0`);
    assert.match(await message, /^MESSAGE\n[^]*\n\nhello\0$/);
    socket.close(1000);
    await once(socket, "close");
  });
}

test("a first message that only looks like CONNECT comes back, and so does CONNECT after it", async () => {
  for (const first of ["CONNECT", "CONNECTED\nversion:1.2\n\n\0", "\n"]) {
    const socket = await open(STOMP_URL);
    for (const text of [first, "CONNECT\n\n\0"]) {
      const back = next(socket);
      socket.send(text);
      assert.equal(await back, text);
    }
    socket.terminate();
  }
});

test("at /raw CONNECT is a message as any other, and a sub-protocol is refused", async () => {
  const socket = await open(RAW_URL);
  const back = next(socket);
  socket.send("CONNECT\naccept-version:1.2\n\n\0");
  assert.equal(await back, "CONNECT\naccept-version:1.2\n\n\0");
  socket.terminate();
  const refused = new WebSocket(RAW_URL, ["v12.stomp"]);
  const [request, response] = await once(refused, "unexpected-response");
  assert.equal(response.statusCode, 400);
  request.destroy();
});
