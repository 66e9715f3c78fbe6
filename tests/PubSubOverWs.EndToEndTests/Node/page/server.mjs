// A server of this repository, which a test starts, kills and starts again on the same port. SERVER says how, as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const { program, folder, arguments: words, environment } = JSON.parse(process.env.SERVER);

export class Server {
  /** Such as http://127.0.0.1:40123. */
  address = "http://127.0.0.1:0";
  #process;

  static async start(settings) {
    const server = new Server();
    await server.restart(settings);
    return server;
  }

  /** Where STOMP clients connect. */
  get webSocket() {
    return `${this.address.replace(/^http/, "ws")}/ws`;
  }

  /**
   * Starts it, and waits until it is ready. It ends when its standard input closes, and so not after this process.
   * @param {string[]} settings Beside those of SERVER, until it is started again.
   */
  async restart(settings = []) {
    const started = spawn(program, [...words, ...settings, "--urls", this.address],
      { cwd: folder, env: { ...process.env, ...environment }, stdio: ["pipe", "pipe", "inherit"] });
    this.#process = started;
    for await (const line of createInterface({ input: started.stdout })) {
      if (line.startsWith("listening ")) {
        this.address = line.slice("listening ".length).replace(/\/$/, "");
        break;
      }
    }
    while ((await fetch(`${this.address}/health`)).status !== 200) {
      // The next answer says.
    }
  }

  /** At once, without a word to its clients. */
  async kill() {
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }

  /** Tells it to stop, and waits until it has. */
  async stop() {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.stdin.end();
      await once(this.#process, "exit");
    }
  }
}
