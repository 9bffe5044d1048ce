/** A third-party service called by the server: it records requests, and answers as a test configures it. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Call {
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; test?: boolean; data: Record<string, unknown> };
}

/** Status and optional body. */
type Reply = [status: number, body?: object];

export class Receiver {
  readonly calls: Call[] = [];
  answer: (call: Call) => Reply = () => [204];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      request.on("end", () => {
        const call = { headers: request.headers, text, body: JSON.parse(text) };
        this.calls.push(call);
        const [status, body] = this.answer(call);
        response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/slovo`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Whether a request is signed with the secret according to Standard Webhooks. */
export function isSigned({ headers, text }: Call, secret: string): boolean {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
  const right = createHmac("sha256", key).update(signed).digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${right}`);
}
