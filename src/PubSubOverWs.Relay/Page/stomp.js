// STOMP 1.2 over a WebSocket: frames to and from bytes, and a client for one connection. No other module knows the wire.
// https://stomp.github.io/stomp-specification-1.2.html

const LF = 10;
const CR = 13;
const ESCAPES = new Map([["\\", "\\\\"], ["\r", "\\r"], ["\n", "\\n"], [":", "\\c"]]);
const UNESCAPES = new Map([["\\\\", "\\"], ["\\r", "\r"], ["\\n", "\n"], ["\\c", ":"]]);
const MOST_FRAME_BYTES = 16 * 1024 * 1024;

const encoder = new TextEncoder();
// A byte order mark is data here, and bytes that are not UTF-8 must not become something else.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The peer broke a rule of the protocol; the message says which. */
export class StompError extends Error {}

const escape = text => text.replace(/[\\\r\n:]/g, one => ESCAPES.get(one));

function unescape(text) {
  return text.includes("\\")
    ? text.replace(/\\[^]?/g, pair => {
      const one = UNESCAPES.get(pair);
      if (one === undefined) {
        throw new StompError(`The escape ${JSON.stringify(pair)} is none of STOMP 1.2.`);
      }
      return one;
    })
    : text;
}

/**
 * A frame as a WebSocket message.
 * @param {string} command Such as SEND.
 * @param {Object<string, string>} headers Those that are undefined are left out. content-length is added where there is a body.
 * @param {string | Uint8Array} body Text gives a text message, bytes a binary one.
 * @returns {string | Uint8Array}
 */
export function encodeFrame(command, headers = {}, body = "") {
  const plain = command === "CONNECT";
  let head = `${command}\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      head += plain ? `${name}:${value}\n` : `${escape(name)}:${escape(String(value))}\n`;
    }
  }
  if (typeof body === "string") {
    return body === "" ? `${head}\n\0` : `${head}content-length:${encoder.encode(body).length}\n\n${body}\0`;
  }
  const start = encoder.encode(`${head}content-length:${body.length}\n\n`);
  const bytes = new Uint8Array(start.length + body.length + 1);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}

/** One frame that came: its command, its headers (a Map; of repeated ones the first) and the bytes of its body. */
export class Frame {
  constructor(command, headers, body) {
    this.command = command;
    this.headers = headers;
    this.body = body;
  }

  /** The body as text; null: it is not UTF-8. */
  get text() {
    try {
      return strict.decode(this.body);
    } catch {
      return null;
    }
  }
}

/** Finds frames in what comes, however it is cut into WebSocket messages. */
export class FrameReader {
  /** Headers have escapes; not before a version is agreed on. */
  escapes = false;

  #rest = new Uint8Array(0);

  /**
   * @param {string | ArrayBuffer} data A WebSocket message.
   * @returns {Generator<Frame>} The frames that are complete now. Line ends between frames, which are heart-beats, give none.
   * @throws {StompError} It is malformed; nothing that comes after it can be read.
   */
  *read(data) {
    const came = typeof data === "string" ? encoder.encode(data) : new Uint8Array(data);
    let bytes = came;
    if (this.#rest.length > 0) {
      bytes = new Uint8Array(this.#rest.length + came.length);
      bytes.set(this.#rest);
      bytes.set(came, this.#rest.length);
    }
    let at = 0;
    for (;;) {
      while (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) {
        at++;
      }
      const frame = this.#frameAt(bytes, at);
      if (frame === null) {
        break;
      }
      at = frame.end;
      yield frame.frame;
    }
    this.#rest = bytes.slice(at);
    if (this.#rest.length > MOST_FRAME_BYTES) {
      throw new StompError(`A frame has more than ${MOST_FRAME_BYTES} bytes.`);
    }
  }

  #frameAt(bytes, at) {
    const bodyAt = behindEmptyLine(bytes, at);
    if (bodyAt < 0) {
      return null;
    }
    const [command, ...lines] = headOf(bytes.subarray(at, bodyAt)).split(/\r?\n/);
    const headers = this.#headers(lines.slice(0, -2));
    const length = headers.get("content-length");
    if (length !== undefined && !/^\d{1,9}$/.test(length)) {
      throw new StompError(`The content-length ${JSON.stringify(length)} is not a number of bytes.`);
    }
    const end = length === undefined ? bytes.indexOf(0, bodyAt) : bodyAt + Number(length);
    if (end < 0 || end >= bytes.length) {
      return null;
    }
    if (bytes[end] !== 0) {
      throw new StompError(`No NUL stands behind the ${length} bytes of a body.`);
    }
    return { frame: new Frame(command, headers, bytes.subarray(bodyAt, end)), end: end + 1 };
  }

  #headers(lines) {
    const headers = new Map();
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon < 1) {
        throw new StompError(`The header line ${JSON.stringify(line)} has no name.`);
      }
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1)].map(part => this.escapes ? unescape(part) : part);
      if (!headers.has(name)) {
        headers.set(name, value);
      }
    }
    return headers;
  }
}

function headOf(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    throw new StompError("The headers of a frame are not UTF-8.");
  }
}

function behindEmptyLine(bytes, at) {
  for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, end + 1)) {
    if (bytes[end + 1] === LF) {
      return end + 2;
    }
    if (bytes[end + 1] === CR && bytes[end + 2] === LF) {
      return end + 3;
    }
  }
  return -1;
}

/**
 * One connection, from its handshake to its end; it never connects again. `on` has what it calls, each of them optional:
 * `connected(frame)`, `message(frame)`, `receipt(frame)`, `error(frame)`, and at last, once, `closed({ code, reason })`.
 */
export class StompClient {
  #socket;
  #on;
  #clock;
  #timers;
  #reader = new FrameReader();
  #connected = false;
  #closed = false;
  #heard = 0;
  #beats = [];

  /**
   * @param {WebSocket} socket One that is opening, with the sub-protocol v12.stomp.
   * @param {object} options
   * @param {string} [options.login] And `passcode`; without them the server takes the client only if it has no users.
   * @param {number[]} [options.heartBeat] Milliseconds between heart-beats that the client sends, and wants. 0: none. By default it sends
   *   none, because browsers slow the timers of hidden pages down; the server's PING finds out whether the page is still there.
   * @param {object} [options.on] What is called.
   */
  constructor(socket, { login, passcode, heartBeat = [0, 10_000], on = {}, clock = () => performance.now(), timers = globalThis }) {
    this.#socket = socket;
    this.#on = on;
    this.#clock = clock;
    this.#timers = timers;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.#write(encodeFrame("CONNECT", {
      "accept-version": "1.2", host: new URL(socket.url).hostname, "heart-beat": heartBeat.join(","), login, passcode,
    }));
    socket.onmessage = event => this.#take(event.data, heartBeat);
    socket.onclose = event => this.#end(event.code, event.reason);
  }

  /** From CONNECTED to the end. */
  get isConnected() {
    return this.#connected && !this.#closed;
  }

  /** @param {Object<string, string>} headers Such as `id` and `receipt`. */
  send(destination, body, headers) {
    this.#write(encodeFrame("SEND", { destination, ...headers }, body));
  }

  /** @param {Object<string, string>} headers Such as `ack`, `prefetch-count` and `receipt`. */
  subscribe(destination, id, headers) {
    this.#write(encodeFrame("SUBSCRIBE", { id, destination, ...headers }));
  }

  unsubscribe(id, headers) {
    this.#write(encodeFrame("UNSUBSCRIBE", { id, ...headers }));
  }

  /** @param {string} id The header `ack` of a MESSAGE of this connection. */
  ack(id, headers) {
    this.#write(encodeFrame("ACK", { id, ...headers }));
  }

  /** Gives it back. @param {string} id As for `ack`. */
  nack(id, headers) {
    this.#write(encodeFrame("NACK", { id, ...headers }));
  }

  /** Tells the server that the client leaves; the server answers the receipt and closes. */
  disconnect(receipt) {
    this.#write(encodeFrame("DISCONNECT", { receipt }));
  }

  /** Ends the connection at once, whatever the server does; `closed` is called before this returns. */
  drop(reason) {
    this.#socket.close();
    this.#end(1006, reason);
  }

  #write(message) {
    if (!this.#closed && this.#socket.readyState === 1) {
      this.#socket.send(message);
    }
  }

  #take(data, heartBeat) {
    this.#heard = this.#clock();
    try {
      for (const frame of this.#reader.read(data)) {
        // What was called for the last one may have ended it.
        if (this.#closed) {
          return;
        }
        this.#act(frame, heartBeat);
      }
    } catch (failure) {
      if (!(failure instanceof StompError)) {
        throw failure;
      }
      this.drop(`The server sent what is not STOMP. ${failure.message}`);
    }
  }

  #act(frame, heartBeat) {
    switch (frame.command) {
      case "CONNECTED":
        this.#connected = true;
        this.#reader.escapes = true;
        this.#beat(heartBeat, (frame.headers.get("heart-beat") ?? "0,0").split(",").map(Number));
        this.#on.connected?.(frame);
        break;
      case "MESSAGE":
        this.#on.message?.(frame);
        break;
      case "RECEIPT":
        this.#on.receipt?.(frame);
        break;
      case "ERROR":
        this.#on.error?.(frame);
        break;
      default:
        throw new StompError(`${JSON.stringify(frame.command.slice(0, 40))} is no frame of a server.`);
    }
  }

  #beat([sends, wants], [serverSends, serverWants]) {
    if (sends > 0 && serverWants > 0) {
      const every = Math.max(sends, serverWants);
      // A tenth early rather than late.
      this.#every(every * 0.9, () => this.#write("\n"));
    }
    if (wants > 0 && serverSends > 0) {
      const every = Math.max(wants, serverSends);
      let looked = this.#clock();
      this.#every(every, () => {
        const now = this.#clock();
        // A page that slept could not hear: it listens for another interval.
        const slept = now - looked > 1.5 * every;
        looked = now;
        if (!slept && now - this.#heard > 2 * every) {
          this.drop(`Nothing came from the server for ${Math.round((now - this.#heard) / 1000)} s.`);
        }
      });
    }
  }

  #every(milliseconds, act) {
    this.#beats.push(this.#timers.setInterval(act, milliseconds));
  }

  #end(code, reason) {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.#beats.forEach(beat => this.#timers.clearInterval(beat));
    this.#on.closed?.({ code, reason });
  }
}
