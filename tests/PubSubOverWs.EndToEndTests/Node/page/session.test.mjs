// The session against a server that a test plays, on a clock that it moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock, FakeSocket } from "./fakes.mjs";
import { Fates } from "../../../../src/PubSubOverWs.Relay/Page/fate.js";
import { MOST_UNCONFIRMED, Session, waitBefore } from "../../../../src/PubSubOverWs.Relay/Page/session.js";
import { FrameReader } from "../../../../src/PubSubOverWs.Relay/Page/stomp.js";

/** A session and the server that it connects to. */
class Play {
  clock = new FakeClock();
  sockets = [];
  states = [];
  messages = [];
  errors = [];
  published = [];

  constructor(on = {}) {
    this.session = new Session({
      open: () => {
        this.sockets.push(new FakeSocket());
        return this.sockets.at(-1);
      },
      on: {
        state: state => this.states.push(state),
        message: (frame, subscription, delivery) => this.messages.push({ frame, delivery }),
        published: publication => this.published.push(`${publication.id} ${publication.state}`),
        error: text => this.errors.push(text),
        ...on,
      },
      random: () => 0.5,
      ...this.clock.options,
    });
  }

  get socket() {
    return this.sockets.at(-1);
  }

  get state() {
    return this.states.at(-1).name;
  }

  /** The frames that came on the last connection, as objects. */
  get frames() {
    return this.socket.sent.filter(message => message !== "\n").flatMap(message => {
      const reader = new FrameReader();
      reader.escapes = true;
      return [...reader.read(typeof message === "string" ? message : message.buffer)];
    }).map(frame => ({ command: frame.command, ...Object.fromEntries(frame.headers), body: frame.text }));
  }

  accept(server = "PubSubOverWs (direct)") {
    this.socket.open();
    this.socket.say(`CONNECTED\nversion:1.2\nserver:${server}\nheart-beat:0,0\n\n\0`);
  }

  receipt(frame, outcome) {
    this.socket.say(`RECEIPT\nreceipt-id:${frame.receipt}\n${outcome === undefined ? "" : `outcome:${outcome}\n`}\n\0`);
  }

  error(message, receipt) {
    this.socket.say(`ERROR\nmessage:${message}\n${receipt === undefined ? "" : `receipt-id:${receipt}\n`}\n\0`);
    this.socket.end(1008, message);
  }

  of(command) {
    return this.frames.filter(frame => frame.command === command);
  }
}

function connectedPlay() {
  const play = new Play();
  play.session.connect();
  play.accept();
  return play;
}

test("waits double up to 30 s, and half of each is random", () => {
  assert.deepEqual([1, 2, 3, 7, 8, 100].map(failures => waitBefore(failures, () => 0)), [250, 500, 1_000, 15_000, 15_000, 15_000]);
  assert.deepEqual([1, 2, 3, 7, 8, 100].map(failures => waitBefore(failures, () => 1)), [500, 1_000, 2_000, 30_000, 30_000, 30_000]);
});

test("a session that connects is ready, and knows which server it is", () => {
  const play = connectedPlay();
  assert.deepEqual(play.states.map(state => state.name), ["connecting", "connected", "ready"]);
  assert.equal(play.states.at(-1).server, "direct");
  assert.deepEqual(play.of("CONNECT").map(frame => [frame["accept-version"], frame.host, frame.login]),
    [["1.2", "server.example", undefined]]);
});

test("a connection that breaks is tried again with growing waits, and with short ones after it had held", () => {
  const play = connectedPlay();
  const waits = () => play.states.filter(state => state.name === "waiting").map(state => state.wait);
  for (let i = 0; i < 3; i++) {
    play.socket.end();
    play.clock.advance(waits().at(-1));
  }
  assert.deepEqual(waits(), [375, 750, 1_500]);
  play.accept();
  play.clock.advance(5_000);
  play.socket.end();
  assert.equal(waits().at(-1), 375);
  assert.equal(play.sockets.length, 4);
});

test("a server that does not answer is given up after 15 s, and tried again", () => {
  const play = new Play();
  play.session.connect();
  play.clock.advance(15_000);
  assert.equal(play.state, "waiting");
  assert.match(play.states.at(-1).reason, /did not answer within 15 s/);
});

test("the user need not wait for the next try", () => {
  const play = connectedPlay();
  play.socket.end();
  play.session.hurry();
  assert.equal(play.state, "connecting");
  play.clock.advance(14_999);
  assert.equal(play.sockets.length, 2, "the wait that was left has ended");
});

test("a message is confirmed by its receipt, with the outcome", () => {
  const play = connectedPlay();
  const [first, second] = [play.session.publish("/queue/a", "x"), play.session.publish("/queue/a", "y")];
  const sends = play.of("SEND");
  assert.deepEqual(sends.map(frame => [frame.id, frame.body]), [[first.id, "x"], [second.id, "y"]]);
  assert.equal(first.state, "unconfirmed");
  play.receipt(sends[0], "taken");
  play.receipt(sends[1], "no-subscriber");
  assert.deepEqual([first.state, second.state], ["taken", "no-subscriber"]);
  assert.deepEqual(play.session.unconfirmed, []);
});

test("messages to one destination are numbered in their order, and each destination has numbers of its own", () => {
  const play = connectedPlay();
  const ids = ["/queue/a", "/queue/a", "/queue/b"].map(destination => play.session.publish(destination, "x").id);
  assert.deepEqual(ids.map(id => id.split(".")[1]), ["1", "2", "1"]);
  assert.equal(ids[0].split(".")[0], ids[1].split(".")[0]);
  assert.notEqual(ids[0].split(".")[0], ids[2].split(".")[0]);
  assert.ok(ids.every(id => play.session.owns(id)));
  assert.ok(!play.session.owns("page-aaaaaaaaaa.1") && !play.session.owns("order-7"));
});

test("what was not confirmed is sent again with the same id, in its order, once the subscriptions are back", () => {
  const play = connectedPlay();
  play.session.subscribe("/queue/a", "client-individual", 100);
  play.receipt(play.of("SUBSCRIBE")[0]);
  const publications = ["x", "y", "z"].map(body => play.session.publish("/queue/a", body));
  play.receipt(play.of("SEND")[1], "taken");
  play.socket.end();
  const away = play.session.publish("/queue/a", "while away");
  play.clock.advance(1_000);
  play.accept();

  assert.equal(play.of("SEND").length, 0);
  assert.equal(play.state, "connected");
  play.receipt(play.of("SUBSCRIBE")[0]);
  assert.equal(play.state, "ready");
  assert.deepEqual(play.of("SEND").map(frame => [frame.id, frame.body]),
    [[publications[0].id, "x"], [publications[2].id, "z"], [away.id, "while away"]]);
  assert.deepEqual(publications.map(one => one.tries), [2, 1, 2]);
});

test("a message that the server refused is not sent again by itself, and with the same id if the user wants it", () => {
  const play = connectedPlay();
  const [bad, good] = [play.session.publish("/queue/no", "x"), play.session.publish("/queue/a", "y")];
  play.error("The user may not publish to it.", play.of("SEND")[0].receipt);
  assert.deepEqual([bad.state, bad.reason, good.state], ["refused", "The user may not publish to it.", "unconfirmed"]);
  play.clock.advance(1_000);
  play.accept();
  assert.deepEqual(play.of("SEND").map(frame => frame.id), [good.id]);
  play.session.publishAgain(bad);
  assert.deepEqual(play.of("SEND").map(frame => frame.id), [good.id, bad.id]);
});

test("a message whose outcome is unknown is sent again", () => {
  const play = connectedPlay();
  const one = play.session.publish("/queue/a", "x");
  play.error("The message was perhaps not taken, the outcome is unknown\\c the queue does not answer.", play.of("SEND")[0].receipt);
  play.clock.advance(1_000);
  play.accept();
  assert.deepEqual(play.of("SEND").map(frame => frame.id), [one.id]);
});

test("a subscription that the server refused is not asked for again", () => {
  const ended = [];
  const play = new Play({ subscribed: subscription => ended.push(`${subscription.destination} ${subscription.state}`) });
  play.session.connect();
  play.accept();
  play.session.subscribe("/queue/no", "auto", 100);
  play.error("The user may not subscribe to it.", play.of("SUBSCRIBE")[0].receipt);
  play.clock.advance(1_000);
  play.accept();
  assert.deepEqual(play.of("SUBSCRIBE"), []);
  assert.equal(play.state, "ready");
  assert.deepEqual(ended, ["/queue/no waiting", "/queue/no refused"]);
  assert.deepEqual(play.errors, ["The user may not subscribe to it."]);
});

test("a message is settled on the connection on which it came, and no other", () => {
  const play = connectedPlay();
  const subscription = play.session.subscribe("/queue/a", "client-individual", 100);
  play.receipt(play.of("SUBSCRIBE")[0]);
  const deliver = ack => play.socket.say(`MESSAGE\nsubscription:${subscription.id}\nid:i\nack:${ack}\n\n\0`);
  deliver("1");
  deliver("2");
  assert.ok(play.session.settle(play.messages[0].delivery, true));
  assert.ok(play.session.settle(play.messages[1].delivery, false));
  assert.deepEqual([...play.of("ACK"), ...play.of("NACK")].map(frame => [frame.command, frame.id]), [["ACK", "1"], ["NACK", "2"]]);
  deliver("3");
  play.socket.end();
  play.clock.advance(1_000);
  play.accept();
  assert.ok(!play.session.settle(play.messages[2].delivery, true));
  assert.deepEqual(play.of("ACK"), []);
});

test("a server with users is not tried again until the user logs in", () => {
  const play = new Play();
  play.session.connect();
  play.socket.open();
  play.error("Only users of this server may connect.");
  play.clock.advance(600_000);
  assert.deepEqual([play.state, play.sockets.length], ["refused", 1]);
  assert.equal(play.states.at(-1).reason, "Only users of this server may connect.");
  play.session.connect({ login: "alice", passcode: "secret" });
  play.accept();
  assert.deepEqual(play.of("CONNECT").map(frame => [frame.login, frame.passcode]), [["alice", "secret"]]);
  assert.equal(play.state, "ready");
});

test("a login that was right before is tried three times more before the user is asked again", () => {
  const play = connectedPlay();
  play.socket.end();
  for (let i = 0; i < 4; i++) {
    play.clock.advance(10_000);
    play.socket.open();
    play.error("Too many logins are being checked.");
  }
  assert.equal(play.state, "refused");
  assert.equal(play.sockets.length, 5);
});

test("a session that was closed stays so, and what was not confirmed is sent when it is opened again", () => {
  const play = connectedPlay();
  const one = play.session.publish("/queue/a", "x");
  play.session.close();
  assert.equal(play.of("DISCONNECT").length, 1);
  play.socket.end(1000);
  play.clock.advance(600_000);
  assert.deepEqual([play.state, play.sockets.length, one.state], ["closed", 1, "unconfirmed"]);
  play.session.connect();
  play.accept();
  assert.deepEqual(play.of("SEND").map(frame => frame.id), [one.id]);
});

test("no more than a bounded number of messages wait to be confirmed", () => {
  const play = new Play();
  play.session.connect();
  for (let i = 0; i < MOST_UNCONFIRMED; i++) {
    assert.notEqual(play.session.publish("/queue/a", "x"), null);
  }
  assert.equal(play.session.publish("/queue/a", "x"), null);
});

/** What `Fates` says, in order. */
function fates() {
  const said = [];
  return { said, fates: new Fates({ changed: ({ id }, fate) => said.push(`${id} ${fate}`) }) };
}

const publication = id => ({ id, destination: "/queue/a" });

test("a taken message comes before or after its receipt", () => {
  const { said, fates: all } = fates();
  all.came("1");
  all.taken(publication("1"));
  all.taken(publication("2"));
  all.came("2");
  all.returned(false);
  assert.deepEqual(said, ["1 came", "2 came"]);
});

test("what had not come when the connection ended is lost at a server that keeps nothing, unless it comes after all", () => {
  const { said, fates: all } = fates();
  all.taken(publication("1"));
  all.taken(publication("2"));
  all.returned(false);
  all.returned(false);
  all.taken(publication("3"));
  all.came("2");
  assert.deepEqual(said, ["1 lost", "2 lost", "2 came"]);
});

test("what had not come when the connection ended is still to come from a server that keeps messages", () => {
  const { said, fates: all } = fates();
  all.taken(publication("1"));
  all.returned(true);
  all.came("1");
  assert.deepEqual(said, ["1 late", "1 came"]);
});

test("what is no longer subscribed to is no longer expected", () => {
  const { said, fates: all } = fates();
  all.taken(publication("1"));
  all.left("/queue/b");
  all.left("/queue/a");
  all.returned(false);
  assert.deepEqual(said, ["1 "]);
});
