// The page before axe-core, and its shape at 400 and at 1280 pixels, in dark and in light.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { open, picture, publish, state, subscribe, until } from "./user.mjs";
import { Publisher } from "./publisher.mjs";
import { Server } from "./server.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server;
before(async () => { server = await Server.start(); });
after(() => server.stop());

async function violations(page) {
  await page.evaluate(axe);
  const { violations: found, passes } = await page.evaluate(() => globalThis.axe.run(document));
  assert.ok(passes.length > 20);
  return found.map(one => `${one.id}: ${one.nodes.map(node => `${node.html} ${node.failureSummary}`).join("\n")}`);
}

/** Nothing is wider than the page, no words are wider than their button, and nothing that can be pressed is too small for a finger. */
async function assertFits(page, width) {
  assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]), [width, width]);
  const small = await page.locator("button:visible, input:visible, select:visible").evaluateAll(all =>
    all.filter(one => one.getBoundingClientRect().height < 24).map(one => one.id || one.textContent));
  assert.deepEqual(small, []);
  const overflowing = await page.locator("button:visible").evaluateAll(all =>
    all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.id || one.textContent));
  assert.deepEqual(overflowing, []);
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 400]) {
    test(`axe-core finds nothing in ${colorScheme} at ${width} pixels, and nothing is cut`, () =>
      open(server, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true }, async page => {
        const name = `${colorScheme}-${width}`;
        const destination = `/queue/orders-${process.pid}-${name}`;
        await state(page, "ready");
        assert.deepEqual(await violations(page), []);
        await picture(page, `empty-${name}`);

        await subscribe(page, destination, "by-hand");
        await subscribe(page, "/topic/prices", "shown");
        const publisher = await Publisher.connect(server);
        const long = "The first of a stream, long enough to be cut where the row ends: ".repeat(4);
        await publisher.send(destination, long, "page-cccccccccc.1");
        await publisher.send(destination, Uint8Array.from({ length: 64 }, (_, i) => 200 + i), "page-cccccccccc.4", { colour: "blue" });
        publisher.close();
        await publish(page, destination, "Hello <b>world</b> 😀");
        await publish(page, "/queue/nobody", "to nobody");
        await publish(page, "/topic/prices", "12.50");
        await until(page, () => document.querySelectorAll("#messages .message").length === 4);
        await page.locator("#messages .message summary").nth(1).click();
        await page.getByRole("button", { name: /^Give back/ }).last().click();
        await page.locator("#measure-messages").fill("2000");
        await page.getByRole("button", { name: "Start", exact: true }).click();
        await page.locator("#measure-said", { hasText: "Done" }).waitFor();
        await page.getByText("The histogram as a table").click();
        assert.deepEqual(await violations(page), []);
        await assertFits(page, width);
        await page.locator("#measure-buckets summary").click();
        await picture(page, `used-${name}`);

        await page.getByRole("button", { name: "Disconnect" }).click();
        await state(page, "closed");
        assert.deepEqual(await violations(page), []);
        await page.evaluate(() => { document.getElementById("login-panel").hidden = false; });
        assert.deepEqual(await violations(page), []);
        await assertFits(page, width);
        await picture(page, `login-${name}`);
      }));
  }
}

test("dark and light have other grounds", async () => {
  const grounds = [];
  for (const colorScheme of ["light", "dark"]) {
    await open(server, { colorScheme }, async page => grounds.push(await page.evaluate(() =>
      getComputedStyle(document.body).backgroundColor)));
  }
  assert.deepEqual(grounds, ["rgb(245, 246, 248)", "rgb(18, 21, 24)"]);
});
