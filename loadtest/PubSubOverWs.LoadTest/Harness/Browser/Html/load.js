// The page that has the clients of a run with --client browser. The load runner, which serves it, gives it orders over a WebSocket; it
// answers each order once.

import * as stomp from "./stomp.js";
import { Users, resolutionOf } from "./users.js";

const control = new WebSocket(`ws://${location.host}/control`);
/** @type {Users} Those of the trial. */
let users;

/** What each order does, and its answer. */
const orders = {
  async enter(plan) {
    users = new Users(plan, stomp);
    return { connected: await users.enter() };
  },
  async begin() {
    return { doneMs: await users.begin() };
  },
  async leave() {
    return { users: await users.leave() };
  },
};

const answer = (to, rest) => control.send(JSON.stringify({ to, ...rest }));

async function version() {
  const { fullVersionList } = await navigator.userAgentData.getHighEntropyValues(["fullVersionList"]);
  return fullVersionList.find(one => one.brand === "Chromium")?.version ?? "unknown";
}

control.onopen = async () => answer("open", { version: await version(), clockUs: resolutionOf(() => performance.now()) });
control.onmessage = async ({ data }) => {
  const { order, plan } = JSON.parse(data);
  answer(order, await orders[order](plan));
};
