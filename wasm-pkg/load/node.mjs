// Loads a built module in Node, which cannot import .wasm files by itself yet. The bindings and the
// module are the very files that browsers get.
import { readFileSync } from "node:fs";

/** Gives the bindings of `dist/<name>_bg.js` their module. */
export function load(name, bindings) {
  const bytes = readFileSync(new URL(`../dist/${name}_bg.wasm`, import.meta.url));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { [`./${name}_bg.js`]: bindings });
  bindings.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
}
