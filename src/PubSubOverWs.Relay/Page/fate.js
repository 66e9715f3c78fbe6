// What became of the page's own messages after the server had taken them. A message to a destination to which the page subscribes is
// expected to come back to it; when it had not come before a connection ended, a server that keeps nothing has lost it.

const MOST_EXPECTED = 5_000;

/** `on.changed(publication, fate)`; the fate is "came", "lost", "late" (it is still to come) or "" (it is no longer expected). */
export class Fates {
  #expected = new Map();
  #early = new Map();
  #on;

  constructor(on) {
    this.#on = on;
  }

  /** How many the server has taken that have not come. */
  get expected() {
    return this.#expected.size;
  }

  /** The server has taken a message for a destination to which the page subscribes. */
  taken(publication) {
    if (this.#early.delete(publication.id)) {
      this.#on.changed(publication, "came");
      return;
    }
    this.#expected.set(publication.id, { publication, isOverdue: false });
    forget(this.#expected);
  }

  /** A message of this page came for the first time; perhaps before its receipt. */
  came(id) {
    const one = this.#expected.get(id);
    if (one === undefined) {
      this.#early.set(id, true);
      forget(this.#early);
      return;
    }
    this.#expected.delete(id);
    this.#on.changed(one.publication, "came");
  }

  /**
   * The page is subscribed again after a connection had ended. What is expected now was taken before.
   * @param {boolean} isKept The server keeps messages, and delivers them yet.
   */
  returned(isKept) {
    for (const one of this.#expected.values()) {
      if (!one.isOverdue) {
        one.isOverdue = true;
        this.#on.changed(one.publication, isKept ? "late" : "lost");
      }
    }
  }

  /** The page subscribes to the destination no longer. */
  left(destination) {
    for (const [id, { publication }] of this.#expected) {
      if (publication.destination === destination) {
        this.#expected.delete(id);
        this.#on.changed(publication, "");
      }
    }
  }
}

function forget(map) {
  if (map.size > MOST_EXPECTED) {
    map.delete(map.keys().next().value);
  }
}
