// The live page while a run goes on. In the environment, beside that of browser.mjs: PAGE, the address; how many TRIALS the run
// has, the FOLDER of its record, and DRAWN, a file for the moments at which the page had drawn (ms since 1970).
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "./browser.mjs";

const { PAGE, FOLDER, DRAWN } = process.env;
const trials = Number(process.env.TRIALS);

// Where the page asks for anything, it says when.
const note = page => page.addInitScript(() => {
  const [ask, moments] = [globalThis.fetch, []];
  globalThis.moments = moments;
  globalThis.fetch = (...what) => {
    moments.push(performance.timeOrigin + performance.now());
    return ask(...what);
  };
});

test("a page that is open during a run follows it to its end", () => open(PAGE, {}, url => url.startsWith(PAGE), async page => {
  const seen = new Set();
  await page.exposeFunction("see", text => seen.add(text));
  await page.evaluate(() => new MutationObserver(() => globalThis.see(document.getElementById("done").textContent))
    .observe(document.getElementById("done"), { childList: true, characterData: true, subtree: true }));
  await page.locator("#status", { hasText: "The run has ended" }).waitFor({ timeout: 100_000 });

  assert.ok(seen.size > trials / 4, `The page changed ${seen.size} times in ${trials} trials.`);
  await page.locator("#latency summary").press("Enter");
  await page.waitForFunction(count => document.querySelectorAll("#latency tbody tr").length === count, trials);
  assert.equal(await page.locator("#folder").textContent(), FOLDER);
  // Nobody is there to end the program, so it ends with the run, and there is no link that leads nowhere.
  assert.equal(await page.locator("#report").isVisible(), false);
  for (const figure of ["latency", "throughput", "cpu", "memory"]) {
    assert.ok(await page.locator(`#${figure} svg.drawing`).count() > 0, figure);
  }
  const moments = await page.evaluate(() => globalThis.moments);
  assert.ok(moments.length > trials / 4);
  await writeFile(DRAWN, JSON.stringify(moments));
}, note));
