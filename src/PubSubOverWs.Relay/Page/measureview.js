// The panel of the measurement: its form, the two drawings, the table beside them, and the download.

import { decades, drawHistogram, drawPoints, duration, themeOf } from "./chart.js";
import { byId, element, isDestination, many, soon } from "./dom.js";
import { LatencyHistogram } from "./histogram.js";
import { Measurement, classify, samplesCsv } from "./measure.js";

const PERCENTILES = [["p50", 0.5], ["p90", 0.9], ["p99", 0.99], ["p99.9", 0.999]];

/** @param {(on: object) => import("./stomp.js").StompClient} connect A connection of its own, as the page is logged in. */
export class MeasureView {
  #connect;
  #measurement = null;
  #settings = null;
  #runs = 0;
  #empty = new LatencyHistogram(3);
  #redraw = soon(() => this.#draw());
  #nonce = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);

  constructor(connect) {
    this.#connect = connect;
    byId("measure-destination").value = `/queue/measure-${this.#nonce}`;
    byId("measure-form").addEventListener("submit", event => {
      event.preventDefault();
      if (this.#measurement === null || this.#measurement.isDone) {
        this.#start();
      } else {
        this.#measurement.stop();
      }
    });
    byId("measure-pace").addEventListener("change", () => this.#showPace());
    byId("measure-download").addEventListener("click", () => this.#download());
    byId("measure-buckets").addEventListener("toggle", () => this.#showBuckets());
    new ResizeObserver(this.#redraw).observe(byId("measure-histogram"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.#redraw);
    this.#showPace();
    this.#showTable();
  }

  /** @param {boolean} isReady A measurement can be started. */
  enable(isReady) {
    byId("measure-start").disabled = !isReady && (this.#measurement?.isDone ?? true);
  }

  #showPace() {
    byId("measure-rate").disabled = byId("measure-pace").value === "one";
  }

  #start() {
    if (!isDestination(byId("measure-destination"))) {
      return;
    }
    const number = name => Number(byId(`measure-${name}`).value);
    this.#settings = {
      messages: number("messages"),
      perSecond: byId("measure-pace").value === "one" ? 0 : number("rate"),
      bytes: number("bytes"),
      deadline: number("deadline") * 1000,
      destination: byId("measure-destination").value,
    };
    this.#measurement = new Measurement({
      settings: this.#settings,
      connect: this.#connect,
      run: `${this.#nonce}-${++this.#runs}`,
      on: { progress: () => this.#redraw(), done: failure => this.#finish(failure) },
    });
    byId("measure-progress").max = this.#settings.messages;
    byId("measure-start").textContent = "Stop";
    byId("measure-download").disabled = true;
    byId("measure-said").textContent = `Measuring ${many(this.#settings.messages, "message")}.`;
    this.#redraw();
  }

  #finish(failure) {
    const { attempts, counts } = this.#measurement;
    byId("measure-start").textContent = "Start";
    byId("measure-download").disabled = attempts.length === 0;
    byId("measure-said").textContent =
      `${failure === "" ? "Done" : `${failure} It ended early`}: ${counts.delivered.toLocaleString("en")} of ${
        many(attempts.length, "message")} came in time.`;
    this.#draw();
  }

  #draw() {
    const started = performance.now();
    const [canvas, points] = [byId("measure-histogram"), byId("measure-points")];
    const theme = themeOf(canvas);
    const latencies = this.#measurement?.latencies;
    drawHistogram(canvas, this.#measurement?.drawn ?? this.#empty, theme);
    const range = latencies?.count > 0 ? decades(latencies.min, latencies.max) : { low: 2, high: 5 };
    drawPoints(points, this.#measurement?.attempts ?? [], this.#settings?.messages ?? 1_000, range, theme);
    byId("measure-progress").value = latencies?.count ?? 0;
    this.#showTable();
    if (this.#measurement?.isDone) {
      this.#showBuckets();
    }
    canvas.dataset.drawnIn = (performance.now() - started).toFixed(2);
  }

  #showTable() {
    const latencies = this.#measurement?.latencies;
    const counts = this.#measurement?.counts;
    const came = latencies?.count ?? 0;
    const time = value => value === null || came === 0 ? "–" : duration(value);
    const rows = [
      ["delivered", (counts?.delivered ?? 0).toLocaleString("en")],
      ["not delivered", this.#undelivered().toLocaleString("en")],
      ["mean", came === 0 ? "–" : time(latencies.mean)],
      ["least", came === 0 ? "–" : time(latencies.min)],
      ...PERCENTILES.map(([name, share]) => [name, came === 0 ? "–" : time(latencies.percentile(share))]),
      ["greatest", came === 0 ? "–" : time(latencies.max)],
    ];
    const body = byId("measure-table").tBodies[0];
    rows.forEach(([name, value], index) => {
      const row = body.rows[index] ?? body.appendChild(element("tr", {}, element("th", { scope: "row" }, name), element("td")));
      row.cells[1].textContent = value;
    });
    const said = came === 0 ? "no messages yet" : `${many(came, "message")}, mean ${duration(latencies.mean)}, greatest ${
      duration(latencies.max)}`;
    byId("measure-histogram").ariaLabel = `Histogram of the latency: ${said}`;
    byId("measure-points").ariaLabel = `Latency of each message: ${said}`;
  }

  #undelivered() {
    return this.#measurement?.isDone
      ? this.#measurement.attempts.filter(one => classify(one, this.#settings.deadline).outcome !== "delivered").length
      : this.#measurement?.counts.late ?? 0;
  }

  #showBuckets() {
    if (byId("measure-buckets").open) {
      byId("measure-bucket-rows").replaceChildren(...[...(this.#measurement?.drawn ?? this.#empty).buckets()].map(
        ({ from, to, count }) => element("tr", {}, element("th", { scope: "row" }, `${duration(from)} to ${duration(to)}`),
          element("td", {}, count.toLocaleString("en")))));
    }
  }

  async #download() {
    const { attempts, server } = this.#measurement;
    const text = new Blob([samplesCsv(attempts, this.#settings.deadline, server)]);
    const packed = await new Response(text.stream().pipeThrough(new CompressionStream("gzip"))).blob();
    const link = element("a", { href: URL.createObjectURL(packed), download: "samples.csv.gz" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}
