// The page of `run --live`. The program sends what it has recorded between trials, and begins the next one when this page has drawn it:
// nothing is drawn while a trial runs, unless the reader asks for it.

const tiny = 1e-9;
const outcomes = ["delivered", "late", "refused", "dead-lettered", "still-queued", "lost-acknowledged", "lost-unacknowledged"];

// ---- what is known of the run

const run = {};
let counted = 0;
forget();

function forget() {
  Object.assign(run, {
    scenario: "", folder: "", arms: [], levels: [], maxKept: 1, progress: null, trials: [], dropped: 0, totals: new Map(), marks: [],
    processes: [], end: null,
  });
  document.querySelectorAll("tbody").forEach(rows => rows.replaceChildren());
}

function take(update) {
  if (update.isWhole) {
    forget();
  }
  Object.assign(run, update.run ?? {});
  Object.assign(run, { progress: update.progress, dropped: update.droppedTrials, processes: update.processes, end: update.end });
  for (const [kept, added] of [[run.trials, update.trials], [run.marks, update.marks]]) {
    kept.push(...added.map(one => ({ ...one, number: ++counted })));
    kept.splice(0, kept.length - run.maxKept);
  }
  run.arms = [...new Set([...run.arms, ...update.trials.map(trial => trial.arm)])];
  for (const total of update.totals) {
    run.totals.set(JSON.stringify([total.level, total.arm]), total);
  }
}

const totals = () => [...run.totals.values()].sort((one, other) =>
  run.levels.indexOf(one.level) - run.levels.indexOf(other.level) || run.arms.indexOf(one.arm) - run.arms.indexOf(other.arm));

// ---- text and elements

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const number = value => value === null || value === undefined ? "-" : Math.abs(value) >= 100 ? whole.format(value) : digits.format(value);
const percent = share => share === null ? "-" : `${(100 * share).toFixed(2)} %`;
const words = text => text.replaceAll("-", " ");
const px = value => Math.round(value * 10) / 10;
const by = id => document.getElementById(id);
function make(space, name, attributes, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
const html = (name, attributes = {}, ...children) => make("http://www.w3.org/1999/xhtml", name, attributes, ...children);
const svg = (name, attributes = {}, ...children) => make("http://www.w3.org/2000/svg", name, attributes, ...children);
const line = (style, d) => svg("path", { class: style, d });
const label = (x, y, text, anchor = "start", style = "") =>
  svg("text", { x: px(x), y: px(y), "text-anchor": anchor, class: style }, text);

// Each arm has a colour and a shape of its own.
const shapes = [
  (x, y) => `M${px(x - 3)} ${px(y)}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`,
  (x, y) => `M${px(x)} ${px(y - 3.9)}l3.5 6h-7z`,
  (x, y) => `M${px(x)} ${px(y - 4)}l4 4l-4 4l-4-4z`,
  (x, y) => `M${px(x - 2.8)} ${px(y - 2.8)}h5.6v5.6h-5.6z`,
  (x, y) => `M${px(x)} ${px(y + 3.9)}l3.5-6h-7z`,
  (x, y) => `M${px(x - 1)} ${px(y - 3.5)}h2v2.5h2.5v2h-2.5v2.5h-2v-2.5h-2.5v-2h2.5z`,
  (x, y) => `M${px(x - 4)} ${px(y - 1.5)}h8v3h-8z`,
  (x, y) => `M${px(x - 1.5)} ${px(y - 4)}h3v8h-3z`,
];
const placeOf = arm => run.arms.indexOf(arm) % shapes.length;
const key = (drawing, text) => html("li", {}, svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, drawing), text);

function keys() {
  const arms = run.arms.filter(arm => run.trials.some(trial => trial.arm === arm));
  return [
    ...arms.map(arm => key(line(`mark arm-${placeOf(arm)}`, shapes[placeOf(arm)](7, 7)), arm)),
    ...run.trials.some(trial => !trial.counts) ? [key(line("mark hollow arm-4", shapes[0](7, 7)), "hollow: warm-up")] : [],
    ...["fault", "failure"].filter(kind => run.marks.some(mark => mark.isFault === (kind === "fault")))
      .map(kind => key(line(kind, "M7 0V14M4 0h6l-3 5z"), kind)),
  ];
}

// ---- drawings

function niceStep(span, parts) {
  const rough = span / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].find(one => one * power >= rough - tiny) * power;
}

function linear(values) {
  const high = Math.max(...values, tiny);
  const step = niceStep(high, 4);
  const top = Math.ceil(high / step - tiny) * step;
  return { place: value => value / top, ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step) };
}

function logarithmic(values) {
  const above = values.filter(value => value > 0);
  const [low, high] = above.length === 0 ? [1, 10] : [Math.min(...above), Math.max(...above)];
  const steps = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    steps.push(...[1, 2, 5].map(one => one * 10 ** power));
  }
  const first = steps.findLastIndex(step => step <= low * (1 + tiny));
  const last = Math.max(first + 1, steps.findIndex(step => step >= high * (1 - tiny)));
  let ticks = steps.slice(first, last + 1);
  if (ticks.length > 6) {
    ticks = ticks.filter((tick, i) => Math.log10(tick) % 1 === 0 || i === 0 || i === ticks.length - 1);
  }
  const [from, to] = [Math.log10(steps[first]), Math.log10(steps[last])];
  // What is not above zero stands on the ground.
  return { place: value => value > 0 ? Math.max(0, (Math.log10(value) - from) / (to - from)) : 0, ticks };
}

// Trials side by side, as they ran; what ran in one block at one level has one ground.
function panel(name, unit, scale, value, width) {
  const [left, top, height, bottom] = [46, 16, 170, 24];
  const trials = run.trials;
  const [from, to] = [trials[0].order - 0.5, Math.max(trials.at(-1).order, trials[0].order + 9) + 0.5];
  const x = order => left + 4 + (width - left - 12) * (order - from) / (to - from);
  const y = one => top + height * (1 - scale.place(one));
  const drawing = [];
  const groups = [];
  for (const { block, level, order } of trials) {
    if (groups.at(-1)?.block !== block || groups.at(-1).level !== level) {
      groups.push({ block, level, first: order });
    }
    groups.at(-1).last = order;
  }
  drawing.push(line("band", groups.filter((_, i) => i % 2 === 1).map(({ first, last }) =>
    `M${px(x(first - 0.5))} ${top}H${px(x(last + 0.5))}V${top + height}H${px(x(first - 0.5))}z`).join("")));
  drawing.push(line("grid", scale.ticks.map(tick => `M${left} ${px(y(tick))}H${px(width - 8)}`).join("")));
  drawing.push(...scale.ticks.map(tick => label(left - 5, y(tick) + 4, number(tick), "end")));
  drawing.push(...groups.filter(({ first, last, level }) => x(last + 0.5) - x(first - 0.5) > 6.2 * level.length + 4)
    .map(({ first, level }) => label(x(first - 0.5) + 3, top + 11, level, "start", "unit")));
  const step = Math.max(1, niceStep(to - from, Math.min(8, width / 90)));
  for (let order = Math.ceil(from / step) * step; order < to; order += step) {
    drawing.push(label(x(order), top + height + 14, whole.format(order), "middle"));
  }
  drawing.push(line("axis", `M${left} ${top + height}H${width - 8}`), label(left - 5, 10, unit, "end", "unit"));
  for (const style of ["fault", "failure"]) {
    const own = run.marks.filter(({ isFault, at }) => isFault === (style === "fault") && at >= from && at <= to);
    drawing.push(line(style, own.map(({ at }) => `M${px(x(at))} ${top}v${height}M${px(x(at) - 3)} ${top}h6l-3 5z`).join("")));
  }
  const known = run.arms.map(arm => [arm, trials.filter(trial => trial.arm === arm && typeof value(trial) === "number")])
    .filter(([, own]) => own.length > 0);
  for (const [arm, own] of known) {
    const paths = counts => own.filter(trial => trial.counts === counts)
      .map(trial => shapes[placeOf(arm)](x(trial.order), y(value(trial)))).join("");
    drawing.push(line(`mark hollow arm-${placeOf(arm)}`, paths(false)), line(`mark arm-${placeOf(arm)}`, paths(true)));
  }
  const last = known.map(([arm, own]) => `${arm} ${number(value(own.at(-1)))} ${unit}`).join(", ");
  return svg("svg", {
    class: "drawing", role: "img", viewBox: `0 0 ${width} ${top + height + bottom}`,
    "aria-label": `${name} by trial, ${trials.length} trials; the last of each arm: ${last}`,
  }, ...drawing);
}

function bar(total, width) {
  const parts = outcomes.map(name => [name, total.buckets[name]]).filter(([, count]) => count > 0);
  // One lost message must be visible; the large parts lose what the small ones are given.
  const widths = parts.map(([, count]) => Math.max(3, width * count / total.attempts));
  const shrink = width / Math.max(width, widths.reduce((sum, one) => sum + one, 0));
  let left = 0;
  return svg("svg", {
    class: "drawing", role: "img", viewBox: `0 0 ${width} 16`,
    "aria-label": parts.map(([name, count]) => `${words(name)}: ${count}`).join(", "),
  }, ...parts.map(([name], i) => {
    const part = { class: "bucket", x: px(left), width: px(widths[i] * shrink), height: 16, fill: `url(#hatch-${name})` };
    left += widths[i] * shrink;
    return svg("rect", part);
  }));
}

// ---- figures: each has a drawing, or none, and a table

const trialColumns = [["trial", one => one.order], ["block", one => one.block], ["level", one => one.level], ["arm", one => one.arm]];

function ofTrials(id, title, about, unit, scaleOf, panelsOf, further = []) {
  return {
    id, title, about, keys,
    columns: () => [...trialColumns, ...further,
      ...panelsOf().map(([name, value]) => [`${name}, ${unit}`, trial => number(value(trial))]),
      ["kind", trial => trial.counts ? "measured" : "warm-up"]],
    rows: () => run.trials,
    draw: width => {
      const shown = panelsOf().filter(([, value]) => run.trials.some(trial => typeof value(trial) === "number"));
      const scale = scaleOf(shown.flatMap(([, value]) => run.trials.map(value)).filter(value => typeof value === "number"));
      return shown.map(([name, value]) => [name, panel(name, unit, scale, value, width)]);
    },
  };
}

const figures = [
  {
    id: "results", title: "Results so far", about: "As on the terminal: by level and arm, without warm-up.", isOpen: true,
    columns: () => [["level", one => one.level], ["arm", one => one.arm], ["n", one => one.iterations],
      ["messages", one => whole.format(one.attempts)], ["loss", one => percent(one.loss)], ["latency, mean, ms", one => number(one.mean)]],
    rows: totals,
  },
  {
    id: "outcomes", title: "Outcomes of messages",
    about: "All messages of an arm at a level. What occurred is at least 3 pixels wide, so its share may be smaller than it looks.",
    keys: () => outcomes.filter(name => totals().some(total => total.buckets[name] > 0)).map(name =>
      key(svg("rect", { width: 14, height: 14, fill: `url(#hatch-${name})` }), words(name))),
    columns: () => [["level", one => one.level], ["arm", one => one.arm], ["messages", one => whole.format(one.attempts)],
      ...outcomes.map(name => [words(name), one => whole.format(one.buckets[name])])],
    rows: totals,
    draw: width => totals().map(total =>
      [`${total.level}, ${total.arm}: ${whole.format(total.attempts - total.buckets.delivered)} of ${whole.format(total.attempts)} lost`,
        bar(total, width)]),
  },
  ofTrials(
    "latency", "Latency", "As it is judged, by trial. A percentile needs 20 (p50), 100 (p90) or 1,000 (p99) delivered messages.", "ms",
    logarithmic, () => [["mean", one => one.mean], ["p50", one => one.p50], ["p90", one => one.p90], ["p99", one => one.p99]],
    [["largest, ms", one => number(one.max)]]),
  ofTrials(
    "throughput", "Throughput", "Messages delivered in time, over the burst: from the first that is due to the last arrival.", "msg/s",
    logarithmic, () => [["delivered", one => one.throughput]], [["delivered", one => whole.format(one.delivered)]]),
  ofTrials(
    "cpu", "CPU", "CPU time over the burst, in percent of one core. Others are the servers that are not under test.", "%", linear,
    () => [["server", one => one.serverCpu], ["queue", one => one.queueCpu], ["load", one => one.loadCpu], ["others", one => one.idleCpu]]),
  ofTrials(
    "memory", "Memory", "Resident memory of each process after a trial.", "MiB", linear,
    () => [...new Set(run.trials.flatMap(trial => Object.keys(trial.memory)))].map(name => [name, one => one.memory[name]])),
  {
    id: "processes", title: "Processes", about: "After the last trial; CPU time is that since the process was started.", isOpen: true,
    columns: () => [["process", one => one.name], ["CPU time, s", one => number(one.cpuSeconds)],
      ["memory, MiB", one => number(one.memoryMiB)]],
    rows: () => run.processes,
  },
  {
    id: "faults", title: "Faults and failures", about: "In the figures they stand at their moment, as lines from above.", isOpen: true,
    columns: () => [["trial", one => number(Math.max(1, Math.round(one.at)))], ["from the start, s", one => one.seconds.toFixed(3)],
      ["event", one => one.kind], ["of", one => one.target], ["detail", one => one.detail]],
    rows: () => run.marks,
  },
];

const textual = ["level", "arm", "event", "of", "detail", "process", "kind"];

function build(figure) {
  const part = name => html(name === "keys" ? "ul" : "div", { class: name });
  Object.assign(figure, { keyList: part("keys"), panels: part("panels"), head: html("thead"), body: html("tbody"), shown: 0 });
  const table = html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table: ${figure.title}` },
    html("table", {}, figure.head, figure.body));
  // Of the long tables one is open at a time, because a layout costs as much as all that is shown.
  figure.details = html("details", figure.isOpen ? { open: "" } : { name: "trials" }, html("summary", {}, `Table: ${figure.title}`), table);
  figure.details.addEventListener("toggle", () => fill(figure));
  by("links").append(html("li", {}, html("a", { href: `#${figure.id}` }, figure.title)));
  by("figures").append(html("section", { id: figure.id, "aria-labelledby": `${figure.id}-title` },
    html("h2", { id: `${figure.id}-title` }, figure.title), html("p", { class: "quiet" }, figure.about),
    ...figure.draw ? [figure.keyList, figure.panels] : [], figure.details));
}

function draw(figure) {
  if (!figure.draw) {
    return;
  }
  const columns = Math.max(1, Math.floor((width + 32) / (460 + 32)));
  figure.keyList.replaceChildren(...figure.keys());
  const each = Math.max(200, Math.floor((width - 32 * (columns - 1)) / columns));
  figure.panels.replaceChildren(...figure.draw(each).map(([name, drawing]) =>
    html("div", {}, html("p", { class: "name" }, name), drawing)));
}

// The latest first. Rows of trials and faults are added, so that a long table costs no more than what is new.
async function fill(figure) {
  if (!figure.details.open) {
    return;
  }
  const columns = figure.columns();
  const style = name => textual.includes(name) ? { class: "text" } : {};
  const rowOf = one => html("tr", {}, ...columns.map(([name, text]) => html("td", style(name), String(text(one)))));
  figure.head.replaceChildren(html("tr", {}, ...columns.map(([name]) => html("th", { scope: "col", ...style(name) }, name))));
  if (![run.trials, run.marks].includes(figure.rows())) {
    figure.body.replaceChildren(...figure.rows().map(rowOf));
    return;
  }
  if (figure.body.childElementCount === 0 || figure.breadth !== columns.length) {
    figure.body.replaceChildren();
    Object.assign(figure, { breadth: columns.length, shown: 0 });
  }
  for (let added; (added = figure.rows().filter(one => one.number > figure.shown).slice(0, 25)).length > 0;) {
    figure.shown = added.at(-1).number;
    figure.body.prepend(...added.map(rowOf).reverse());
    await (added.length === 25 ? painted() : null);
  }
  while (figure.body.childElementCount > run.maxKept) {
    figure.body.lastChild.remove();
  }
}

// Read out where it changes.
function say(status) {
  if (by("status").textContent !== status) {
    by("status").textContent = status;
  }
}

function drawHead() {
  const { progress, end } = run;
  by("title").textContent = run.scenario ? `Run: ${run.scenario}` : "A run";
  by("folder").textContent = run.folder || "not known yet";
  if (progress) {
    by("progress").max = Math.max(1, progress.total);
    by("progress").value = progress.total === 0 ? 1 : progress.done;
    const done = progress.total === 0 ? 100 : Math.floor(100 * progress.done / progress.total);
    by("done").textContent = `${progress.done} of ${progress.total} (${done} %), ${progress.elapsed} so far`
      + (progress.now ? `, ${progress.left} left` : "");
    by("now").textContent = progress.now ? `Now: ${progress.now}.` : "All trials are done.";
    document.title = `${end ? "Ended" : `${done} %`}: ${run.scenario}`;
  }
  if (run.dropped > 0) {
    by("now").textContent += ` The figures have the last ${run.trials.length} trials; the ${run.dropped} before are in the sums.`;
  }
  say(end ? end.text : progress ? "The run goes on; this page changes between trials." : "The run is being prepared.");
  by("report").hidden = !(end?.hasReport && end.stays);
}

// ---- when to draw

const turn = () => globalThis.scheduler?.yield?.() ?? new Promise(done => setTimeout(done));
const painted = () => new Promise(done => {
  setTimeout(done, 100); // A page that is not shown is not painted.
  requestAnimationFrame(() => setTimeout(done));
});
let [page, version, told, isDrawing, isDirty, isPaused] = [0, 0, 0, false, false, false];

async function refresh() {
  isDirty = true;
  if (isDrawing) {
    return;
  }
  isDrawing = true;
  while (isDirty) {
    isDirty = false;
    const drawn = version;
    if (!document.hidden && !isPaused) {
      drawHead();
      for (const figure of figures) {
        await turn();
        draw(figure);
        await fill(figure);
      }
      await painted();
    }
    await tell(drawn);
  }
  isDrawing = false;
}

async function tell(drawn) {
  if (drawn <= told) {
    return;
  }
  told = drawn;
  await fetch(`drawn?page=${page}&version=${drawn}`).catch(() => {});
  if (run.end) {
    source.close();
  }
}

figures.forEach(build);
by("pause").addEventListener("click", ({ currentTarget }) => {
  isPaused = !isPaused;
  currentTarget.setAttribute("aria-pressed", isPaused);
  refresh();
});
document.addEventListener("visibilitychange", refresh);
let width = by("figures").clientWidth - 32;
new ResizeObserver(([{ contentRect }]) => {
  if (contentRect.width !== width) {
    width = contentRect.width;
    refresh();
  }
}).observe(by("figures"));

const source = new EventSource("events");
source.addEventListener("message", ({ data }) => {
  const update = JSON.parse(data);
  if (update.isWhole) {
    told = 0;
  }
  [page, version] = [update.page, update.version];
  take(update);
  refresh();
});
source.addEventListener("error", () => {
  if (run.end) {
    return;
  }
  say(source.readyState === EventSource.CLOSED ? "The program refused this page: too many are open."
    : "There is no connection to the program: it has ended. The page tries again.");
});
