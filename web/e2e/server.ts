/** Runs the built server with an empty data folder, for one worker. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BINARY = resolve(process.env.SLOVO_BIN ?? "../target/debug/slovo");
const WEB = resolve(process.env.SLOVO_WEB ?? "dist");
/** The folder of the installed models. */
export const MODELS =
  process.env.SLOVO_MODELS ?? join(process.env.XDG_DATA_HOME ?? join(homedir(), ".local/share"), "slovo/models");
/** Generous timeout for the start. In ms. */
const START_MS = 60_000;
const KEPT_LINES = 60;
/** All tests sign up from one IP address; the rate limit itself is tested in the server. */
const SIGN_UPS = 1_000;

export class Server {
  readonly origin: string;
  readonly #port: number;
  /** The data folder, including mails. */
  readonly data = mkdtempSync(join(tmpdir(), "slovo-e2e-"));
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #log: string[] = [];

  private constructor(port: number, environment: NodeJS.ProcessEnv) {
    this.#port = port;
    this.#environment = environment;
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** With additional environment variables; on a free port by default. */
  static async start(environment: NodeJS.ProcessEnv = {}, port?: number): Promise<Server> {
    for (const path of [BINARY, WEB]) {
      if (!existsSync(path)) {
        throw new Error(`${path} is missing: build the server and the page first (cargo xtask up builds both)`);
      }
    }
    const server = new Server(port ?? (await freePort()), environment);
    await server.#run();
    return server;
  }

  /** Kills the server without a shutdown, like a power failure, and restarts it with the same data. */
  async crashAndRestart(): Promise<void> {
    await this.crash();
    await this.restart();
  }

  /** The last lines that it has written, without those about files of the page. */
  get log(): readonly string[] {
    return this.#log;
  }

  async crash(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** With the same data, on the same port. */
  async restart(): Promise<void> {
    await this.#run();
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    rmSync(this.data, { recursive: true, force: true });
  }

  async #run(): Promise<void> {
    const place = ["--port", String(this.#port), "--data", this.data, "--web", WEB];
    const child = spawn(BINARY, ["serve", ...place, "--signups-per-hour", String(SIGN_UPS)], {
      stdio: ["ignore", "pipe", "pipe"],
      // The edition for organisations has no limits; tests of plans create their own. New accounts are empty; the sample has
      // its own tests. Undefined removes a variable.
      env: { ...process.env, SLOVO_EDITION: "organisation", SLOVO_SAMPLE: "false", ...this.#environment },
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        const lines = text.split("\n").filter((line) => line !== "" && !line.includes("/assets/"));
        this.#log = [...this.#log, ...lines].slice(-KEPT_LINES);
      });
    }
    const deadline = Date.now() + START_MS;
    while (!(await this.#answers())) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the server did not start:\n${this.#log.join("\n")}`);
      }
      await new Promise((wake) => setTimeout(wake, 100));
    }
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.origin}/readyz`)).ok;
    } catch {
      return false;
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, "exit");
    }
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (typeof address !== "object" || address === null) {
    throw new Error("no free port");
  }
  return address.port;
}
