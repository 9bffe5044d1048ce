import * as bindings from "./dist/slovo_text_bg.js";
import { load } from "./load/node.mjs";

load("slovo_text", bindings);

export * from "./dist/slovo_text_own.js";
