// A browser for one page. In the environment: CHROMIUM, the program; PAGE, the address; PROFILES, a folder for new profiles.
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const { CHROMIUM, PAGE, PROFILES } = process.env;
const quiet = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
  "--disable-sync",
];

// Opens the page in a browser that has never been used, and gives what it asked for to `isExpected` when the steps are done. The page
// must have complained of nothing.
export async function open(options, isExpected, steps, before = () => {}) {
  const profile = await mkdtemp(join(PROFILES, "profile-"));
  const browser = await chromium.launchPersistentContext(profile, { executablePath: CHROMIUM, headless: true, args: quiet, ...options });
  try {
    const page = await browser.newPage();
    const asked = [];
    const complaints = [];
    page.on("request", request => asked.push(request.url()));
    page.on("console", message => complaints.push(message.text()));
    page.on("pageerror", error => complaints.push(error.message));
    await before(page);
    await page.goto(PAGE, { waitUntil: "load" });
    await steps(page, browser);
    assert.deepEqual(asked.filter(url => !url.startsWith("data:") && !isExpected(url)), []);
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
}
