// What a user does with the page, with a mouse and by keyboard. NAME: direct or pubsub; SAMPLES, a folder for the download.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { open, picture, publish, state, subscribe, until } from "./user.mjs";
import { Publisher, flood } from "./publisher.mjs";
import { Server } from "./server.mjs";

const { NAME, SAMPLES } = process.env;
let server;
before(async () => { server = await Server.start(); });
after(() => server.stop());

let queues = 0;
const queue = () => `/queue/${process.pid}-${++queues}`;
const rows = page => page.locator("#messages .message");
const sent = page => page.locator("#sent li");

test("a message that is published comes back, is acknowledged, and is confirmed", () => open(server, {}, async page => {
  const destination = queue();
  await state(page, "ready");
  assert.equal(await page.locator("#state-text").textContent(), `Connected to the ${NAME} server`);
  await subscribe(page, destination);
  await publish(page, destination, "é 漢 😀");
  await rows(page).waitFor();
  assert.equal(await rows(page).locator(".preview").textContent(), "é 漢 😀");
  await sent(page).filter({ hasText: "taken, and came back" }).waitFor();

  await page.getByRole("button", { name: `Unsubscribe ${destination}` }).click();
  await page.locator("#no-subscriptions").waitFor();
  // It was acknowledged: a new subscription does not get it.
  await subscribe(page, destination);
  await publish(page, destination, "second");
  await rows(page).nth(1).waitFor();
  assert.deepEqual(await rows(page).locator(".preview").allTextContents(), ["é 漢 😀", "second"]);
}));

test("by hand a message is acknowledged, or given back and delivered again", () => open(server, {}, async page => {
  const destination = queue();
  await subscribe(page, destination, "by-hand");
  await subscribe(page, destination, "by-hand");
  await publish(page, destination, "mine");
  await rows(page).getByRole("button", { name: /^Give back/ }).click();
  await rows(page).locator(".mark", { hasText: "delivered 2 times" }).waitFor();
  await rows(page).getByRole("button", { name: /^Acknowledge/ }).click();
  assert.equal(await rows(page).locator(".actions").textContent(), "acknowledged");
  assert.equal(await rows(page).count(), 1);
}));

test("markup, 64 KiB of text, bytes and emoji are shown as data", () => open(server, {}, async page => {
  const destination = queue();
  await subscribe(page, destination);
  const publisher = await Publisher.connect(server);
  const markup = "<img src=x onerror=hacked=1><script>hacked=1</script><b>&amp;\u202eabc";
  const long = "0123456789abcdé".repeat(4_096);
  const bodies = [markup, long, Uint8Array.from({ length: 256 }, (_, i) => 255 - i), "👩‍👩‍👧‍👦🏳️‍🌈\u0000\ud83d"];
  for (const [index, body] of bodies.entries()) {
    await publisher.send(destination, body, `<u>id ${index}`, { "<i>name": "<i>value", destination2: "javascript:hacked=1" });
  }
  publisher.close();
  await until(page, count => document.querySelectorAll("#messages .message").length === count, bodies.length);
  const items = Object.fromEntries(await rows(page).evaluateAll(all => all.map((row, index) => [row.dataset.id, index])));
  const whole = async index => {
    const row = rows(page).nth(items[`<u>id ${index}`]);
    await row.locator("summary").click();
    assert.match(await row.locator("dl").textContent(), /<i>name<i>value/);
    return row.locator("pre").textContent();
  };
  assert.equal(await whole(0), markup);
  assert.equal(await whole(1), long);
  assert.equal(await whole(2), Array.from({ length: 256 }, (_, i) => (255 - i).toString(16).padStart(2, "0")).join(" "));
  assert.equal(await whole(3), "👩‍👩‍👧‍👦🏳️‍🌈\u0000\ufffd");
  assert.deepEqual(await page.locator("#messages").evaluate(list => [...new Set([...list.querySelectorAll("*")].map(one => one.localName))]
    .sort()), ["bdi", "dd", "details", "div", "dl", "dt", "li", "pre", "span", "summary"]);
  await picture(page, `messages-${NAME}`);
}));

test("a message that is too large is refused with the reason, and the page goes on", () => open(server, {}, async page => {
  const destination = queue();
  await subscribe(page, destination);
  await publish(page, destination, "x".repeat(65_537));
  await sent(page).filter({ hasText: /refused: .*65.?536/ }).waitFor();
  await state(page, "ready");
  await publish(page, destination, "x".repeat(65_536));
  await rows(page).waitFor();
  assert.equal(await sent(page).filter({ hasText: "Send again" }).count(), 1);
}));

test("messages of a page are shown in its order, with gaps marked until they are filled", () => open(server, {}, async page => {
  const destination = queue();
  await subscribe(page, destination);
  const publisher = await Publisher.connect(server);
  const send = async (...numbers) => {
    for (const number of numbers) {
      await publisher.send(destination, `${number}`, `page-aaaaaaaaaa.${number}`);
      await until(page, id => document.querySelector(`#messages [data-id="${id}"]`), `page-aaaaaaaaaa.${number}`);
    }
  };
  const shown = () => page.locator("#messages > li").evaluateAll(items => items.map(item =>
    item.querySelector(".preview")?.textContent ?? item.textContent));
  await send(1, 5, 3);
  assert.deepEqual(await shown(), ["1", "1 message missing: number 2 of page-aaaaaaaaaa", "3",
    "1 message missing: number 4 of page-aaaaaaaaaa", "5"]);
  await page.locator("#messages-summary", { hasText: "2 missing" }).waitFor();
  await publisher.send(destination, "3", "page-aaaaaaaaaa.3");
  await send(4, 2);
  assert.deepEqual(await shown(), ["1", "2", "3", "4", "5"]);
  await page.locator("#messages-summary", { hasText: "5 messages, 1 came again" }).waitFor();
  publisher.close();
}));

test("the list keeps its last rows, counts the others, and follows the newest", () => open(server, {}, async page => {
  const destination = queue();
  await subscribe(page, destination);
  const publisher = await Publisher.connect(server);
  await flood(publisher, destination, 620, "many");
  await page.locator("#messages-summary", { hasText: "620 messages, 420 no longer shown" }).waitFor();
  assert.equal(await rows(page).count(), 200);
  const lastIsSeen = () => {
    const [last, all] = [document.getElementById("messages").lastElementChild, document.getElementById("messages-scroll")];
    return last.getBoundingClientRect().bottom <= all.getBoundingClientRect().bottom + 1;
  };
  assert.ok(await page.evaluate(lastIsSeen));
  await page.locator("#messages-scroll").hover();
  await page.mouse.wheel(0, -2_000);
  await until(page, () => document.getElementById("messages-scroll").scrollTop < -1_000);
  await flood(publisher, destination, 20, "more");
  assert.ok(!await page.evaluate(lastIsSeen), "a reader who has gone up stays there");
  publisher.close();
  await page.getByRole("button", { name: "Clear" }).click();
  assert.equal(await rows(page).count(), 0);
}));

async function measure(page, settings) {
  for (const [field, value] of Object.entries(settings)) {
    await page.locator(`#measure-${field}`)[field === "pace" ? "selectOption" : "fill"](`${value}`);
  }
  await page.getByRole("button", { name: "Start", exact: true }).click();
}

test("a measurement draws its histogram as it grows, and gives its samples to take away", () => open(server, {}, async page => {
  await state(page, "ready");
  await measure(page, { messages: 200, pace: "one", bytes: 100 });
  await until(page, () => /^Done/.test(document.getElementById("measure-said").textContent));
  assert.equal(await page.locator("#measure-said").textContent(), "Done: 200 of 200 messages came in time.");
  const table = await page.locator("#measure-table tr").evaluateAll(all => Object.fromEntries(all.map(row =>
    [...row.cells].map(cell => cell.textContent))));
  assert.deepEqual([table.delivered, table["not delivered"], table["p99.9"]], ["200", "0", "–"]);
  assert.match(table.p50, /^[\d.,]+ (µs|ms)$/);
  await page.getByText("The histogram as a table").click();
  // The browser says that it is open a moment later.
  await page.locator("#measure-bucket-rows tr").first().waitFor();
  const inTable = await page.locator("#measure-bucket-rows td").allTextContents();
  assert.equal(inTable.reduce((sum, count) => sum + Number(count), 0), 200);
  assert.match(await page.locator("#measure-histogram").getAttribute("aria-label"), /200 messages/);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download samples" }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), "samples.csv.gz");
  const file = join(SAMPLES, download.suggestedFilename());
  await download.saveAs(file);
  assert.equal(gunzipSync(await readFile(file)).toString().trimEnd().split("\n").length, 201);
}));

test("a measurement at a rate keeps to it, shows what it has, and can be stopped", () => open(server, {}, async page => {
  await state(page, "ready");
  await measure(page, { messages: 100_000, pace: "rate", rate: 100 });
  await until(page, () => Number(document.querySelector("#measure-table td").textContent) >= 150);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator("#measure-said", { hasText: "Done" }).waitFor();
  const drawn = await page.locator("#measure-histogram").evaluate(canvas => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some(value => value > 0);
  });
  assert.ok(drawn);
}));

test("all of it works by keyboard alone", () => open(server, {}, async page => {
  const destination = queue();
  await state(page, "ready");
  const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.id);
  const tabTo = async (what, key = "Tab") => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press(key);
      if ((await focused()).startsWith(what)) {
        return;
      }
    }
    assert.fail(`No Tab leads to ${what}.`);
  };
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the messages");
  await until(page, () => document.activeElement.getBoundingClientRect().top >= 0);
  await tabTo("subscribe-destination");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(destination);
  await tabTo("subscribe-mode");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator("#subscribe-mode").inputValue(), "by-hand");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("#subscriptions li", { hasText: "0 came" }).waitFor();
  await tabTo("publish-destination");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(destination);
  await tabTo("publish-body");
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Control+Enter");
  await rows(page).waitFor();
  await tabTo("Acknowledge");
  await page.keyboard.press("Enter");
  await rows(page).filter({ hasText: "acknowledged" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.localName), "summary");
  await page.keyboard.press("Enter");
  await rows(page).locator("pre", { hasText: "by keyboard" }).waitFor();
  await tabTo("measure-messages");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("20");
  await page.keyboard.press("Enter");
  await page.locator("#measure-said", { hasText: "Done: 20 of 20" }).waitFor();
  await tabTo("Unsubscribe", "Shift+Tab");
  await page.keyboard.press("Space");
  await page.locator("#no-subscriptions").waitFor();
  await tabTo("connect", "Shift+Tab");
  await page.keyboard.press("Enter");
  await state(page, "closed");
  await page.keyboard.press("Enter");
  await state(page, "ready");
}));
