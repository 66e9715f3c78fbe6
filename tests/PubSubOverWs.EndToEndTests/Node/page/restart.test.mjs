// A page that is left open while its server is killed and started again. NAME: direct or pubsub.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, picture, publish, state, subscribe, until } from "./user.mjs";
import { Publisher } from "./publisher.mjs";
import { Server } from "./server.mjs";

const { NAME } = process.env;
const KEEPS = NAME === "pubsub";
// At first the server delivers one message a minute, and takes all: a kill finds all but the first, however slow the machine is.
const SLOW = ["--Relay:Delivery:Cost", "00:01:00", ...(KEEPS ? [] : ["--Direct:Buffer", "1000"])];
let server;
before(async () => { server = await Server.start(SLOW); });
after(() => server.stop());

let queues = 0;
const queue = () => `/queue/restart-${process.pid}-${++queues}`;

/** What the page says of each of its messages, and which it shows. */
const told = page => page.evaluate(() => ({
  fates: Object.fromEntries([...document.querySelectorAll("#sent li")].map(row =>
    [row.dataset.id, row.querySelector(".fate").textContent])),
  shown: [...document.querySelectorAll("#messages .message")].map(row => row.dataset.id),
  summary: document.getElementById("sent-summary").textContent,
}));

const settled = page => until(page, () => {
  const words = document.getElementById("sent-summary").textContent;
  return / 0 not confirmed/.test(words) && !/still to come/.test(words);
});

test("every message of the page that was acknowledged is shown once, or said to be lost", () => open(server, {}, async page => {
  const destination = queue();
  await subscribe(page, destination);
  await publish(page, destination, "before", 40);
  await page.locator("#sent-summary", { hasText: "40 taken, 0 not confirmed" }).waitFor();
  await server.kill();
  await state(page, "waiting");
  await publish(page, destination, "while away", 10);
  await page.locator("#sent-summary", { hasText: "10 not confirmed" }).waitFor();
  await picture(page, `away-${NAME}`);
  await server.restart();
  await state(page, "ready");
  await until(page, count => document.querySelectorAll("#messages .message").length === count, KEEPS ? 50 : 11);
  await settled(page);

  const count = Number(/^(\d+) taken/.exec((await told(page)).summary)[1]);
  if (KEEPS) {
    assert.equal(count, 50);
  } else {
    // Those that the server had when it was killed; the first came before.
    const { fates, shown, summary } = await told(page);
    const lost = Object.entries(fates).filter(([, fate]) => fate.startsWith("lost")).map(([id]) => id);
    assert.equal(lost.length, 39, summary);
    assert.match(summary, / 39 lost/);
    assert.deepEqual(lost.filter(id => shown.includes(id)), []);
    assert.deepEqual([shown.length, count], [11, 11]);
  }
  const { shown } = await told(page);
  assert.equal(new Set(shown).size, shown.length);
  const numbers = shown.map(id => Number(id.split(".")[1]));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  await picture(page, `restarted-${NAME}`);
}));

test("messages that were not confirmed are sent again with the same id, while the server is killed again and again", () =>
  open(server, {}, async page => {
    const destination = queue();
    await subscribe(page, destination);
    for (let round = 0; round < 3; round++) {
      await publish(page, destination, `round ${round}`, 60);
      await server.kill();
      await state(page, "waiting");
      await server.restart();
      await state(page, "ready");
    }
    await settled(page);
    if (KEEPS) {
      await until(page, () => document.querySelectorAll("#messages .message").length === 180);
      assert.equal(await page.locator("#messages .gap").count(), 0);
    } else {
      await until(page, () => {
        const lost = Number(/(\d+) lost/.exec(document.getElementById("sent-summary").textContent)[1]);
        return lost + document.querySelectorAll("#messages .message").length === 180;
      });
    }
    const { shown } = await told(page);
    assert.equal(new Set(shown).size, shown.length);
  }));

test("the next try can be had at once, and pressing too late disconnects nobody", () =>
  open(server, { viewport: { width: 400, height: 800 } }, async page => {
    const tryNow = page.getByRole("button", { name: "Try now" });
    await state(page, "ready");
    assert.equal(await tryNow.isVisible(), false);
    await server.kill();
    await state(page, "waiting");
    await picture(page, `waiting-${NAME}`);
    // Presses what lies where the button was, whenever the state has changed under the pointer.
    await page.evaluate(() => {
      const { x, y, width, height } = document.getElementById("try-now").getBoundingClientRect();
      globalThis.pressed = [];
      new MutationObserver((_, observer) => {
        if (document.body.dataset.state !== "waiting") {
          const there = document.elementFromPoint(x + width / 2, y + height / 2);
          globalThis.pressed.push(`${document.body.dataset.state} ${there.id}`);
          there.click();
        }
        if (document.body.dataset.state === "ready" || document.body.dataset.state === "closed") {
          observer.disconnect();
        }
      }).observe(document.body, { attributeFilter: ["data-state"] });
    });
    await tryNow.focus();
    await page.keyboard.press("Enter");
    await until(page, () => globalThis.pressed.includes("connecting try-now"));
    assert.equal(await tryNow.evaluate(button => button === document.activeElement), true);
    await server.restart();
    await until(page, () => globalThis.pressed.some(pressed => /^(ready|closed) /.test(pressed)));
    assert.deepEqual(await page.evaluate(() => globalThis.pressed.filter(pressed => pressed.endsWith(" connect"))), []);
    await state(page, "ready");
  }));

test("a message of another page that came to nobody leaves a gap", () => open(server, {}, async page => {
  const destination = queue();
  await subscribe(page, destination);
  const send = async number => {
    const publisher = await Publisher.connect(server);
    const outcome = await publisher.send(destination, `${number}`, `page-bbbbbbbbbb.${number}`);
    publisher.close();
    return outcome;
  };
  await send(1);
  await until(page, () => document.querySelector("#messages .message"));
  await page.getByRole("button", { name: "Disconnect" }).click();
  await state(page, "closed");
  await until(page, () => document.querySelector("#subscriptions .fate").textContent === "waiting for the server");
  assert.equal(await send(2), KEEPS ? "taken" : "no-subscriber");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await state(page, "ready");
  await send(3);
  await until(page, () => document.querySelector('#messages [data-id="page-bbbbbbbbbb.3"]'));
  if (KEEPS) {
    await until(page, () => document.querySelector('#messages [data-id="page-bbbbbbbbbb.2"]'));
  }
  assert.deepEqual(await page.locator("#messages .gap").allTextContents(),
    KEEPS ? [] : ["1 message missing: number 2 of page-bbbbbbbbbb"]);
}));
