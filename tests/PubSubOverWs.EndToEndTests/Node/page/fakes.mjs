// A clock that stands still until a test moves it, and a socket that keeps what is sent.

export class FakeClock {
  now = 0;
  #timers = new Map();
  #last = 0;

  /** For `timers` and `clock` of the modules. */
  get options() {
    return { timers: this, clock: () => this.now };
  }

  setTimeout = (act, after) => this.#add(act, after, undefined);
  setInterval = (act, every) => this.#add(act, every, every);
  clearTimeout = id => void this.#timers.delete(id);
  clearInterval = id => void this.#timers.delete(id);

  /** Moves it, and calls what is due on the way, in its order. */
  advance(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      const [id, next] = [...this.#timers].filter(([, timer]) => timer.due <= end).sort(([, a], [, b]) => a.due - b.due)[0] ?? [];
      if (next === undefined) {
        break;
      }
      this.now = Math.max(this.now, next.due);
      if (next.every === undefined) {
        this.#timers.delete(id);
      } else {
        next.due = this.now + next.every;
      }
      next.act();
    }
    this.now = end;
  }

  /** The clock goes on, and timers do not: the computer slept. */
  sleep(milliseconds) {
    this.now += milliseconds;
  }

  #add(act, after, every) {
    this.#timers.set(++this.#last, { act, due: this.now + after, every });
    return this.#last;
  }
}

export class FakeSocket {
  url = "ws://server.example:8080/ws";
  protocol = "v12.stomp";
  readyState = 0;
  sent = [];
  isLeft = false;

  send(message) {
    this.sent.push(message);
  }

  close() {
    this.isLeft = true;
  }

  open() {
    this.readyState = 1;
    this.onopen?.({});
  }

  /** The server sends. */
  say(data) {
    this.onmessage?.({ data });
  }

  /** The connection ends. */
  end(code = 1006, reason = "") {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
}
