// The live page of a run that has ended and stays. In the environment, beside that of browser.mjs: PAGE, the address; how many TRIALS and
// TOTALS (arms and levels) the page has, and the number of the LAST trial; SHOTS, a folder for pictures of it, or nothing.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { open as openPage } from "./browser.mjs";

const { PAGE, SHOTS } = process.env;
const [trials, totals, last] = ["TRIALS", "TOTALS", "LAST"].map(name => Number(process.env[name]));
const ofTrials = ["latency", "throughput", "cpu", "memory"];
const longestTask = 50;

const open = (options, steps, before) => openPage(PAGE, options, url => url.startsWith(PAGE), async (page, browser) => {
  await page.locator("#status", { hasText: "The run has ended" }).waitFor();
  await page.locator("#memory svg.drawing").first().waitFor();
  await steps(page, browser);
}, before);

async function openTable(page, figure) {
  await page.locator(`#${figure} summary`).press("Enter");
  await page.waitForFunction(
    ([one, count]) => document.querySelectorAll(`#${one} tbody tr`).length === count, [figure, figure === "outcomes" ? totals : trials]);
}

// As text, because the page's policy lets no other script in.
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The figures are drawn again when the page has another width.
async function look(page, width, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await page.waitForFunction(most => [...document.querySelectorAll("svg.drawing")]
    .every(drawing => Math.abs(drawing.viewBox.baseVal.width - drawing.clientWidth) < 2 && drawing.clientWidth <= most), width);
}

test("at both widths, dark and light, every figure is there, nothing is cut, and nobody is kept out", () => open({}, async page => {
  await openTable(page, "memory");
  await page.evaluate(axe);
  for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [400, "light"], [400, "dark"]]) {
    await look(page, width, colorScheme);
    assert.equal(await page.locator("#outcomes svg.drawing").count(), totals);
    for (const [figure, panels] of [["latency", 4], ["throughput", 1], ["cpu", 4], ["memory", 4]]) {
      assert.equal(await page.locator(`#${figure} svg.drawing`).count(), panels, figure);
    }
    assert.ok(await page.locator("#latency .panels .fault").first().getAttribute("d"));
    assert.equal(await page.getByRole("img", { name: /\w/ }).count(), await page.locator("svg.drawing").count());

    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]);
    assert.deepEqual(wide, [width, width]);
    const outside = await page.locator("svg.drawing").evaluateAll((drawings, most) => drawings
      .map(drawing => drawing.getBoundingClientRect()).filter(box => box.width <= 250 || box.left < 0 || box.right > most), width);
    assert.deepEqual(outside, []);
    const cut = await page.locator("svg.drawing text").evaluateAll(texts => texts.filter(text => {
      const [mine, all] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
      return mine.left < all.left - 1 || mine.right > all.right + 1 || mine.bottom > all.bottom + 1 || mine.top < all.top - 1;
    }).map(text => text.textContent));
    assert.deepEqual(cut, []);

    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.html).join(" ")}`), []);
    if (SHOTS) {
      await page.screenshot({ path: join(SHOTS, `live-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
}));

test("each figure has a table with what it draws, and a reload shows the same", () => open({}, async page => {
  for (const figure of ["outcomes", ...ofTrials]) {
    await openTable(page, figure);
  }
  const rows = figure => page.locator(`#${figure} tbody tr`).count();
  assert.equal(await rows("results"), totals);
  assert.ok(await rows("faults") > 0 && await rows("processes") > 0);
  // The latest first.
  assert.equal(await page.locator("#latency tbody td").first().textContent(), String(last));
  const drawn = await page.locator("#throughput .panels .mark").evaluateAll(
    paths => paths.reduce((count, path) => count + (path.getAttribute("d").match(/M/g) ?? []).length, 0));
  assert.equal(drawn, trials);

  const text = async () => (await page.locator("body").innerText()).replaceAll(/\s+/g, " ");
  const before = await text();
  await page.reload({ waitUntil: "load" });
  await page.locator("#memory svg.drawing").first().waitFor();
  await openTable(page, "memory");
  assert.equal(await text(), before);
}));

test("all of it is reached and worked by the keyboard alone", () => open({}, async (page, browser) => {
  const reach = async (name, isIt) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(isIt)) {
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.equal(outline, "solid", `${name} shows no focus`);
        return;
      }
    }
    assert.fail(`${name} is not reached by Tab`);
  };
  await reach("the report", () => document.activeElement.getAttribute("href") === "report.html");
  await reach("the pause", () => document.activeElement.id === "pause");
  await page.keyboard.press("Space");
  assert.equal(await page.locator("#pause").getAttribute("aria-pressed"), "true");
  await page.keyboard.press("Space");
  await reach("a link to a figure", () => document.activeElement.getAttribute("href") === "#cpu");
  await page.keyboard.press("Enter");
  await reach("the table of a figure", () => document.activeElement.matches("#cpu summary"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(count => document.querySelectorAll("#cpu tbody tr").length === count, trials);
  await reach("the rows, to scroll them", () => document.activeElement.matches("#cpu .scroll"));
  const top = () => page.locator("#cpu .scroll").evaluate(scroll => scroll.scrollTop);
  assert.equal(await top(), 0);
  await page.keyboard.press("PageDown");
  await page.waitForFunction(() => document.querySelector("#cpu .scroll").scrollTop > 0);

  await page.locator("#report a").press("Enter");
  await page.waitForURL("**/report.html");
  assert.equal(await page.title(), "The report");
}));

test("no task takes longer than 50 ms of the processor, not even where tables are opened", {
  skip: process.env.TIMED ? false : "it is timed: a test of the category Long sets TIMED",
}, () => open({}, async (page, browser) => {
  const tools = await browser.newCDPSession(page);
  const events = [];
  tools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await tools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "__metadata"] } });
  await page.reload({ waitUntil: "load" });
  await page.locator("#memory svg.drawing").first().waitFor();
  for (const figure of ofTrials) {
    await openTable(page, figure);
  }
  await page.setViewportSize({ width: 700, height: 900 });
  await page.waitForFunction(() => document.querySelector("#memory svg.drawing").viewBox.baseVal.width < 700);
  const complete = new Promise(done => tools.once("Tracing.tracingComplete", done));
  await tools.send("Tracing.end");
  await complete;
  const main = new Set(events.filter(one => one.name === "thread_name" && one.args.name === "CrRendererMain")
    .map(one => `${one.pid}/${one.tid}`));
  // The time of the thread: on a busy machine the clock on the wall counts what others take.
  const tasks = events.filter(one => main.has(`${one.pid}/${one.tid}`) && one.tdur > 0).map(one => one.tdur / 1000);
  assert.ok(tasks.length > 20, `${tasks.length} tasks were seen`);
  const longest = Math.max(...tasks);
  console.log(`the longest of ${tasks.length} tasks took ${longest.toFixed(1)} ms`);
  assert.ok(longest <= longestTask, `a task took ${longest.toFixed(1)} ms`);
}));
