// The page: puts the session and the views together.

import { byId, element, isDestination, timeOfDay } from "./dom.js";
import { Fates } from "./fate.js";
import { MeasureView } from "./measureview.js";
import { MessageList } from "./messages.js";
import { SentList } from "./sent.js";
import { MOST_UNCONFIRMED, Session } from "./session.js";
import { StompClient } from "./stomp.js";

const MOST_EVENTS = 100;
// Few enough that a hidden or slow page holds little; by hand as many as can be looked at.
const PREFETCH = { auto: 100, shown: 100, "by-hand": 20 };

// Beside the page, wherever a proxy has put it.
const address = new URL("ws", document.baseURI);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
const open = () => new WebSocket(address, ["v12.stomp"]);

const subscriptions = new Map();
let keeps = true;
let wasReady = false;
let lastError = "";

const session = new Session({ open, on: { state: showState, message, published, subscribed, error } });
const messages = new MessageList({
  list: byId("messages"), summary: byId("messages-summary"), said: byId("messages-said"),
  settle: (delivery, isAck) => session.settle(delivery, isAck),
});
const sent = new SentList({
  list: byId("sent"), summary: byId("sent-summary"), again: publication => session.publishAgain(publication),
});
const fates = new Fates({ changed: (publication, fate) => sent.show(publication, fate) });
const measure = new MeasureView(on => new StompClient(open(), { ...session.login, on }));

const hasLeft = state => state === "closed" || state === "refused";

function showState({ name, server = "", reason = "", wait = 0 }) {
  const to = server === "" ? "Connected" : `Connected to the ${server} server`;
  // What an ERROR said is the reason of the close as well.
  const why = reason === "" || reason === lastError ? "" : `${reason} `;
  const words = {
    connecting: "Connecting",
    connected: `${to}, subscribing`,
    ready: to,
    waiting: `${why}Not connected: trying again in ${(wait / 1000).toFixed(1)} s`,
    refused: "Not connected: log in",
    closed: "Disconnected",
  }[name];
  document.body.dataset.state = name;
  byId("state-text").textContent = words;
  byId("connect").textContent = hasLeft(name) ? "Connect" : "Disconnect";
  // It stays during a try, so that it does not come and go under a pointer, and keeps the focus.
  byId("try-now").hidden = name !== "waiting" && (name !== "connecting" || byId("try-now").hidden);
  measure.enable(name === "ready");
  if (name !== "connecting" && name !== "connected") {
    log(words);
    lastError = "";
  }
  if (name === "waiting" || name === "closed" || name === "refused") {
    messages.connectionEnded();
  }
  if (name === "ready") {
    keeps = server !== "direct";
    if (wasReady) {
      fates.returned(keeps);
    }
    wasReady = true;
  }
  showLogin(name, reason);
}

function showLogin(name, reason) {
  const isAsked = name === "refused";
  byId("login-panel").hidden = !isAsked;
  byId("login-why").textContent = session.login.login === undefined ? "Only users of this server may connect." : reason;
  if (isAsked) {
    byId("login").focus();
  }
}

function error(text) {
  lastError = text;
  log(text, true);
}

function message(frame, subscription, delivery) {
  const id = frame.headers.get("id") ?? "";
  const isFirst = messages.add(frame, delivery, subscriptions.get(subscription.id).mode);
  if (isFirst && session.owns(id)) {
    fates.came(id);
  }
  subscriptions.get(subscription.id).count(1);
}

function published(publication) {
  sent.show(publication);
  if (publication.state === "taken" && isSubscribed(publication.destination)) {
    fates.taken(publication);
  }
}

const isSubscribed = destination =>
  [...subscriptions.values()].some(one => one.subscription.destination === destination && one.subscription.state === "active");

function subscribed(subscription) {
  const row = subscriptions.get(subscription.id);
  if (row === undefined) {
    return;
  }
  if (subscription.state === "ended" || subscription.state === "refused") {
    subscriptions.delete(subscription.id);
    row.item.remove();
    if (!isSubscribed(subscription.destination)) {
      fates.left(subscription.destination);
    }
    if (subscription.state === "refused") {
      log(`The subscription of ${subscription.destination} was refused.`, true);
    }
  } else {
    row.count(0);
  }
  byId("no-subscriptions").hidden = subscriptions.size > 0;
}

function subscribe(destination, mode) {
  const row = { mode, came: 0 };
  const words = element("span", { className: "fate" });
  row.count = by => {
    row.came += by;
    words.textContent = row.subscription.state === "active" ? `${row.came.toLocaleString("en")} came` : "waiting for the server";
  };
  row.subscription = session.subscribe(destination, mode === "auto" ? "auto" : "client-individual", PREFETCH[mode]);
  row.item = element("li", {}, element("span", { className: "id" }, destination), words, element("button", {
    type: "button", ariaLabel: `Unsubscribe ${destination}`, onclick: () => session.unsubscribe(row.subscription),
  }, "Unsubscribe"));
  subscriptions.set(row.subscription.id, row);
  byId("subscriptions").append(row.item);
  subscribed(row.subscription);
}

function publish() {
  const [destination, body, copies] = [byId("publish-destination").value, byId("publish-body").value, Number(byId("publish-copies").value)];
  for (let copy = 0; copy < copies; copy++) {
    if (session.publish(destination, body) === null) {
      log(`${MOST_UNCONFIRMED} messages are not confirmed: wait until the server has answered, then publish the other ${copies - copy}.`,
        true);
      return;
    }
  }
}

function log(text, isBad = false) {
  const list = byId("events");
  list.append(element("li", { className: isBad ? "bad" : "" }, element("span", { className: "time" }, timeOfDay()), text));
  while (list.childElementCount > MOST_EVENTS) {
    list.firstElementChild.remove();
  }
  list.parentElement.scrollTop = list.parentElement.scrollHeight;
}

function onSubmit(form, act) {
  byId(form).addEventListener("submit", event => {
    event.preventDefault();
    act();
  });
}

onSubmit("login-form", () => {
  session.connect({ login: byId("login").value, passcode: byId("passcode").value });
  byId("passcode").value = "";
});
onSubmit("subscribe-form", () => {
  if (isDestination(byId("subscribe-destination"))) {
    subscribe(byId("subscribe-destination").value, byId("subscribe-mode").value);
  }
});
onSubmit("publish-form", () => {
  if (isDestination(byId("publish-destination"))) {
    publish();
  }
});
for (const field of document.querySelectorAll("input.destination")) {
  field.addEventListener("input", () => field.setCustomValidity(""));
}
byId("publish-body").addEventListener("keydown", event => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    byId("publish-form").requestSubmit();
  }
});
byId("messages-clear").addEventListener("click", () => messages.clear());
byId("connect").addEventListener("click", () => {
  if (hasLeft(document.body.dataset.state)) {
    session.connect();
  } else {
    session.close();
  }
});
byId("try-now").addEventListener("click", () => session.hurry());
addEventListener("online", () => session.hurry());
addEventListener("beforeunload", event => {
  if (session.unconfirmed.length > 0) {
    event.preventDefault();
  }
});

session.connect();
