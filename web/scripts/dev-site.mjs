// In development, the public pages come from the server, too, but with source files instead of built ones, so that changes
// of styles and islands show at once. All URLs outside of the application are proxied to the server.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const PATHS = Object.values(JSON.parse(readFileSync(new URL("../src/app/paths.json", import.meta.url), "utf8")));
const APPLICATION = PATHS.map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}/?$`));
/** URLs of Vite and its plugins, and files. */
const SERVED_HERE = /^\/(@|__|src\/|node_modules\/)|\.\w+$/;

/** What Vite adds to its own pages for hot replacement of islands. */
const LIVE = `<script type="module" src="/@vite/client"></script><script type="module">
  import { injectIntoGlobalHook } from "/@react-refresh";
  injectIntoGlobalHook(window);
  window.$RefreshReg$ = () => {};
  window.$RefreshSig$ = () => (type) => type;
</script>`;

const BUILT = [
  [/\/assets\/site-[\w-]+\.js/g, "/src/site.ts"],
  [/\/assets\/site-[\w-]+\.css/g, "/src/styles/site.css"],
  // The built script needs these as well.
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
      // The server's policy forbids inline scripts, and one is added here.
      const { "content-length": _length, "content-security-policy": _policy, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, headers);
      const page = await text(answer);
      response.end(BUILT.reduce((html, [built, source]) => html.replace(built, source), page));
    });
  },
});
