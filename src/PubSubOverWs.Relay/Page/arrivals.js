// What came already, and what is missing: each message is shown once, in its publisher's order, with gaps marked.
//
// A page numbers its messages: those to one destination are a stream, and the id of a message is STREAM.NUMBER, from 1. The id alone says
// whether a message came before, where it belongs and what is missing before it. Ids of other clients say only whether it came before.

const PAGE_ID = /^(page-[a-z2-7]{10})\.([1-9]\d{0,14})$/;
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** A name for a new stream, which no other page has. */
export function newStream(random = bytes => crypto.getRandomValues(bytes)) {
  return `page-${Array.from(random(new Uint8Array(10)), byte => LETTERS[byte % 32]).join("")}`;
}

/** The stream and the number of an id; null: it is not one of a page. */
export function readId(id) {
  const match = PAGE_ID.exec(id);
  return match && { stream: match[1], number: Number(match[2]) };
}

/** Ids that came, of which the latest are remembered: from `most` to twice as many. */
class Seen {
  #most;
  #young = new Set();
  #old = new Set();

  constructor(most) {
    this.#most = most;
  }

  has(id) {
    return this.#young.has(id) || this.#old.has(id);
  }

  add(id) {
    this.#young.add(id);
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Set();
    }
  }
}

/** The numbers of one stream: `first` to `next` - 1 came, without those in the gaps. */
class Stream {
  constructor(number) {
    this.first = number;
    this.next = number + 1;
    this.gaps = [];
  }
}

/**
 * A place in the order. `fresh`: it did not come before; otherwise all else is undefined. `stream` is an object, the same for all of a
 * stream. `gap`: messages that are missing directly before it. `fills`: the gap in which it lies; `rest` is what is left of that behind it.
 * `leads`: it belongs before the first that came; `rest` is missing between the two.
 * @typedef {{ fresh: boolean, stream?: object, gap?: object, fills?: object, leads?: boolean, rest?: object }} Place
 */

/** Takes ids as they come, in any order and any number of times. A gap is `{ from, to }`, both missing. */
export class Arrivals {
  #seen;
  #streams = new Map();
  #mostStreams;
  #mostGaps;

  /**
   * @param {number} remembered Ids that are not of a page, at least; the server delivers at most as many again.
   * @param {number} mostStreams Of which the oldest is forgotten first.
   * @param {number} mostGaps Of a stream. A message of a gap that was forgotten counts by its id alone.
   */
  constructor({ remembered = 5_000, mostStreams = 200, mostGaps = 1_000 } = {}) {
    this.#seen = new Seen(remembered);
    this.#mostStreams = mostStreams;
    this.#mostGaps = mostGaps;
  }

  /** @returns {Place} */
  take(id) {
    const read = readId(id);
    return read === null ? this.#takeByName(id) : this.#takeByNumber(read.stream, read.number, id);
  }

  #takeByName(id) {
    const fresh = !this.#seen.has(id);
    if (fresh) {
      this.#seen.add(id);
    }
    return { fresh };
  }

  #takeByNumber(name, number, id) {
    const stream = this.#streams.get(name);
    if (stream === undefined) {
      return { fresh: true, stream: this.#begin(name, number) };
    }
    if (number >= stream.next) {
      const gap = between(stream.next, number - 1);
      stream.next = number + 1;
      this.#miss(stream, stream.gaps.length, gap);
      return { fresh: true, stream, gap };
    }
    if (number < stream.first) {
      // Below gaps that were forgotten.
      if (stream.forgot) {
        return this.#takeByName(id);
      }
      const rest = between(number + 1, stream.first - 1);
      stream.first = number;
      this.#miss(stream, 0, rest);
      return { fresh: true, stream, leads: true, rest };
    }
    const at = stream.gaps.findIndex(gap => gap.from <= number && number <= gap.to);
    return at < 0 ? { fresh: false } : { fresh: true, stream, ...fill(stream, at, number) };
  }

  #begin(name, number) {
    const stream = new Stream(number);
    this.#streams.set(name, stream);
    if (this.#streams.size > this.#mostStreams) {
      this.#streams.delete(this.#streams.keys().next().value);
    }
    return stream;
  }

  #miss(stream, at, gap) {
    if (gap === undefined) {
      return;
    }
    stream.gaps.splice(at, 0, gap);
    if (stream.gaps.length > this.#mostGaps) {
      stream.first = stream.gaps.shift().to + 1;
      stream.forgot = true;
    }
  }
}

const between = (from, to) => from <= to ? { from, to } : undefined;

function fill(stream, at, number) {
  const fills = stream.gaps[at];
  const gap = between(fills.from, number - 1);
  const rest = between(number + 1, fills.to);
  stream.gaps.splice(at, 1, ...[gap, rest].filter(one => one !== undefined));
  return { fills, gap, rest };
}
