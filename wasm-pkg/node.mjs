// Loads the built module in Node, which cannot import .wasm files by itself yet. The bindings
// and the module are the very files that browsers get.
import { readFileSync } from "node:fs";
import * as bindings from "./dist/slovo_rules_bg.js";

const bytes = readFileSync(new URL("./dist/slovo_rules_bg.wasm", import.meta.url));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
  "./slovo_rules_bg.js": bindings,
});
bindings.__wbg_set_wasm(exports);
exports.__wbindgen_start();

export * from "./dist/slovo_rules_bg.js";
