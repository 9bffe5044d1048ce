import * as bindings from "./dist/slovo_rules_bg.js";
import { load } from "./load/node.mjs";

load("slovo_rules", bindings);

export * from "./dist/slovo_rules_own.js";
