// A histogram of latencies whose buckets widen with the value: each doubling is cut into equally many.

const LONGEST = 3_600_000_000;

/** Counts whole microseconds, 0 to an hour; what is outside counts at the nearer end. */
export class LatencyHistogram {
  count = 0;
  min = Infinity;
  max = 0;

  #sum = 0;
  #bits;
  #counts;

  /** @param {number} bits 2^bits buckets in each doubling: with 7 of them a value is known to 0.8 %. */
  constructor(bits) {
    this.#bits = bits;
    this.#counts = new Uint32Array(this.#indexOf(LONGEST) + 1);
  }

  get mean() {
    return this.#sum / this.count;
  }

  /** @param {number} microseconds */
  record(microseconds) {
    const value = Math.min(LONGEST, Math.max(0, Math.round(microseconds)));
    this.#counts[this.#indexOf(value)]++;
    this.#sum += value;
    this.count++;
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  /**
   * The value that this share of all does not exceed, as the highest of its bucket.
   * @param {number} share From 0 to 1.
   * @returns {number | null} Null: fewer than ten values lie beyond it, or below it.
   */
  percentile(share) {
    const beyond = Math.min(share, 1 - share) * this.count;
    if (beyond < 10 - 1e-9) {
      return null;
    }
    const wanted = Math.max(1, Math.ceil(share * this.count - 1e-9));
    let seen = 0;
    let index = 0;
    while ((seen += this.#counts[index]) < wanted) {
      index++;
    }
    return Math.min(this.max, this.#from(index + 1) - 1);
  }

  /** The buckets that are not empty, from low to high: `[from, to)` and how many. */
  *buckets() {
    for (let index = 0; index < this.#counts.length; index++) {
      if (this.#counts[index] > 0) {
        yield { from: this.#from(index), to: this.#from(index + 1), count: this.#counts[index] };
      }
    }
  }

  // The values below 2^bits have a bucket each.
  #indexOf(value) {
    const shift = Math.max(0, 31 - Math.clz32(value) - this.#bits);
    return shift * 2 ** this.#bits + Math.floor(value / 2 ** shift);
  }

  #from(index) {
    const shift = Math.max(0, Math.floor(index / 2 ** this.#bits) - 1);
    return (index - shift * 2 ** this.#bits) * 2 ** shift;
  }
}
