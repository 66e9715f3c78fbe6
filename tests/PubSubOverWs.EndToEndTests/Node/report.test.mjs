// A report in a browser. In the environment, beside that of browser.mjs: PAGE, the address; how many ARMS, LEVELS, ITERATIONS that
// count, ROWS and EVENTS the record has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open as openPage } from "./browser.mjs";

const { PAGE } = process.env;
const [arms, levels, iterations, rows, events] =
  ["ARMS", "LEVELS", "ITERATIONS", "ROWS", "EVENTS"].map(name => Number(process.env[name]));
const open = (options, steps) => openPage(PAGE, options, url => url === PAGE, steps);

for (const width of [1280, 400]) {
  const viewport = { width, height: 900 };
  test(`every figure is there at ${width} pixels, and the page is no wider`, () => open({ viewport }, async page => {
    const marks = async (figure, style) => page.locator(`#${figure} .drawings ${style}`).count();
    for (const figure of ["latency", "loss"]) {
      // Of the two arms that are compared.
      assert.equal(await marks(figure, ".mark:not(.hollow)"), 2 * levels);
      assert.equal(await marks(figure, ".interval"), 2 * levels);
    }
    assert.equal(await marks("iterations", "svg"), levels);
    assert.equal(await marks("iterations", ".mark"), iterations);
    assert.equal(await marks("percentiles", "svg"), levels);
    assert.equal(await marks("percentiles", ".curve"), arms * levels);
    // It is drawn only where something was lost.
    assert.equal(await marks("buckets", ".mark.delivered"), await page.locator("#buckets").count() * arms * levels);
    assert.equal(await marks("timeline", "rect.mark"), rows);
    assert.equal(await marks("timeline", ".event"), events);

    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]);
    assert.deepEqual(wide, [width, width]);
    // One call for all of them: on a busy machine each takes its time.
    const boxes = await page.locator("svg.drawing")
      .evaluateAll(drawings => drawings.map(drawing => drawing.getBoundingClientRect().toJSON()));
    assert.notEqual(boxes.length, 0);
    for (const box of boxes) {
      assert.ok(box.width > 250 && box.left >= 0 && box.right <= width, JSON.stringify(box));
    }
    const cut = await page.locator("svg.drawing text").evaluateAll(texts => texts.filter(text => {
      const [mine, all] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
      return mine.left < all.left - 1 || mine.right > all.right + 1 || mine.bottom > all.bottom + 1;
    }).map(text => text.textContent));
    assert.deepEqual(cut, []);
  }));
}

test("every table opens without a script, and every drawing has words", () => open({ javaScriptEnabled: false }, async page => {
  for (const summary of await page.locator("summary").all()) {
    await summary.click();
  }
  for (const table of await page.locator("details table").all()) {
    assert.ok(await table.isVisible());
  }
  assert.equal(await page.getByRole("img", { name: /\w/ }).count(), await page.locator("svg.drawing").count());
}));

// 718 px is what A4 has between margins of 10 mm.
const paper = { viewport: { width: 718, height: 1040 }, colorScheme: "dark" };

test("on paper no table is cut, and dark screens print on a light ground", () => open(paper, async page => {
  await page.emulateMedia({ media: "print" });
  const cut = await page.locator("table").evaluateAll(tables => tables
    .filter(table => table.getBoundingClientRect().right > 718).map(table => table.closest("[aria-label]").ariaLabel));
  assert.deepEqual(cut, []);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--ground").trim()), "#ffffff");
}));

test("dark and light have other grounds", async () => {
  const grounds = [];
  for (const colorScheme of ["light", "dark"]) {
    await open({ colorScheme }, async page => grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)));
  }
  assert.deepEqual(grounds, ["rgb(255, 255, 255)", "rgb(20, 23, 26)"]);
});
