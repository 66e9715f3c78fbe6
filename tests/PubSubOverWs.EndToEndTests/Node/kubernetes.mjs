// A maintained STOMP client in a pod: it subscribes to a queue and a topic, and publishes to both while its server may go away.
// Its argument is JSON: login, passcode, name, servers (it begins with the first), every (ms between messages). Each line of its input says
// up to which number it publishes; it answers, and says what happens, in lines of JSON, and ends when its input does.
import { createInterface } from "node:readline";
import { Client } from "@stomp/stompjs";
import WebSocket from "ws";

Object.assign(globalThis, { WebSocket });
const { login, passcode, name, servers, every } = JSON.parse(process.argv[2]);
const destinations = ["/queue/kubernetes", "/topic/kubernetes"];
const unanswered = new Map();
let [allowed, published, attempts] = [0, 0, 0];
const say = event => process.stdout.write(`${JSON.stringify(event)}\n`);

const client = new Client({
  connectHeaders: { login, passcode }, reconnectDelay: 100, connectionTimeout: 2000, heartbeatIncoming: 0, heartbeatOutgoing: 0,
  beforeConnect: () => { client.brokerURL = servers[attempts++ % servers.length]; },
  onConnect: async () => {
    await Promise.all(destinations.map(subscribe));
    say({ connected: client.brokerURL });
    // What was not answered was taken or was not: it is published again, under the same id.
    for (const [id, destination] of unanswered) send(id, destination);
  },
  onStompError: frame => say({ error: frame.headers.message }),
  onWebSocketClose: () => say({ closed: client.brokerURL }),
  onUnhandledReceipt: frame => {
    const id = frame.headers["receipt-id"];
    if (unanswered.delete(id)) say({ taken: id });
  },
});

function subscribe(destination) {
  return new Promise(subscribed => {
    client.watchForReceipt(`to ${destination}`, subscribed);
    client.subscribe(destination, message => {
      say({ received: message.headers.id });
      message.ack();
    }, { ack: "client-individual", receipt: `to ${destination}` });
  });
}

const send = (id, destination) => client.publish({ destination, body: id, headers: { id, receipt: id } });

setInterval(() => {
  if (published >= allowed || !client.connected) return;
  published++;
  for (const destination of destinations) {
    const id = `${destination} ${name} ${published}`;
    unanswered.set(id, destination);
    send(id, destination);
  }
}, every);
client.activate();
for await (const line of createInterface(process.stdin)) {
  allowed = Math.max(Number(line), published);
  say({ allowed, published });
}
await client.deactivate();
process.exit();
