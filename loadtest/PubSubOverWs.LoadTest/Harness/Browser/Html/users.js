// The users of one trial, all in this page: each connects, subscribes to its own queue and sends messages to it. Sends, receipts and
// arrivals are stamped by one clock, that of the page, and nothing is concluded from them here.

const SUBSCRIPTION = "s";
const MOST_CLOSING_MS = 3_000;
const REFUSED = ["no-subscriber", "shed"];

/**
 * The smallest step that a clock makes.
 * @param {() => number} clock Milliseconds.
 * @returns {number} Microseconds.
 */
export function resolutionOf(clock, steps = 100) {
  let least = Infinity;
  for (let step = 0; step < steps; step++) {
    const from = clock();
    let to = from;
    while (to === from) {
      to = clock();
    }
    least = Math.min(least, to - from);
  }
  return Math.round(least * 1000);
}

/** A connection to the null echo, which sends every frame back: like a StompClient, without CONNECT and SUBSCRIBE. */
class EchoClient {
  #socket;
  #stomp;

  constructor(stomp, socket, on) {
    this.#socket = socket;
    this.#stomp = stomp;
    const reader = new stomp.FrameReader();
    socket.binaryType = "arraybuffer";
    socket.onopen = () => on.ready();
    socket.onmessage = ({ data }) => [...reader.read(data)].forEach(on.message);
    socket.onclose = on.closed;
  }

  send(destination, body, headers) {
    this.#socket.send(this.#stomp.encodeFrame("SEND", { destination, ...headers }, body));
  }

  disconnect() {
    // There is no such frame without STOMP.
  }
}

/** One user: its connection, its messages, and all that it has seen. Times are those of the clock. */
class User {
  failure = null;
  sent;
  receipts = [];
  arrived = [];

  #plan;
  #options;
  #socket;
  #client;
  #open;
  #isIn = false;
  #isLeaving = false;
  #entered;
  #settled;
  #end;
  /** Completes when the connection has ended. */
  left = new Promise(resolve => { this.#end = resolve; });

  /** @param settled Called once: it has all its messages, or nothing more can come. */
  constructor(plan, options, settled) {
    this.#plan = plan;
    this.#options = options;
    this.#settled = settled;
    this.#open = new Set(plan.messages.map(message => message.id));
    this.sent = plan.messages.map(() => null);
  }

  /** @returns {Promise<boolean>} It is connected and subscribed; or its failure says why not. */
  enter() {
    const { stomp, open, timers, clock, isEcho, connectTimeoutMs } = this.#options;
    this.#socket = open(this.#plan.address);
    const on = {
      ready: () => this.#enter(true),
      connected: () => this.#client.subscribe(this.#plan.destination, SUBSCRIPTION, { ack: "auto", receipt: SUBSCRIPTION }),
      receipt: frame => this.#answered(frame.headers.get("receipt-id"), frame.headers.get("outcome"), clock()),
      message: frame => this.#came(frame, clock()),
      error: frame => this.#fail(this.#isIn ? "serverClosed" : "handshakeRejected", `ERROR ${frame.headers.get("message")}`),
      closed: ({ code, reason }) => this.#ended(reason || `closed with ${code}`),
    };
    this.#client = isEcho
      ? new EchoClient(stomp, this.#socket, on)
      : new stomp.StompClient(this.#socket, { heartBeat: [0, 0], on });
    return new Promise(resolve => {
      const timer = timers.setTimeout(() => {
        this.#fail("connectTimeout", "not subscribed in time");
        this.#socket.close();
        this.#enter(false);
      }, connectTimeoutMs);
      this.#entered = isIn => {
        timers.clearTimeout(timer);
        resolve(isIn);
      };
    });
  }

  /** Sends a message that is due; no effect if it is not connected. @param {number} number From 0. */
  send(number) {
    if (!this.#isIn || this.failure !== null) {
      return;
    }
    const { id, body } = this.#plan.messages[number];
    this.sent[number] = this.#options.clock();
    this.#client.send(this.#plan.destination, body, { id, receipt: this.#options.receipts ? number : undefined });
  }

  leave() {
    this.#isLeaving = true;
    this.#client.disconnect();
    this.#socket.close(1000);
  }

  #enter(isIn) {
    this.#isIn = isIn;
    this.#entered(isIn);
    if (!isIn) {
      this.#giveUp();
    }
  }

  #answered(id, outcome, at) {
    if (id === SUBSCRIPTION) {
      this.#enter(this.failure === null);
      return;
    }
    this.receipts.push({ number: Number(id), at, outcome });
    if (REFUSED.includes(outcome)) {
      this.#settle(this.#plan.messages[id].id);
    }
  }

  #came(frame, at) {
    const id = frame.headers.get("id") ?? null;
    const sent = this.#options.bodies.get(id);
    const isIntact = sent === undefined || frame.text === sent;
    this.arrived.push({ id, at, isIntact });
    if (isIntact) {
      this.#settle(id);
    }
  }

  #ended(why) {
    this.#end();
    if (!this.#isIn) {
      this.#fail("handshakeRejected", `${why} before it was subscribed`);
      this.#enter(false);
    } else if (!this.#isLeaving) {
      this.#fail("serverClosed", why);
      this.#giveUp();
    }
  }

  #fail(cause, detail) {
    this.failure ??= { cause, detail };
  }

  #settle(id) {
    if (this.#open.delete(id) && this.#open.size === 0) {
      this.#settled();
    }
  }

  #giveUp() {
    if (this.#open.size > 0) {
      this.#open.clear();
      this.#settled();
    }
  }
}

/** All users of a trial, in the order: enter, begin, leave. */
export class Users {
  #plan;
  #options;
  #users;
  #unsettled;
  #origin;
  #timers = [];
  #done;
  #isDone = new Promise(resolve => { this.#done = resolve; });

  /**
   * @param {object} plan As the load runner sends it: PagePlan in PageOrder.cs. Its times are milliseconds.
   * @param {typeof import("../../../../src/PubSubOverWs.Relay/Page/stomp.js")} stomp The module of the servers' own page.
   * @param {object} [world] What a test replaces.
   */
  constructor(
    plan, stomp, { open = address => new WebSocket(address, "v12.stomp"), clock = () => performance.now(), timers = globalThis } = {}) {
    const { isEcho, receipts, connectTimeoutMs } = plan;
    const bodies = new Map(plan.users.flatMap(user => user.messages.map(message => [message.id, message.body])));
    this.#plan = plan;
    this.#options = { stomp, open, clock, timers, isEcho, receipts, connectTimeoutMs, bodies };
    this.#unsettled = plan.users.length;
    this.#users = plan.users.map(user => new User(user, this.#options, () => this.#settle()));
  }

  /** @returns {Promise<number>} How many are connected and subscribed. */
  async enter() {
    const waiting = [...this.#users];
    let connected = 0;
    const enterNext = async () => {
      while (waiting.length > 0) {
        // Not in one expression: that would add to what it was before the wait.
        const isIn = await waiting.shift().enter();
        connected += isIn ? 1 : 0;
      }
    };
    await Promise.all(Array.from({ length: this.#plan.connectsUnderWay }, enterNext));
    return connected;
  }

  /**
   * Sends each message when it is due, counted from now.
   * @returns {Promise<number | null>} After how many milliseconds each user had its messages or had given up; null: they left before.
   */
  begin() {
    const { clock, timers } = this.#options;
    this.#origin = clock();
    const sends = this.#plan.users.flatMap(({ messages }, user) => messages.map(({ dueMs }, number) => ({ dueMs, user, number })));
    // Users take turns.
    sends.sort((a, b) => a.number - b.number || a.user - b.user);
    for (const { dueMs, user, number } of sends) {
      const send = () => this.#users[user].send(number);
      if (dueMs === 0) {
        send();
      } else {
        // All timers are set now: one that is set by a timer waits for 4 ms or more (HTML Standard, 8.7). They round down.
        this.#timers.push(timers.setTimeout(send, Math.ceil(dueMs - (clock() - this.#origin))));
      }
    }
    return this.#isDone;
  }

  /**
   * Closes all connections.
   * @returns {Promise<object[]>} What each user has seen, with times from the beginning: PageLog in PageAnswer.cs.
   */
  async leave() {
    const { clock, timers } = this.#options;
    this.#done(null);
    this.#timers.forEach(timer => timers.clearTimeout(timer));
    this.#users.forEach(user => user.leave());
    await new Promise(resolve => {
      const late = timers.setTimeout(resolve, MOST_CLOSING_MS);
      Promise.all(this.#users.map(user => user.left)).then(() => {
        timers.clearTimeout(late);
        resolve();
      });
    });
    const origin = this.#origin ?? clock();
    return this.#users.map(({ failure, sent, receipts, arrived }) => ({
      failure,
      sentMs: sent.map(at => at === null ? null : at - origin),
      receipts: receipts.map(({ number, at, outcome }) => ({ number, ms: at - origin, outcome })),
      arrived: arrived.map(({ id, at, isIntact }) => ({ id, ms: at - origin, isIntact })),
    }));
  }

  #settle() {
    if (--this.#unsettled === 0) {
      this.#done(this.#origin === undefined ? null : this.#options.clock() - this.#origin);
    }
  }
}
