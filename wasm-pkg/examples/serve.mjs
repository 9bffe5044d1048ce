// Serves this package's folder locally, so that a browser can open the example:
//   node examples/serve.mjs [PORT]
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = await realpath(fileURLToPath(new URL("..", import.meta.url)));
const types = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/** The requested file, if it is inside the package after resolving symbolic links. */
async function named(address) {
  const { pathname } = new URL(address, "http://localhost");
  const path = await realpath(join(root, decodeURIComponent(pathname)));
  const inside = path.startsWith(root + sep);
  return inside && (await stat(path)).isFile() && types[extname(path)] ? path : null;
}

const server = createServer(async (request, response) => {
  if (request.url === "/") {
    response.writeHead(302, { Location: "/examples/index.html" }).end();
    return;
  }
  const path = await named(request.url ?? "/").catch(() => null);
  if (path === null) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "Content-Type": types[extname(path)], "X-Content-Type-Options": "nosniff" });
  createReadStream(path).pipe(response);
});
server.listen(Number(process.argv[2] ?? 4600), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
