// The paper's workload from one page: it sends itself messages, one at a time or at a rate, and stamps each on one clock. The buckets and
// causes are those of docs/reference/method.md, and the samples are written as docs/reference/record.md has them.

import { LatencyHistogram } from "./histogram.js";

const MOST_AT_ONCE = 200;
const HEADER = "arm,iteration,messageId,publisher,recipient,dueUs,sentUs,receiptUs,receivedUs,outcome,cause,flow,correlationId";
const FILLER = "abcdefghijklmnopqrstuvwxyz0123456789";

/** The body of a message: its number, then letters, `bytes` in all, so that a changed one is noticed. */
export function payload(number, bytes) {
  return `${number} `.padEnd(bytes, FILLER).slice(0, Math.max(bytes, 1));
}

/**
 * One message: times are milliseconds from the start; undefined: it did not happen.
 * @typedef {{ id: string, due: number, sent?: number, receipt?: number, received?: number, taken?: boolean, failure?: string }} Attempt
 */

/**
 * The bucket of an attempt and why it was not delivered.
 * @param {Attempt} one
 * @param {number} deadline Milliseconds from due.
 * @returns {{ outcome: string, cause: string }}
 */
export function classify(one, deadline) {
  if (one.received !== undefined) {
    return one.received - one.due <= deadline ? { outcome: "delivered", cause: "" } : { outcome: "late", cause: "deadline" };
  }
  const cause = one.failure ?? "deadline";
  if (one.taken) {
    return { outcome: "lost-acknowledged", cause };
  }
  const refused = one.sent === undefined || one.failure === "shed" || one.failure === "no-subscriber";
  return { outcome: refused ? "refused" : "lost-unacknowledged", cause };
}

/** The file `samples.csv` of a record with one iteration, of one page that is the only publisher and the only recipient. */
export function samplesCsv(attempts, deadline, server) {
  const lines = attempts.map(one => {
    const { outcome, cause } = classify(one, deadline);
    return [
      server, 1, one.id, 0, 0, microseconds(one.due), microseconds(one.sent), microseconds(one.receipt), microseconds(one.received),
      outcome, cause, "message", "",
    ].join(",");
  });
  return `${[HEADER, ...lines].join("\n")}\n`;
}

// A tenth of a microsecond is the unit of the record.
function microseconds(milliseconds) {
  if (milliseconds === undefined) {
    return "";
  }
  const tenths = Math.round(milliseconds * 10_000);
  return tenths % 10 === 0 ? `${tenths / 10}` : `${Math.floor(tenths / 10)}.${tenths % 10}`;
}

/**
 * One measurement over a connection of its own. `on` has `progress()`, after every message that came or failed, and `done(failure)`, once;
 * the failure is "" when it ran to its end, or was stopped.
 */
export class Measurement {
  /** @type {Attempt[]} */
  attempts = [];
  /** Of all that came, late ones too, from due, by which percentiles are known. */
  latencies = new LatencyHistogram(7);
  /** The same in wider buckets, which are drawn. */
  drawn = new LatencyHistogram(3);
  counts = { delivered: 0, late: 0, again: 0, corrupted: 0 };
  server = "";

  #settings;
  #on;
  #clock;
  #timers;
  #client;
  #run;
  #origin = 0;
  #came = 0;
  #timer;
  #isDone = false;

  /**
   * @param {object} settings `messages` (1 to 100,000), `perSecond` (0: one at a time), `bytes` of each, `deadline` in ms from due, and the
   *   `destination`, of which it must be the only subscriber.
   * @param {(on: object) => import("./stomp.js").StompClient} connect
   * @param {string} run A name that no other run has.
   */
  constructor({ settings, connect, run, on, clock = () => performance.now(), timers = globalThis }) {
    this.#settings = settings;
    this.#run = run;
    this.#on = on;
    this.#clock = clock;
    this.#timers = timers;
    this.#client = connect({
      connected: frame => this.#subscribe(frame),
      receipt: frame => this.#answered(frame),
      message: frame => this.#received(frame),
      error: frame => this.#end(frame.headers.get("message") ?? "The server sent an ERROR.", "server-closed"),
      closed: ({ reason }) => this.#end(reason || "The connection ended.", "server-closed"),
    });
  }

  /** Ends it; what has not come by now counts as lost. */
  stop() {
    this.#end("", undefined);
  }

  get isDone() {
    return this.#isDone;
  }

  #subscribe(frame) {
    this.server = /\((\w+)\)/.exec(frame.headers.get("server") ?? "")?.[1] ?? "server";
    this.#client.subscribe(this.#settings.destination, "measure", { ack: "auto", receipt: "subscribed" });
  }

  #start() {
    this.#origin = this.#clock();
    this.#next();
  }

  #now() {
    return this.#clock() - this.#origin;
  }

  #dueOf(number) {
    return number * 1000 / this.#settings.perSecond;
  }

  #next() {
    const { messages, perSecond, deadline } = this.#settings;
    if (perSecond === 0) {
      if (this.attempts.length < messages) {
        const due = this.#now();
        this.#send(due);
        this.#in(deadline, () => this.#next());
      } else {
        this.#end("", undefined);
      }
      return;
    }
    for (let sent = 0; this.attempts.length < messages && this.#dueOf(this.attempts.length) <= this.#now(); sent++) {
      if (sent === MOST_AT_ONCE) {
        this.#in(0, () => this.#next());
        return;
      }
      this.#send(this.#dueOf(this.attempts.length));
    }
    if (this.attempts.length < messages) {
      this.#in(this.#dueOf(this.attempts.length) - this.#now(), () => this.#next());
    } else {
      this.#in(this.attempts.at(-1).due + deadline - this.#now(), () => this.#end("", undefined));
    }
  }

  #in(milliseconds, act) {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = this.#timers.setTimeout(() => this.#isDone || act(), Math.max(0, milliseconds));
  }

  #send(due) {
    const number = this.attempts.length;
    const id = `${this.#run}-${number}`;
    this.attempts.push({ id, due, sent: this.#now() });
    this.#client.send(this.#settings.destination, payload(number, this.#settings.bytes), { id, receipt: id });
  }

  // The number of a message of this run that has not ended; -1: it is none.
  #numberOf(id = "") {
    const number = id.startsWith(`${this.#run}-`) ? Number(id.slice(this.#run.length + 1)) : -1;
    return this.#isDone || this.attempts[number] === undefined ? -1 : number;
  }

  #answered(frame) {
    const id = frame.headers.get("receipt-id");
    if (id === "subscribed") {
      this.#start();
      return;
    }
    const number = this.#numberOf(id);
    if (number < 0) {
      return;
    }
    const one = this.attempts[number];
    const outcome = frame.headers.get("outcome") ?? "taken";
    one.receipt = this.#now();
    one.taken = outcome === "taken";
    if (!one.taken) {
      one.failure = outcome;
      this.#settled(number);
    }
  }

  #received(frame) {
    const now = this.#now();
    const number = this.#numberOf(frame.headers.get("id"));
    if (number < 0) {
      return;
    }
    const one = this.attempts[number];
    if (frame.text !== payload(number, this.#settings.bytes)) {
      this.counts.corrupted++;
      return;
    }
    if (one.received !== undefined) {
      this.counts.again++;
      return;
    }
    one.received = now;
    this.counts[classify(one, this.#settings.deadline).outcome]++;
    this.latencies.record((now - one.due) * 1000);
    this.drawn.record((now - one.due) * 1000);
    this.#settled(number);
  }

  #settled(number) {
    this.#came++;
    this.#on.progress();
    const { messages, perSecond } = this.#settings;
    if (this.#came === messages) {
      this.#end("", undefined);
    } else if (perSecond === 0 && number === this.attempts.length - 1) {
      this.#next();
    }
  }

  #end(failure, cause) {
    if (this.#isDone) {
      return;
    }
    this.#isDone = true;
    this.#timers.clearTimeout(this.#timer);
    // At a rate it is known when the others were due.
    const { messages, perSecond } = this.#settings;
    while (cause !== undefined && perSecond > 0 && this.attempts.length < messages) {
      this.attempts.push({ id: `${this.#run}-${this.attempts.length}`, due: this.#dueOf(this.attempts.length) });
    }
    for (const one of this.attempts) {
      if (one.received === undefined) {
        one.failure ??= cause;
      }
    }
    this.#client.drop("The measurement is over.");
    this.#on.done(failure);
  }
}
