// The page's own STOMP client under Node.js: another user, who sends what a form cannot.
import WebSocket from "ws";
import { StompClient } from "../../../../src/PubSubOverWs.Relay/Page/stomp.js";

export class Publisher {
  #client;
  #waiting = new Map();

  static async connect(server) {
    const publisher = new Publisher();
    const socket = new WebSocket(server.webSocket, ["v12.stomp"]);
    await new Promise((connected, failed) => {
      publisher.#client = new StompClient(socket, {
        heartBeat: [0, 0],
        on: {
          connected,
          error: frame => failed(new Error(frame.headers.get("message"))),
          closed: ({ reason }) => failed(new Error(reason)),
          receipt: frame => publisher.#waiting.get(frame.headers.get("receipt-id"))?.(frame.headers.get("outcome")),
        },
      });
    });
    return publisher;
  }

  /** @returns {Promise<string>} The outcome. */
  send(destination, body, id, headers = {}) {
    this.#client.send(destination, body, { id, receipt: id, ...headers });
    return new Promise(resolve => this.#waiting.set(id, outcome => {
      this.#waiting.delete(id);
      resolve(outcome);
    }));
  }

  close() {
    this.#client.drop("done");
  }
}

/** Sends `count` messages, so many at a time, each until the server has taken it. */
export async function flood(publisher, destination, count, name, atOnce = 32) {
  for (let sent = 0; sent < count; sent += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - sent) }, async (_, index) => {
      while (await publisher.send(destination, `message ${sent + index}`, `${name}-${sent + index}`) !== "taken") {
        // The page had no room.
      }
    }));
  }
}

