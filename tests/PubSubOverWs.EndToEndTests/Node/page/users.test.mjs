// The users of a run that are in a page, against servers that a test plays.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock, FakeSocket } from "./fakes.mjs";
import { Users, resolutionOf } from "../../../../loadtest/PubSubOverWs.LoadTest/Harness/Browser/Html/users.js";
import * as stomp from "../../../../src/PubSubOverWs.Relay/Page/stomp.js";

const { FrameReader, encodeFrame } = stomp;

/** Users with two messages each, and the server of each. */
class Play {
  clock = new FakeClock();
  sockets = [];

  constructor({ users = 2, dues = [0, 0], ...settings } = {}) {
    this.users = new Users(
      {
        isEcho: false, receipts: true, connectTimeoutMs: 1_000, connectsUnderWay: 6, ...settings,
        users: Array.from({ length: users }, (_, user) => ({
          address: `ws://server-${user}/ws`,
          destination: `/queue/${user}`,
          messages: dues.map((dueMs, number) => ({ id: `run-${user}-${number}`, body: `body ${user} ${number}`, dueMs })),
        })),
      },
      stomp,
      { open: address => this.#open(address), ...this.clock.options });
    this.entering = this.users.enter();
  }

  #open(address) {
    const socket = Object.assign(new FakeSocket(), { url: address });
    socket.close = () => socket.end(1000);
    this.sockets.push(socket);
    return socket;
  }

  /** Connects and subscribes one. */
  enter(user) {
    this.sockets[user].open();
    this.sockets[user].say("CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0");
    this.sockets[user].say("RECEIPT\nreceipt-id:s\n\n\0");
  }

  enterAll() {
    this.sockets.forEach((_, user) => this.enter(user));
    return this.entering;
  }

  frames(user, command = "SEND") {
    return this.sockets[user].sent.flatMap(message => [...new FrameReader().read(message)]).filter(frame => frame.command === command);
  }

  deliver(user, number, body = `body ${user} ${number}`) {
    this.sockets[user].say(encodeFrame("MESSAGE", { id: `run-${user}-${number}`, subscription: "s" }, body));
  }
}

test("a user is in when it is subscribed to its own queue, by the frames that the own client sends", async () => {
  const play = new Play();
  assert.equal(await play.enterAll(), 2);
  const [connect] = play.frames(1, "CONNECT");
  const [subscribe] = play.frames(1, "SUBSCRIBE");
  assert.equal(connect.headers.get("heart-beat"), "0,0");
  assert.deepEqual([...subscribe.headers], [["id", "s"], ["destination", "/queue/1"], ["ack", "auto"], ["receipt", "s"]]);
});

test("no more than some users connect at the same time", async () => {
  const play = new Play({ users: 3, connectsUnderWay: 2 });
  assert.equal(play.sockets.length, 2);
  play.enter(0);
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(play.sockets.length, 3);
  play.enter(1);
  play.enter(2);
  assert.equal(await play.entering, 3);
});

test("a burst is sent at once, the users in turn, and stamped by one clock from its beginning", async () => {
  const play = new Play();
  await play.enterAll();
  play.clock.advance(500);
  const done = play.users.begin();
  assert.deepEqual(play.frames(0).map(frame => [frame.headers.get("id"), frame.headers.get("receipt"), frame.text]),
    [["run-0-0", "0", "body 0 0"], ["run-0-1", "1", "body 0 1"]]);
  play.clock.advance(3);
  play.sockets[0].say("RECEIPT\nreceipt-id:1\noutcome:taken\n\n\0");
  for (const user of [0, 1]) {
    play.deliver(user, 0);
    play.clock.advance(1);
    play.deliver(user, 1);
  }
  assert.equal(await done, 5);
  const [first, second] = await play.users.leave();
  assert.deepEqual(first, {
    failure: null,
    sentMs: [0, 0],
    receipts: [{ number: 1, ms: 3, outcome: "taken" }],
    arrived: [{ id: "run-0-0", ms: 3, isIntact: true }, { id: "run-0-1", ms: 4, isIntact: true }],
  });
  assert.deepEqual(second.arrived.map(one => one.ms), [4, 5]);
});

test("messages with a due time are sent then, and without receipts none is asked for", async () => {
  const play = new Play({ users: 1, dues: [0, 2.5], receipts: false });
  await play.enterAll();
  play.users.begin();
  play.clock.advance(2);
  assert.equal(play.frames(0).length, 1);
  play.clock.advance(1);
  assert.equal(play.frames(0).length, 2);
  assert.equal(play.frames(0)[1].headers.has("receipt"), false);
  const [log] = await play.users.leave();
  assert.deepEqual(log.sentMs, [0, 3]);
});

test("copies, changed bodies and messages of others are told as they came and are waited for no longer than needed", async () => {
  const play = new Play({ users: 1, dues: [0] });
  await play.enterAll();
  const done = play.users.begin();
  play.deliver(0, 0, "changed");
  play.deliver(0, 7, "of another run");
  play.deliver(0, 0);
  play.deliver(0, 0);
  assert.equal(await done, 0);
  const [log] = await play.users.leave();
  assert.deepEqual(log.arrived.map(one => [one.id, one.isIntact]),
    [["run-0-0", false], ["run-0-7", true], ["run-0-0", true], ["run-0-0", true]]);
});

test("a message that the server refused is not waited for", async () => {
  const play = new Play({ users: 1, dues: [0] });
  await play.enterAll();
  const done = play.users.begin();
  play.sockets[0].say("RECEIPT\nreceipt-id:0\noutcome:shed\n\n\0");
  assert.equal(await done, 0);
});

test("a user that is not answered in time, or refused, is not in and sends nothing", async () => {
  const play = new Play({ users: 3 });
  play.enter(0);
  play.sockets[1].end(1006);
  play.clock.advance(1_000);
  assert.equal(await play.entering, 1);
  play.users.begin();
  assert.deepEqual(play.sockets.map((_, user) => play.frames(user).length), [2, 0, 0]);
  const logs = await play.users.leave();
  assert.deepEqual(logs.map(log => log.failure), [
    null,
    { cause: "handshakeRejected", detail: "closed with 1006 before it was subscribed" },
    { cause: "connectTimeout", detail: "not subscribed in time" },
  ]);
});

test("a connection that is lost is not waited for, and says why", async () => {
  const play = new Play({ users: 2, dues: [0] });
  await play.enterAll();
  const done = play.users.begin();
  play.sockets[0].say("ERROR\nmessage:no more\n\n\0");
  play.sockets[0].end(1002);
  play.deliver(1, 0);
  assert.equal(await done, 0);
  const [lost, other] = await play.users.leave();
  assert.deepEqual(lost.failure, { cause: "serverClosed", detail: "ERROR no more" });
  assert.equal(other.failure, null);
});

test("users that leave early end the waiting, and a server that does not close is waited for 3 s", async () => {
  const play = new Play({ users: 1 });
  await play.enterAll();
  const done = play.users.begin();
  play.sockets[0].close = () => {};
  const leaving = play.users.leave();
  assert.equal(await done, null);
  play.clock.advance(3_000);
  assert.equal((await leaving).length, 1);
  assert.equal(play.frames(0, "DISCONNECT").length, 1);
});

test("the null echo gets the same SEND, and sends it back", async () => {
  const play = new Play({ users: 1, dues: [0], isEcho: true });
  play.sockets[0].open();
  assert.equal(await play.entering, 1);
  const done = play.users.begin();
  play.sockets[0].say(play.sockets[0].sent[0]);
  assert.equal(await done, 0);
  const [log] = await play.users.leave();
  assert.deepEqual(log.arrived, [{ id: "run-0-0", ms: 0, isIntact: true }]);
});

test("the resolution of a clock is its smallest step", () => {
  let reads = 0;
  assert.equal(resolutionOf(() => Math.floor(reads++ / 3) * 0.005), 5);
});
