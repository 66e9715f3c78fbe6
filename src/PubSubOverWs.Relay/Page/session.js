// A session with the server that outlives its connections: it connects again with backoff, subscribes again, and sends again, with the same
// id, what was not confirmed.

import { newStream, readId } from "./arrivals.js";
import { StompClient } from "./stomp.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const PATIENCE = 15_000;
const STEADY = 5_000;
const MOST_LOGINS = 3;

/** Publishes that may be unconfirmed at a time. */
export const MOST_UNCONFIRMED = 1_000;

/**
 * How long to wait before a connection is tried again: 0.5 s, doubled with each failure up to 30 s, of which half is random, so that the
 * clients of a server that was restarted do not all come at once.
 * @param {number} failures In a row, from 1.
 * @param {() => number} random From 0 to 1.
 * @returns {number} Milliseconds.
 */
export function waitBefore(failures, random) {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1));
  return longest / 2 + random() * longest / 2;
}

/**
 * A message of this page. `state` is "unconfirmed" until the server answers, then the outcome of its receipt ("taken", "no-subscriber",
 * "shed") or "refused", with the `reason`; `tries` counts how often it was sent.
 */
class Publication {
  state = "unconfirmed";
  reason = "";
  tries = 0;

  constructor(id, destination, body) {
    this.id = id;
    this.destination = destination;
    this.body = body;
  }
}

/**
 * `on` has what the session calls, each of them optional:
 * - `state({ name, server?, reason?, wait? })`; `name` is "connecting", "connected", "ready" (subscribed, and sent again what was not
 *   confirmed), "waiting" (for the next try, in `wait` ms), "refused" (a login is needed) or "closed" (by `close`);
 * - `message(frame, subscription, delivery)`; the delivery is for `settle`;
 * - `published(publication)`, whenever its state changes or it is sent;
 * - `subscribed(subscription)`, whenever its state ("waiting", "active", "ended", "refused") changes;
 * - `error(text)`: an ERROR of the server.
 */
export class Session {
  #open;
  #timers;
  #random;
  #clock;
  #on;
  #client = null;
  #login = {};
  #accepted = false;
  #refusals = 0;
  #refusal = "";
  #failures = 0;
  #connectedAt = 0;
  #isReady = false;
  #timer;
  #server = "";
  #subscriptions = new Map();
  #restoring = new Set();
  #unconfirmed = new Map();
  #streams = new Map();
  #streamNames = new Set();
  #lastSubscription = 0;

  /** @param {() => WebSocket} open Opens a socket to the server, with the sub-protocol v12.stomp. */
  constructor({ open, on = {}, timers = globalThis, random = Math.random, clock = () => performance.now() }) {
    this.#open = open;
    this.#on = on;
    this.#timers = timers;
    this.#random = random;
    this.#clock = clock;
  }

  /** Publishes without an answer, in the order in which they were made. */
  get unconfirmed() {
    return [...this.#unconfirmed.values()];
  }

  get isReady() {
    return this.#isReady;
  }

  /** Whether a message is one of this page. */
  owns(id) {
    return this.#streamNames.has(readId(id)?.stream);
  }

  /** For another connection of this page to the same server. */
  get login() {
    return this.#login;
  }

  /** @param {{ login?: string, passcode?: string }} login Kept for the next connections. */
  connect(login = this.#login) {
    if (this.#client !== null) {
      return;
    }
    this.#login = login;
    this.#accepted = false;
    this.#refusals = 0;
    this.#failures = 0;
    this.#try();
  }

  /** Does not wait any longer for the next try. */
  hurry() {
    if (this.#timer !== undefined && this.#client === null) {
      this.#try();
    }
  }

  /** Leaves the server, until `connect`. What is unconfirmed stays so. */
  close() {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = undefined;
    const client = this.#client;
    this.#client = null;
    this.#isReady = false;
    if (client !== null) {
      client.disconnect("left");
      // The server answers and closes; one that does not is left.
      this.#timers.setTimeout(() => client.drop("The server did not close."), 2_000);
    }
    this.#ended();
    this.#say({ name: "closed" });
  }

  /**
   * Sends a message, at once or when the session is ready again, as often as needed.
   * @param {string | Uint8Array} body
   * @returns {Publication | null} Null: too many are unconfirmed.
   */
  publish(destination, body) {
    if (this.#unconfirmed.size >= MOST_UNCONFIRMED) {
      return null;
    }
    const publication = new Publication(this.#nextId(destination), destination, body);
    this.publishAgain(publication);
    return publication;
  }

  /** Sends a refused one again, with its id. */
  publishAgain(publication) {
    publication.state = "unconfirmed";
    this.#unconfirmed.set(publication.id, publication);
    this.#send(publication);
  }

  /** @param {"auto" | "client-individual"} ack @param {number} prefetch Messages that may be unsettled. */
  subscribe(destination, ack, prefetch) {
    const subscription = { id: `s${++this.#lastSubscription}`, destination, ack, prefetch, state: "waiting" };
    this.#subscriptions.set(subscription.id, subscription);
    if (this.#client?.isConnected) {
      this.#askFor(subscription);
    }
    this.#on.subscribed?.(subscription);
    return subscription;
  }

  unsubscribe(subscription) {
    if (this.#subscriptions.delete(subscription.id)) {
      if (this.#client?.isConnected) {
        this.#client.unsubscribe(subscription.id);
      }
      this.#restored(subscription);
      this.#tell(subscription, "ended");
    }
  }

  /**
   * Acknowledges a message, or gives it back.
   * @returns {boolean} False: its connection has ended, and the server has taken it back.
   */
  settle(delivery, isAck) {
    if (delivery.client !== this.#client || !this.#client.isConnected || !this.#subscriptions.has(delivery.subscription.id)) {
      return false;
    }
    if (isAck) {
      this.#client.ack(delivery.ack);
    } else {
      this.#client.nack(delivery.ack);
    }
    return true;
  }

  #nextId(destination) {
    let stream = this.#streams.get(destination);
    if (stream === undefined) {
      stream = { name: newStream(), last: 0 };
      this.#streams.set(destination, stream);
      this.#streamNames.add(stream.name);
    }
    return `${stream.name}.${++stream.last}`;
  }

  #try() {
    this.#timers.clearTimeout(this.#timer);
    this.#say({ name: "connecting" });
    const on = {
      connected: frame => this.#connected(client, frame),
      message: frame => this.#came(client, frame),
      receipt: frame => this.#answered(frame),
      error: frame => this.#failed(client, frame),
      closed: end => this.#broke(client, end),
    };
    const client = this.#client = new StompClient(this.#open(), { ...this.#login, on, clock: this.#clock, timers: this.#timers });
    this.#timer = this.#timers.setTimeout(
      () => client.drop(`The server did not answer within ${PATIENCE / 1000} s.`), PATIENCE);
  }

  #connected(client, frame) {
    if (client !== this.#client) {
      return;
    }
    this.#timers.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#accepted = true;
    this.#refusals = 0;
    this.#connectedAt = this.#clock();
    this.#server = /\((\w+)\)/.exec(frame.headers.get("server") ?? "")?.[1] ?? "";
    this.#say({ name: "connected", server: this.#server });
    this.#restoring = new Set(this.#subscriptions.values());
    this.#restoring.forEach(subscription => this.#askFor(subscription));
    this.#readyWhenRestored();
  }

  #askFor(subscription) {
    this.#client.subscribe(subscription.destination, subscription.id, {
      ack: subscription.ack, "prefetch-count": String(subscription.prefetch), receipt: `subscribed ${subscription.id}`,
    });
  }

  #restored(subscription) {
    if (this.#restoring.delete(subscription)) {
      this.#readyWhenRestored();
    }
  }

  // Subscriptions come first: a message that is sent again must find them.
  #readyWhenRestored() {
    if (this.#restoring.size === 0 && !this.#isReady && this.#client?.isConnected) {
      this.#isReady = true;
      this.#unconfirmed.forEach(publication => this.#send(publication));
      this.#say({ name: "ready", server: this.#server });
    }
  }

  #send(publication) {
    if (this.#isReady) {
      publication.tries++;
      this.#client.send(publication.destination, publication.body, { id: publication.id, receipt: `published ${publication.id}` });
    }
    this.#on.published?.(publication);
  }

  #came(client, frame) {
    const subscription = this.#subscriptions.get(frame.headers.get("subscription"));
    if (client === this.#client && subscription !== undefined) {
      this.#on.message?.(frame, subscription, { client, subscription, ack: frame.headers.get("ack") });
    }
  }

  #answered(frame) {
    const [what, id] = (frame.headers.get("receipt-id") ?? "").split(" ");
    if (what === "subscribed" && this.#subscriptions.has(id)) {
      const subscription = this.#subscriptions.get(id);
      this.#tell(subscription, "active");
      this.#restored(subscription);
    }
    if (what === "published" && this.#unconfirmed.has(id)) {
      this.#conclude(this.#unconfirmed.get(id), frame.headers.get("outcome") ?? "taken", "");
    }
  }

  #failed(client, frame) {
    const text = frame.headers.get("message") ?? frame.text ?? "";
    const [what, id] = (frame.headers.get("receipt-id") ?? "").split(" ");
    if (what === "subscribed" && this.#subscriptions.has(id)) {
      const subscription = this.#subscriptions.get(id);
      this.#subscriptions.delete(id);
      subscription.reason = text;
      this.#tell(subscription, "refused");
    }
    // Of others the outcome is unknown: they are sent again.
    if (what === "published" && this.#unconfirmed.has(id) && !/outcome is unknown/.test(text)) {
      this.#conclude(this.#unconfirmed.get(id), "refused", text);
    }
    if (client === this.#client && !client.isConnected) {
      this.#refusals++;
      this.#refusal = text;
    }
    this.#on.error?.(text);
  }

  #conclude(publication, state, reason) {
    this.#unconfirmed.delete(publication.id);
    publication.state = state;
    publication.reason = reason;
    this.#on.published?.(publication);
  }

  #broke(client, { code, reason }) {
    if (client !== this.#client) {
      return;
    }
    this.#timers.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#client = null;
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#ended();
    if (this.#refusals > (this.#accepted ? MOST_LOGINS : 0)) {
      this.#say({ name: "refused", reason: this.#refusal });
      return;
    }
    this.#failures = wasReady && this.#clock() - this.#connectedAt >= STEADY ? 1 : this.#failures + 1;
    const wait = waitBefore(this.#failures, this.#random);
    this.#timer = this.#timers.setTimeout(() => this.#try(), wait);
    this.#say({ name: "waiting", wait, reason: reason || (code === 1006 ? "" : `It was closed with ${code}.`) });
  }

  #ended() {
    this.#restoring.clear();
    this.#subscriptions.forEach(subscription => this.#tell(subscription, "waiting"));
    this.#unconfirmed.forEach(publication => this.#on.published?.(publication));
  }

  #tell(subscription, state) {
    subscription.state = state;
    this.#on.subscribed?.(subscription);
  }

  #say(state) {
    this.#on.state?.(state);
  }
}
