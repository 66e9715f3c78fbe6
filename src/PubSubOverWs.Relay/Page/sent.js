// The list of messages that this page published: what became of each, above all which were not confirmed, lost or refused.

import { element, many, soon } from "./dom.js";

// A message is taken first and comes back then, and counts twice.
const MOST_SETTLED = 100;
const MOST_LOST = 1_000;

const WORDS = {
  unconfirmed: "not confirmed",
  taken: "taken",
  came: "taken, and came back",
  late: "taken, still to come, unless another subscriber has it",
  lost: "lost, unless another subscriber has it: taken, and not come when the connection ended",
  "no-subscriber": "lost: the destination had no subscriber",
  shed: "lost: a subscriber had no room",
  refused: "refused",
};
const LOST = ["lost", "no-subscriber", "shed"];

/** Rows that are settled go after a while; those of lost and refused messages stay. */
export class SentList {
  #list;
  #summary;
  #again;
  #entries = new Map();
  #settled = [];
  #lost = [];
  #counts = new Map();
  #count = soon(() => this.#showCounts());

  /** @param {(publication: object) => void} again Sends a refused one again. */
  constructor({ list, summary, again }) {
    this.#list = list;
    this.#summary = summary;
    this.#again = again;
    this.#showCounts();
  }

  /**
   * @param {object} publication Of the session.
   * @param {string} fate What `Fates` says of it after it was taken; "": nothing.
   */
  show(publication, fate = "") {
    const state = fate === "" ? publication.state : fate;
    const entry = this.#entries.get(publication.id) ?? this.#add(publication);
    if (entry.state !== state) {
      this.#tally(entry.state, -1);
      this.#tally(state, 1);
      entry.state = state;
      this.#file(publication.id, state);
    }
    entry.item.className = LOST.includes(state) || state === "refused" ? "bad" : state === "unconfirmed" ? "open" : "";
    const words = publication.reason === "" ? WORDS[state] : `${WORDS[state]}: ${publication.reason}`;
    entry.state === "unconfirmed" && publication.tries === 0
      ? entry.words.replaceChildren("waits for a connection")
      : entry.words.replaceChildren(publication.tries > 1 ? `${words} (sent ${publication.tries} times)` : words);
    if (state === "refused") {
      entry.words.append(" ", element("button", {
        type: "button", ariaLabel: `Send again ${publication.id}`, onclick: () => this.#again(publication),
      }, "Send again"));
    }
    this.#count();
  }

  #add(publication) {
    const words = element("span", { className: "fate" });
    const item = element("li", {}, element("span", { className: "id" }, publication.id), words);
    item.dataset.id = publication.id;
    const entry = { item, words, state: "" };
    this.#entries.set(publication.id, entry);
    this.#list.prepend(item);
    return entry;
  }

  // A lost one may come yet, and is then among the settled, too.
  #file(id, state) {
    if (LOST.includes(state) || state === "refused") {
      this.#keep(this.#lost, id, MOST_LOST);
    } else if (state === "taken" || state === "came") {
      this.#keep(this.#settled, id, MOST_SETTLED);
    }
  }

  #keep(ids, id, most) {
    ids.push(id);
    if (ids.length > most) {
      this.#remove(ids.shift(), ids === this.#settled ? ["taken", "came"] : [...LOST, "refused"]);
    }
  }

  #remove(id, states) {
    const entry = this.#entries.get(id);
    if (entry !== undefined && states.includes(entry.state) && !this.#settled.includes(id)) {
      this.#entries.delete(id);
      entry.item.remove();
    }
  }

  #tally(state, by) {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + by);
  }

  #showCounts() {
    const count = (...states) => states.reduce((sum, state) => sum + (this.#counts.get(state) ?? 0), 0);
    const taken = count("taken", "came", "late");
    this.#summary.textContent = [
      `${taken.toLocaleString("en")} taken`,
      `${count("unconfirmed").toLocaleString("en")} not confirmed`,
      count("late") > 0 ? `${many(count("late"), "message")} still to come` : "",
      `${count(...LOST).toLocaleString("en")} lost`,
      count("refused") > 0 ? `${count("refused").toLocaleString("en")} refused` : "",
    ].filter(part => part !== "").join(", ");
  }
}
