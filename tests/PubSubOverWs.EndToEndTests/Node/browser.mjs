// Opens pages in Chromium, and watches what they ask for and complain of. In the environment: CHROMIUM, the program.
import assert from "node:assert/strict";
import { after } from "node:test";
import { chromium } from "playwright-core";

const quiet = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];
// Browsers write this themselves whenever a server is away.
const AWAY = /^WebSocket connection to '[^']*' failed/;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args: quiet });
after(() => browser.close());

/**
 * Each time in a context that has never been used. The page may ask for nothing but what is expected, and must complain of nothing.
 * @param {object} options Of the context.
 * @param {(url: string) => boolean} isExpected Of addresses, those of WebSockets too.
 * @param {(page, context) => Promise<void>} steps Once it has loaded.
 * @param {(page) => Promise<void> | void} before It is loaded.
 */
export async function open(address, options, isExpected, steps, before = () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  try {
    const page = await context.newPage();
    const [asked, complaints] = [new Set(), []];
    page.on("request", request => asked.add(request.url()));
    page.on("websocket", socket => asked.add(socket.url()));
    page.on("console", message => AWAY.test(message.text()) || complaints.push(message.text()));
    page.on("pageerror", error => complaints.push(`${error.message}\n${error.stack}`));
    await before(page);
    await page.goto(address, { waitUntil: "load" });
    await steps(page, context);
    assert.deepEqual([...asked].filter(url => !url.startsWith("data:") && !isExpected(url)), []);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}
