/** Stands between the server and a real OpenAI-compatible endpoint: passes everything on, or refuses, and counts. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server asked for, without its texts. */
interface Passed {
  stream: boolean;
  /** Name of the JSON schema; null for plain text. */
  shape: string | null;
  /** Bytes of the answer came in so many pieces. */
  pieces: number;
}

export class LlmRelay {
  readonly #server: Server;
  readonly #target: URL;
  /** Requests are answered with 401, as for a key that is not valid any more. */
  refuses = false;
  readonly passed: Passed[] = [];

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  static async start(target: string): Promise<LlmRelay> {
    const relay = new LlmRelay(target);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  /** As the page names it. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}${this.#target.pathname}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    if (this.refuses) {
      outgoing.writeHead(401).end();
      return;
    }
    const asked = JSON.parse(body.toString()) as { stream: boolean; response_format?: { json_schema?: { name: string } } };
    const passed: Passed = { stream: asked.stream, shape: asked.response_format?.json_schema?.name ?? null, pieces: 0 };
    this.passed.push(passed);
    const onward = request(
      {
        host: this.#target.hostname,
        port: this.#target.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("data", () => {
          passed.pieces += 1;
        });
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    // A client that disconnects stops the model.
    outgoing.on("close", () => onward.destroy());
    onward.end(body);
  }
}
