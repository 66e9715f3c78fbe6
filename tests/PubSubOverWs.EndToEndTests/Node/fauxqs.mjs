// fauxqs, an SQS-compatible server, on a loopback port of its own choosing. It ends when its standard input closes.
import { buildApp } from "fauxqs";

const app = buildApp({ logger: false });
console.log(`listening ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
process.stdin.on("end", () => process.exit()).resume();
