// Opens the page in a browser that has a new profile, and watches what the page asks for and complains of. In the environment: CHROMIUM,
// the program; SCREENSHOTS, a folder for pictures, if any are wanted.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";

const { CHROMIUM, SCREENSHOTS } = process.env;
const quiet = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];
// Browsers write this themselves whenever a server is away.
const AWAY = /^WebSocket connection to '[^']*' failed/;

const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: quiet });
after(() => browser.close());

/** Each time in a context of its own. @param {import("./server.mjs").Server} server @param {(page, context) => Promise<void>} steps */
export async function open(server, options, steps) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  try {
    const page = await context.newPage();
    const [asked, complaints, sizes] = [new Set(), [], []];
    page.on("request", request => asked.add(new URL(request.url()).origin));
    page.on("websocket", socket => asked.add(new URL(socket.url()).origin.replace(/^ws/, "http")));
    const weigh = response => sizes.push(response.body().then(body => body.length));
    page.on("response", weigh);
    page.on("console", message => AWAY.test(message.text()) || complaints.push(message.text()));
    page.on("pageerror", error => complaints.push(`${error.message}\n${error.stack}`));
    await page.goto(server.address, { waitUntil: "load" });
    page.off("response", weigh);
    const loaded = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(loaded > 50_000 && loaded < 150 * 1024, `${loaded} bytes were loaded`);
    await steps(page, context);
    // A download comes from the page itself.
    assert.deepEqual([...asked].filter(origin => origin !== "null" && origin !== server.address), []);
    assert.deepEqual(complaints, []);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  } finally {
    await context.close();
  }
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
