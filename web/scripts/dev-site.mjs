// In development the public pages come from the server as well, but with the sources in place of what was built of them, so
// that a change of a stylesheet or an island is seen at once. Whatever is no address of the application is the server's.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const PATHS = Object.values(JSON.parse(readFileSync(new URL("../src/app/paths.json", import.meta.url), "utf8")));
const APPLICATION = PATHS.map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}/?$`));
/** Addresses of Vite and its plugins, and files. */
const SERVED_HERE = /^\/(@|__|src\/|node_modules\/)|\.\w+$/;

/** What Vite puts into a page of its own, so that islands are replaced while they are written. */
const LIVE = `<script type="module" src="/@vite/client"></script><script type="module">
  import { injectIntoGlobalHook } from "/@react-refresh";
  injectIntoGlobalHook(window);
  window.$RefreshReg$ = () => {};
  window.$RefreshSig$ = () => (type) => type;
</script>`;

const BUILT = [
  [/\/assets\/site-[\w-]+\.js/g, "/src/site.ts"],
  [/\/assets\/site-[\w-]+\.css/g, "/src/styles/site.css"],
  // What the built script needs beside it.
  [/<link[^>]*modulepreload[^>]*>/g, ""],
  ["<head>", () => `<head>${LIVE}`],
];

/**
 * @param {string} target the server
 * @returns {import("vite").ProxyOptions}
 */
export const publicPages = (target) => ({
  target,
  changeOrigin: false,
  headers: { "accept-encoding": "identity" },
  selfHandleResponse: true,
  bypass: ({ url = "/" }) => {
    const path = url.split("?")[0];
    return SERVED_HERE.test(path) || APPLICATION.some((pattern) => pattern.test(path)) ? url : undefined;
  },
  configure: (proxy) => {
    proxy.on("proxyRes", async (answer, _request, response) => {
      // The server forbids inline scripts; what is put in here is one.
      const { "content-length": _length, "content-security-policy": _policy, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, headers);
      const page = await text(answer);
      response.end(BUILT.reduce((html, [built, source]) => html.replace(built, source), page));
    });
  },
});
