// The page of a server with users. LOGIN and PASSCODE of one who may use /queue/orders/ and no more.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, picture, publish, state, subscribe, until } from "./user.mjs";
import { Server } from "./server.mjs";

const { LOGIN, PASSCODE } = process.env;
let server;
before(async () => { server = await Server.start(); });
after(() => server.stop());

async function logIn(page, login, passcode) {
  await page.getByLabel("Login").fill(login);
  await page.getByLabel("Passcode").fill(passcode);
  await page.keyboard.press("Enter");
}

test("the page asks for the login, says what was wrong, and comes back by itself after a restart", () => open(server, {}, async page => {
  await state(page, "refused");
  assert.equal(await page.locator("#login-why").textContent(), "Only users of this server may connect.");
  assert.equal(await page.evaluate(() => document.activeElement.id), "login");
  await picture(page, "login");
  await logIn(page, LOGIN, "wrong");
  await page.locator("#login-why", { hasText: "The login or the passcode is wrong: check both." }).waitFor();
  await logIn(page, LOGIN, PASSCODE);
  await state(page, "ready");
  assert.ok(await page.locator("#login-panel").isHidden());

  await subscribe(page, "/queue/orders/1");
  await publish(page, "/queue/orders/1", "mine");
  await page.locator("#messages .message").waitFor();
  await server.kill();
  await state(page, "waiting");
  await server.restart();
  await state(page, "ready");
  await publish(page, "/queue/orders/1", "mine again");
  await page.locator("#messages .message").nth(1).waitFor();
}));

test("what the user may not do is refused with the reason, and the rest goes on", () => open(server, {}, async page => {
  await state(page, "refused");
  await logIn(page, LOGIN, PASSCODE);
  await state(page, "ready");
  await publish(page, "/queue/other", "x");
  await page.locator("#sent li", { hasText: /refused: The user 'alice' may not publish to '\/queue\/other'/ }).waitFor();
  await state(page, "ready");
  await page.locator("#subscribe-destination").fill("/topic/other");
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page.locator("#events .bad", { hasText: "The subscription of /topic/other was refused." }).waitFor();
  await state(page, "ready");
  await page.locator("#measure-destination").fill("/queue/orders/measure");
  await page.locator("#measure-messages").fill("20");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await until(page, () => /^Done: 20 of 20/.test(document.getElementById("measure-said").textContent));
}));

test("neither the passcode nor anything else is kept when the page is left", () => open(server, {}, async page => {
  await state(page, "refused");
  await logIn(page, LOGIN, PASSCODE);
  await state(page, "ready");
  assert.equal(await page.locator("#passcode").inputValue(), "");
  assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
  await page.reload();
  await state(page, "refused");
}));
