/** Serves the built page for tests that mock the API. */
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join, resolve } from "node:path";
import { test as base } from "@playwright/test";

const WEB = resolve(process.env.SLOVO_WEB ?? "dist");
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};

/** Files of the build that were served before: a page of the application loads a hundred, and every test loads it anew. */
const served = new Map<string, { type: string; bytes: Buffer }>();

/** Responds with a file of the build, or with the application's page for other paths. */
export function answerWithFile(path: string, response: ServerResponse): void {
  const { type, bytes } = served.get(path) ?? readFile(path);
  // Like the server: the names of these files contain a hash of their content.
  const cached = path.startsWith("/assets/") ? { "cache-control": "public, max-age=31536000, immutable" } : {};
  response.writeHead(200, { "content-type": type, "content-length": bytes.length, ...cached }).end(bytes);
}

function readFile(path: string) {
  const file = join(WEB, path);
  const isFile = file.startsWith(WEB) && existsSync(file) && statSync(file).isFile();
  const source = isFile ? file : join(WEB, "index.html");
  const answer = { type: TYPES[extname(source)] ?? "application/octet-stream", bytes: readFileSync(source) };
  if (isFile) served.set(path, answer);
  return answer;
}

/** Listens on a free local port; returns the URL. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/** Provides the origin of the page; each test mocks the API. */
export const test = base.extend<object, { origin: string }>({
  origin: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const server = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
        answerWithFile(pathname, response);
      });
      await use(await listen(server));
      await close(server);
    },
    { scope: "worker" },
  ],
});
