// Loads the built module in a browser without a bundler. The bindings and the module are the very
// files that bundlers and Node get.
import * as bindings from "./dist/slovo_rules_bg.js";

const imports = { "./slovo_rules_bg.js": bindings };
const response = await fetch(new URL("./dist/slovo_rules_bg.wasm", import.meta.url));
if (!response.ok) {
  throw new Error(`the rules could not be loaded: ${response.status}`);
}
// Compiling while it arrives asks for the right content type, which not every server gives.
const streams = response.headers.get("content-type")?.startsWith("application/wasm") ?? false;
const { instance } = streams
  ? await WebAssembly.instantiateStreaming(response, imports)
  : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
bindings.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

export * from "./dist/slovo_rules_bg.js";
