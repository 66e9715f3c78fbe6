// The two drawings of a measurement on canvas: the histogram, and a point for each message. Colours come from the style sheet.

const LEFT = 52;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 36;
const LABEL = "12px system-ui, sans-serif";

/** Colours as the style sheet has them for this element now. */
export function themeOf(element) {
  const style = getComputedStyle(element);
  const colour = name => style.getPropertyValue(`--${name}`).trim();
  return { ink: colour("ink"), quiet: colour("quiet"), line: colour("line"), accent: colour("accent") };
}

/** Makes the canvas as sharp as the screen. @returns its context, cleared, and its size in CSS pixels. */
export function prepare(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = globalThis.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = LABEL;
  return { context, width, height };
}

/** A latency for people, such as 1.2 ms. */
export function duration(microseconds) {
  if (microseconds >= 1_000_000) {
    return `${trim(microseconds / 1_000_000)} s`;
  }
  return microseconds >= 1_000 ? `${trim(microseconds / 1_000)} ms` : `${trim(microseconds)} µs`;
}

const trim = value => value.toLocaleString("en", { maximumSignificantDigits: value >= 1000 ? 4 : 3 });

/** The least and the greatest power of ten around some microseconds. */
export function decades(min, max) {
  const low = Math.floor(Math.log10(Math.max(1, min)));
  return { low, high: Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, max + 1)))) };
}

/** @param {import("./histogram.js").LatencyHistogram} histogram In buckets that are wide enough to be seen. */
export function drawHistogram(canvas, histogram, theme) {
  const { context, width, height } = prepare(canvas);
  const [right, floor] = [width - RIGHT, height - BOTTOM];
  const buckets = [...histogram.buckets()];
  const { low, high } = histogram.count > 0 ? decades(histogram.min, histogram.max) : { low: 2, high: 5 };
  const most = buckets.reduce((top, bucket) => Math.max(top, bucket.count), 1);
  const x = value => LEFT + (Math.log10(Math.max(10 ** low, value)) - low) / (high - low) * (right - LEFT);
  const ceiling = niceCeiling(most);
  const y = count => floor - count / ceiling * (floor - TOP);

  horizontalGrid(context, theme, [0, ceiling / 2, ceiling], y, right, count => Number.isInteger(count) ? `${count}` : "");
  context.textAlign = "center";
  for (let decade = low; decade <= high; decade++) {
    line(context, theme.line, x(10 ** decade), TOP, x(10 ** decade), floor);
    context.fillStyle = theme.quiet;
    context.textAlign = decade === low ? "left" : decade === high ? "right" : "center";
    context.fillText(duration(10 ** decade), x(10 ** decade), floor + 16);
  }
  caption(context, theme, "latency", (LEFT + right) / 2, height - 3);
  context.fillStyle = theme.accent;
  for (const { from, to, count } of buckets) {
    const start = x(from);
    context.fillRect(start, y(count), Math.max(1, x(to) - start - 1), floor - y(count));
  }
}

/**
 * A point for each message, by its number and its latency. Points that fall on each other are drawn once.
 * @param {ArrayLike<{ due: number, received?: number }>} attempts
 * @param {number} messages How many there will be.
 * @param {{ low: number, high: number }} range Powers of ten, in microseconds.
 */
export function drawPoints(canvas, attempts, messages, range, theme) {
  const { context, width, height } = prepare(canvas);
  const [right, floor] = [width - RIGHT, height - BOTTOM];
  const { low, high } = range;
  const y = logarithm => floor - (logarithm - low) / (high - low) * (floor - TOP);

  const marks = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  horizontalGrid(context, theme, marks, y, right, decade => duration(10 ** decade));
  context.fillStyle = theme.quiet;
  context.textAlign = "left";
  context.fillText("1", LEFT, floor + 16);
  context.textAlign = "right";
  context.fillText(messages.toLocaleString("en"), right, floor + 16);
  caption(context, theme, "message", (LEFT + right) / 2, height - 3);

  context.fillStyle = theme.accent;
  const columns = Math.ceil(width);
  const drawn = new Uint8Array(columns * Math.ceil(height));
  for (let number = 0; number < attempts.length; number++) {
    const { due, received } = attempts[number];
    if (received !== undefined) {
      const left = Math.floor(LEFT + number / Math.max(1, messages - 1) * (right - LEFT - 2));
      const top = Math.floor(y(Math.max(low, Math.log10(Math.max(1, (received - due) * 1000)))) - 1);
      const place = top * columns + left;
      if (drawn[place] === 0) {
        drawn[place] = 1;
        context.fillRect(left, top, 2, 2);
      }
    }
  }
}

function horizontalGrid(context, theme, values, y, right, label) {
  context.textAlign = "right";
  for (const value of values) {
    line(context, theme.line, LEFT, y(value), right, y(value));
    context.fillStyle = theme.quiet;
    context.fillText(label(value), LEFT - 7, y(value) + 4);
  }
}

function caption(context, theme, text, x, y) {
  context.fillStyle = theme.quiet;
  context.textAlign = "center";
  context.fillText(text, x, y);
}

function line(context, colour, fromX, fromY, toX, toY) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(Math.round(fromX) + 0.5, Math.round(fromY) + 0.5);
  context.lineTo(Math.round(toX) + 0.5, Math.round(toY) + 0.5);
  context.stroke();
}

function niceCeiling(most) {
  const step = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 8, 10].map(times => times * step).find(ceiling => ceiling >= most);
}
