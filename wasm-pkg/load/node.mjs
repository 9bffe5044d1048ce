// Loads a built module in Node, which cannot import .wasm files yet, from the same files as browsers.
import { readFileSync } from "node:fs";

/** Instantiates the module for the bindings in `dist/<name>_bg.js`. */
export function load(name, bindings) {
  const bytes = readFileSync(new URL(`../dist/${name}_bg.wasm`, import.meta.url));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { [`./${name}_bg.js`]: bindings });
  bindings.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
}
