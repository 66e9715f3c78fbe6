// A WebSocket client without a sub-protocol against a server's raw relay, at the address in the environment variable STOMP_URL.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import WebSocket from "ws";

async function open(protocols) {
  const socket = new WebSocket(process.env.STOMP_URL, protocols);
  await once(socket, "open");
  return socket;
}

test("text and binary messages come back to their sender unchanged", async () => {
  const [sender, other] = [await open(), await open()];
  other.on("message", () => assert.fail("It came to somebody else."));
  for (const [sent, isBinary] of [["é 漢 😀", false], [Buffer.from([0, 1, 254, 255]), true], ["", false]]) {
    const arrived = once(sender, "message");
    sender.send(sent);
    const [data, binary] = await arrived;
    assert.equal(binary, isBinary);
    assert.deepEqual(data, Buffer.from(sent));
  }
  for (const socket of [sender, other]) {
    socket.close(1000);
    assert.equal((await once(socket, "close"))[0], 1000);
  }
});

test("an unknown sub-protocol is refused with HTTP 400", async () => {
  const socket = new WebSocket(process.env.STOMP_URL, ["mqtt"]);
  const [request, response] = await once(socket, "unexpected-response");
  assert.equal(response.statusCode, 400);
  request.destroy();
});

test("the sub-protocol that was agreed on is named", async () => {
  const socket = await open(["v10.stomp", "v12.stomp"]);
  assert.equal(socket.protocol, "v12.stomp");
  socket.terminate();
});
