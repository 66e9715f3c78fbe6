// The page's STOMP beside that of @stomp/stompjs: what one writes the other reads, frame by frame.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, FrameImpl, Parser } from "@stomp/stompjs";
import { FakeClock, FakeSocket } from "./fakes.mjs";
import { FrameReader, StompClient, StompError, encodeFrame } from "../../../../src/PubSubOverWs.Relay/Page/stomp.js";

const bytesOf = message => typeof message === "string" ? new TextEncoder().encode(message) : new Uint8Array(message);

/** As @stomp/stompjs reads it. */
function readByStompJs(message, escapeHeaderValues) {
  const frames = [];
  const parser = new Parser(raw => frames.push(FrameImpl.fromRawFrame(raw, escapeHeaderValues)), () => undefined);
  parser.parseChunk(typeof message === "string" ? message : bytesOf(message).buffer);
  return frames.map(frame => [frame.command, { ...frame.headers }, [...bytesOf(frame.binaryBody)]]);
}

function readByPage(messages, escapes) {
  const reader = new FrameReader();
  reader.escapes = escapes;
  return messages.flatMap(message => [...reader.read(message)])
    .map(frame => [frame.command, Object.fromEntries(frame.headers), [...frame.body]]);
}

// A generator that repeats itself (mulberry32).
function draws(seed) {
  return () => {
    seed = seed + 0x6D2B79F5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

const PIECES = ["a", "é", "漢", "😀", "\\", ":", "\n", "\r", " ", "<b>", "\u202e", "\ufeff", "x".repeat(300)];
const anyText = (draw, pieces) =>
  Array.from({ length: Math.floor(draw() * 8) }, () => pieces[Math.floor(draw() * pieces.length)]).join("");

function anyFrame(draw) {
  // Between marks: @stomp/stompjs cuts white space off at the ends.
  const headers = { destination: "/queue/q", id: `<${anyText(draw, PIECES)}>`, colour: `<${anyText(draw, PIECES)}>` };
  const body = draw() < 0.5
    ? anyText(draw, [...PIECES, "\0"])
    : Uint8Array.from({ length: Math.floor(draw() * 300) }, () => Math.floor(draw() * 256));
  return { command: "SEND", headers, body };
}

const marshalled = ({ command, headers, body }, escapeHeaderValues) => FrameImpl.marshall({
  command, headers: { ...headers }, escapeHeaderValues,
  ...(typeof body === "string" ? { body } : { binaryBody: body }),
});

test("five hundred random frames have the same bytes as those of @stomp/stompjs", () => {
  const draw = draws(1);
  for (let i = 0; i < 500; i++) {
    const frame = anyFrame(draw);
    const [ours, theirs] = [encodeFrame(frame.command, frame.headers, frame.body), marshalled(frame, true)];
    // Theirs gives an empty binary body a length, too.
    if (frame.body.length > 0) {
      assert.deepEqual([...bytesOf(ours)], [...bytesOf(theirs)]);
    }
    assert.equal(typeof ours, typeof frame.body === "string" ? "string" : "object");
  }
});

test("frames of @stomp/stompjs are read alike by both, however they are cut", () => {
  const draw = draws(2);
  for (let i = 0; i < 200; i++) {
    const messages = Array.from({ length: 1 + Math.floor(draw() * 4) }, () => bytesOf(marshalled(anyFrame(draw), true)));
    const all = Uint8Array.from(messages.flatMap(message => [...message, ...(draw() < 0.5 ? [10, 13, 10] : [])]));
    const pieces = [];
    for (let at = 0; at < all.length;) {
      const end = at + 1 + Math.floor(draw() * 200);
      pieces.push(all.slice(at, end).buffer);
      at = end;
    }
    assert.deepEqual(readByPage(pieces, true), readByStompJs(all, true));
  }
});

test("a text message and a binary one are the same frame", () => {
  const text = encodeFrame("MESSAGE", { "message-id": "1" }, "é\u0000😀");
  assert.deepEqual(readByPage([text], true), readByPage([bytesOf(text).buffer], true));
});

test("names of headers are escaped, and CONNECT has no escapes", () => {
  assert.equal(encodeFrame("SEND", { "a:b": "c:d" }), "SEND\na\\cb:c\\cd\n\n\0");
  assert.equal(encodeFrame("CONNECT", { login: "a:b", passcode: undefined }), "CONNECT\nlogin:a:b\n\n\0");
  const reader = new FrameReader();
  assert.equal([...reader.read("ERROR\nmessage:a\\cb\n\n\0")][0].headers.get("message"), "a\\cb");
  reader.escapes = true;
  assert.equal([...reader.read("ERROR\nmessage:a\\cb\n\n\0")][0].headers.get("message"), "a:b");
});

test("of repeated headers the first counts, and no header is a property of an object", () => {
  const [frame] = new FrameReader().read("MESSAGE\nfoo:1\nfoo:2\n__proto__:x\n\n\0");
  assert.equal(frame.headers.get("foo"), "1");
  assert.equal(frame.headers.get("__proto__"), "x");
});

test("a body that is not UTF-8 is no text, and a byte order mark stays", () => {
  const [binary, marked] = [
    ...new FrameReader().read(bytesOf(encodeFrame("MESSAGE", {}, Uint8Array.of(0xff, 0))).buffer),
    ...new FrameReader().read(encodeFrame("MESSAGE", {}, "\ufeffx")),
  ];
  assert.equal(binary.text, null);
  assert.equal(marked.text, "\ufeffx");
});

for (const [what, message, escapes] of [
  ["an undefined escape", "MESSAGE\na:\\t\n\n\0", true],
  ["an escape that is cut", "MESSAGE\na:x\\\n\n\0", true],
  ["a header without a name", "MESSAGE\n:x\n\n\0", false],
  ["a header without a colon", "MESSAGE\nx\n\n\0", false],
  ["a length that is no number", "MESSAGE\ncontent-length:-1\n\n\0", false],
  ["a body that is longer than its length", "MESSAGE\ncontent-length:1\n\nab\0", false],
  ["headers that are not UTF-8", Uint8Array.of(77, 10, 0xff, 58, 10, 10, 0).buffer, false],
]) {
  test(`${what} is refused`, () => assert.throws(() => readByPage([message], escapes), StompError));
}

// @stomp/stompjs opens and leaves in steps.
const turn = () => new Promise(setImmediate);

/** The frames that a client sends while `act` uses it, as [command, headers, body]; the server has answered CONNECT. */
async function framesOf(start) {
  const socket = new FakeSocket();
  const act = start(socket);
  await turn();
  socket.open();
  socket.say("CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0");
  act();
  await turn();
  socket.end();
  return socket.sent.flatMap((message, index) => readByStompJs(message, index > 0)).map(([command, headers, body]) =>
    [command, Object.entries(headers).sort(([a], [b]) => a < b ? -1 : 1), body]);
}

test("a client sends the frames that the client of @stomp/stompjs sends", async () => {
  const body = Uint8Array.of(0, 1, 255);
  const ours = await framesOf(socket => {
    const client = new StompClient(socket, { login: "alice", passcode: "a:b\\c" });
    return () => {
      client.subscribe("/queue/a", "s1", { ack: "client-individual", "prefetch-count": "20", receipt: "r:1" });
      client.send("/queue/a", "é\n", { id: "i", receipt: "r2" });
      client.send("/queue/a", body, { id: "j" });
      client.send("/queue/a", "", { id: "k" });
      client.ack("a1", { receipt: "r3" });
      client.nack("a2", {});
      client.unsubscribe("s1");
      client.disconnect("r4");
    };
  });
  const theirs = await framesOf(socket => {
    const client = new Client({
      webSocketFactory: () => socket, reconnectDelay: 0, heartbeatOutgoing: 0, heartbeatIncoming: 10_000,
      stompVersions: { supportedVersions: () => "1.2", protocolVersions: () => ["v12.stomp"] },
      connectHeaders: { login: "alice", passcode: "a:b\\c", host: "server.example" }, disconnectHeaders: { receipt: "r4" },
    });
    let subscription;
    client.activate();
    return () => {
      subscription = client.subscribe("/queue/a", () => undefined,
        { id: "s1", ack: "client-individual", "prefetch-count": "20", receipt: "r:1" });
      client.publish({ destination: "/queue/a", body: "é\n", headers: { id: "i", receipt: "r2" } });
      client.publish({ destination: "/queue/a", binaryBody: body, headers: { id: "j" } });
      client.publish({ destination: "/queue/a", body: "", headers: { id: "k" } });
      client.ack("a1", "s1", { receipt: "r3" });
      client.nack("a2", "s1", {});
      subscription.unsubscribe();
      client.deactivate();
    };
  });
  // Theirs names the subscription in ACK and NACK, which 1.2 has no need of.
  const withoutSubscription = frames => frames.map(([command, headers, content]) =>
    [command, headers.filter(([name]) => name !== "subscription"), content]);
  assert.deepEqual(withoutSubscription(ours), withoutSubscription(theirs));
});

/** A connected client, and what it called. */
function connected(options = {}, heartBeat = "0,0") {
  const [socket, clock, called] = [new FakeSocket(), new FakeClock(), []];
  const on = Object.fromEntries(["connected", "message", "receipt", "error", "closed"]
    .map(name => [name, what => called.push([name, what.headers?.get("n") ?? what.reason])]));
  const client = new StompClient(socket, { on, ...clock.options, ...options });
  socket.open();
  socket.say(`CONNECTED\nversion:1.2\nheart-beat:${heartBeat}\nn:0\n\n\0`);
  return { socket, clock, called, client };
}

test("a client calls one function for each kind of frame, in their order, and closed once", () => {
  const { socket, called, client } = connected();
  socket.say("\n\r\nMESSAGE\nn:1\n\n\0\nRECEIPT\nn:2\n\n\0ERROR\nn:3\n\n\0");
  assert.ok(client.isConnected);
  socket.end(1008, "policy");
  client.drop("again");
  assert.ok(!client.isConnected);
  assert.deepEqual(called, [["connected", "0"], ["message", "1"], ["receipt", "2"], ["error", "3"], ["closed", "policy"]]);
});

test("a client leaves a server that does not speak STOMP, and hears no more of it", () => {
  const { socket, called } = connected();
  socket.say("GARBAGE\nn:1\n\n\0MESSAGE\nn:2\n\n\0");
  socket.say("MESSAGE\nn:3\n\n\0");
  assert.ok(socket.isLeft);
  assert.deepEqual(called.map(([name]) => name), ["connected", "closed"]);
  assert.match(called[1][1], /"GARBAGE" is no frame of a server/);
});

test("a server that is silent for twice the agreed interval is left", () => {
  const { socket, clock, called } = connected({}, "10000,0");
  clock.advance(19_000);
  socket.say("\n");
  clock.advance(20_000);
  assert.deepEqual(called.map(([name]) => name), ["connected"]);
  clock.advance(20_000);
  assert.deepEqual(called.at(-1), ["closed", "Nothing came from the server for 21 s."]);
});

test("a page that slept waits for the next heart-beat before it leaves the server", () => {
  const { socket, clock, called } = connected({}, "10000,0");
  clock.sleep(600_000);
  clock.advance(1);
  socket.say("\n");
  clock.advance(10_000);
  assert.deepEqual(called.map(([name]) => name), ["connected"]);
});

test("a client that agreed to send heart-beats sends them in time", () => {
  const { socket, clock } = connected({ heartBeat: [5_000, 0] }, "0,10000");
  clock.advance(100_000);
  assert.equal(socket.sent.filter(message => message === "\n").length, 11);
});
