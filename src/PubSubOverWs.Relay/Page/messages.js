// The list of messages that came: each once, in its publisher's order, with gaps marked. It keeps the last rows and counts the others.

import { Arrivals } from "./arrivals.js";
import { element, many, soon, timeOfDay } from "./dom.js";

// Each frame lays all of them out and paints them, which took up to 63 ms of one of two slow cores with 500, and 33 ms with 200.
const MOST_ROWS = 200;
const MOST_BYTES = 8 * 1024 * 1024;
const PREVIEW = 160;
const HEX_SHOWN = 1_024;
const TAKEN_BACK = "not acknowledged: the server took it back";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How bytes that are no text are shown. */
const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join(" ");

/** One line of a body: text with its white space as blanks, or the first bytes. */
export function previewOf(frame) {
  const start = frame.body.length > 4 * PREVIEW ? { body: frame.body, text: frame.text === null ? null : decoder.decode(
    frame.body.subarray(0, 4 * PREVIEW)) } : frame;
  return start.text === null
    ? `${many(frame.body.length, "byte")}: ${hex(frame.body.subarray(0, 16))}${frame.body.length > 16 ? " …" : ""}`
    : Array.from(start.text.slice(0, 2 * PREVIEW)).slice(0, PREVIEW).join("").replace(/\s+/g, " ");
}

/** All of a body. */
const wholeOf = frame => frame.text ?? hex(frame.body.subarray(0, HEX_SHOWN)) + (frame.body.length > HEX_SHOWN ? " …" : "");

/** A message in the list. `acks` are the deliveries that wait for the user; empty: none does. */
class Row {
  acks = [];
  times = 1;

  constructor(id, frame) {
    this.id = id;
    this.frame = frame;
    this.marks = element("span", { className: "marks" });
    this.actions = element("span", { className: "actions" });
    const summary = element("summary", {},
      element("span", { className: "time" }, timeOfDay()),
      element("span", { className: "destination" }, frame.headers.get("destination") ?? ""),
      element("bdi", { className: "preview" }, previewOf(frame)));
    const details = element("details", {}, summary);
    details.addEventListener("toggle", () => this.#unfold(details), { once: true });
    this.item = element("li", { className: "message" }, details, this.marks, this.actions);
    this.item.dataset.id = id;
  }

  mark(text) {
    this.marks.append(element("span", { className: "mark" }, text));
  }

  say(text) {
    this.actions.replaceChildren(text);
  }

  #unfold(details) {
    const headers = element("dl");
    for (const [name, value] of this.frame.headers) {
      headers.append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
    }
    details.append(headers, element("pre", { tabIndex: 0, dir: "auto" }, wholeOf(this.frame)));
  }
}

/** @param {(delivery: object, isAck: boolean) => boolean} settle As `Session.settle`. */
export class MessageList {
  #list;
  #summary;
  #said;
  #settle;
  #arrivals = new Arrivals();
  #rows = new Map();
  #gaps = new Map();
  #firsts = new WeakMap();
  #bytes = 0;
  #counts = { came: 0, again: 0, older: 0 };
  #unsaid = 0;
  #count = soon(() => this.#showCounts());
  #announce = soon(() => this.#sayCounts(), 5_000);

  constructor({ list, summary, said, settle }) {
    this.#list = list;
    this.#summary = summary;
    this.#said = said;
    this.#settle = settle;
    this.#showCounts();
  }

  /**
   * @param {import("./stomp.js").Frame} frame A MESSAGE.
   * @param {object} delivery For `settle`.
   * @param {"auto" | "shown" | "by-hand"} mode When it is acknowledged.
   * @returns {boolean} It is the first of its id.
   */
  add(frame, delivery, mode) {
    const id = frame.headers.get("id") ?? frame.headers.get("message-id") ?? "";
    const place = this.#arrivals.take(id);
    const known = this.#rows.get(id);
    const wasMissed = Number(frame.headers.get("missed") ?? 0);
    if (wasMissed > 0) {
      this.#append(element("li", { className: "gap" },
        `${many(wasMissed, "message")} of ${frame.headers.get("destination")} dropped by the server here: this page was too slow`));
    }
    if (place.fresh || (known === undefined && mode === "by-hand")) {
      this.#show(new Row(id, frame), place, delivery, mode);
    } else {
      this.#counts.again++;
      this.#repeat(known, delivery, mode);
    }
    this.#trim();
    this.#count();
    return place.fresh;
  }

  /** The connection has ended: what waits for the user cannot be settled any more. */
  connectionEnded() {
    for (const row of this.#rows.values()) {
      if (row.acks.length > 0) {
        row.acks = [];
        row.say(TAKEN_BACK);
      }
    }
  }

  /** Empties the list; what came is still known. */
  clear() {
    const kept = [...this.#rows.values()].filter(row => row.acks.length > 0);
    this.#counts.older += this.#rows.size - kept.length;
    this.#rows = new Map(kept.map(row => [row.id, row]));
    this.#gaps.clear();
    this.#bytes = kept.reduce((sum, row) => sum + row.frame.body.length, 0);
    this.#list.replaceChildren(...kept.map(row => row.item));
    this.#showCounts();
  }

  #show(row, place, delivery, mode) {
    this.#counts.came++;
    this.#unsaid++;
    this.#announce();
    this.#rows.set(row.id, row);
    this.#bytes += row.frame.body.length;
    if (row.frame.headers.get("redelivered") === "true") {
      row.mark("redelivered");
    }
    this.#put(row, place);
    this.#ask(row, delivery, mode);
  }

  #put(row, { stream, gap, fills, leads, rest }) {
    const filled = this.#gaps.get(fills);
    const first = leads ? this.#firsts.get(stream) : undefined;
    if (filled !== undefined) {
      this.#gaps.delete(fills);
      filled.replaceWith(...[this.#gapRow(gap, row), row.item, this.#gapRow(rest, row)].filter(one => one !== undefined));
    } else if (first?.isConnected) {
      first.before(...[row.item, this.#gapRow(rest, row)].filter(one => one !== undefined));
    } else {
      if (fills !== undefined || leads) {
        row.mark("out of order: its place is not shown any more");
      }
      this.#append(...[this.#gapRow(gap, row), row.item].filter(one => one !== undefined));
    }
    if (stream !== undefined && (leads || !this.#firsts.has(stream))) {
      this.#firsts.set(stream, row.item);
    }
  }

  #gapRow(gap, row) {
    if (gap === undefined) {
      return undefined;
    }
    const [count, stream] = [gap.to - gap.from + 1, row.id.slice(0, row.id.lastIndexOf("."))];
    const numbers = count === 1 ? `number ${gap.from}` : `numbers ${gap.from} to ${gap.to}`;
    const item = element("li", { className: "gap" }, `${many(count, "message")} missing: ${numbers} of ${stream}`);
    item.gap = gap;
    this.#gaps.set(gap, item);
    return item;
  }

  #append(...items) {
    this.#list.append(...items);
  }

  #repeat(row, delivery, mode) {
    if (row === undefined || mode !== "by-hand") {
      if (mode !== "auto") {
        this.#settle(delivery, true);
      }
      return;
    }
    row.times++;
    row.marks.replaceChildren(element("span", { className: "mark" }, `delivered ${row.times} times`));
    if (row.isAcknowledged) {
      this.#settle(delivery, true);
    } else {
      this.#ask(row, delivery, mode);
    }
  }

  #ask(row, delivery, mode) {
    if (mode === "auto") {
      return;
    }
    if (mode === "shown") {
      this.#settle(delivery, true);
      return;
    }
    row.acks.push(delivery);
    const button = (text, isAck) => element("button", {
      type: "button", ariaLabel: `${text} ${row.id}`, onclick: () => this.#answer(row, isAck),
    }, text);
    row.actions.replaceChildren(button("Acknowledge", true), button("Give back", false));
  }

  #answer(row, isAck) {
    const hadFocus = row.actions.contains(document.activeElement);
    const done = row.acks.map(delivery => this.#settle(delivery, isAck)).some(settled => settled);
    row.acks = [];
    row.isAcknowledged = isAck && done;
    row.say(done ? isAck ? "acknowledged" : "given back" : TAKEN_BACK);
    if (hadFocus) {
      const next = row.item.nextElementSibling?.querySelector("button") ?? row.item.querySelector("summary");
      next.focus();
    }
  }

  #trim() {
    let item = this.#list.firstElementChild;
    while (item !== null && (this.#list.childElementCount > MOST_ROWS || this.#bytes > MOST_BYTES)) {
      const next = item.nextElementSibling;
      const row = this.#rows.get(item.dataset.id);
      if (row?.acks.length > 0) {
        item = next;
        continue;
      }
      if (row !== undefined) {
        this.#rows.delete(row.id);
        this.#bytes -= row.frame.body.length;
        this.#counts.older++;
      }
      this.#gaps.delete(item.gap);
      item.remove();
      item = next;
    }
  }

  #showCounts() {
    const { came, again, older } = this.#counts;
    const missing = [...this.#gaps.keys()].reduce((sum, gap) => sum + gap.to - gap.from + 1, 0);
    this.#summary.textContent = [
      many(came, "message"),
      again > 0 ? `${again.toLocaleString("en")} came again` : "",
      missing > 0 ? `${missing.toLocaleString("en")} missing` : "",
      older > 0 ? `${older.toLocaleString("en")} no longer shown` : "",
    ].filter(part => part !== "").join(", ");
  }

  #sayCounts() {
    this.#said.textContent = `${many(this.#unsaid, "new message")}.`;
    this.#unsaid = 0;
  }
}
