/** A proxy before a real OpenAI-compatible endpoint: forwards or refuses requests, and records them. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request of the server, without its texts. */
interface RelayedRequest {
  stream: boolean;
  /** The name of the JSON schema; null for plain text. */
  shape: string | null;
  /** Number of chunks of the response. */
  pieces: number;
}

export class LlmRelay {
  readonly #server: Server;
  readonly #target: URL;
  /** Responds with 401, as for an invalid key. */
  refuses = false;
  readonly passed: RelayedRequest[] = [];

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

  /** The URL as shown on the page. */
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
    const requested = JSON.parse(body.toString()) as { stream: boolean; response_format?: { json_schema?: { name: string } } };
    const passed: RelayedRequest = {
      stream: requested.stream,
      shape: requested.response_format?.json_schema?.name ?? null,
      pieces: 0,
    };
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
    // If the client disconnects, the model stops.
    outgoing.on("close", () => onward.destroy());
    onward.end(body);
  }
}
