// What a user does with the page of a server. In the environment, beside that of browser.mjs: SCREENSHOTS, a folder for pictures, if any
// are wanted.
import assert from "node:assert/strict";
import { join } from "node:path";
import { open as openPage } from "../browser.mjs";

const { SCREENSHOTS } = process.env;

/** @param {import("./server.mjs").Server} server @param {(page, context) => Promise<void>} steps */
export async function open(server, options, steps) {
  const sizes = [];
  const weigh = response => sizes.push(response.body().then(body => body.length));
  // A download comes from the page itself.
  const isOfServer = url => new URL(url).origin.replace(/^ws/, "http") === server.address;
  await openPage(server.address, options, isOfServer, async (page, context) => {
    page.off("response", weigh);
    const loaded = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(loaded > 50_000 && loaded < 150 * 1024, `${loaded} bytes were loaded`);
    await steps(page, context);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  }, page => page.on("response", weigh));
}

export const state = (page, name) => page.locator(`body[data-state="${name}"]`).waitFor();

/** @param {"shown" | "by-hand" | "auto"} mode */
export async function subscribe(page, destination, mode = "shown") {
  await page.locator("#subscribe-destination").fill(destination);
  await page.locator("#subscribe-mode").selectOption(mode);
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page.locator("#subscriptions li", { hasText: destination }).filter({ hasText: "came" }).first().waitFor();
}

export async function publish(page, destination, body, copies = 1) {
  await page.locator("#publish-destination").fill(destination);
  await page.locator("#publish-body").fill(body);
  await page.locator("#publish-copies").fill(`${copies}`);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
}

/** Waits until a script in the page gives true. */
export const until = (page, script, argument) => page.waitForFunction(script, argument, { polling: 50, timeout: 60_000 });

export async function picture(page, name) {
  if (SCREENSHOTS) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }
}
