// Fails if the web contains a copy of a value of the rules or the API document: a number, a text, a list, the breakpoint of
// phones. Prints every finding. Computed values come from the rules (src/rules); constants are in src/rules/constants.ts,
// which `cargo xtask gen` generates.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { breakpointsIn, copiesIn, copiesInText, readKnown, readTextLimits } from "./copy-rules.mjs";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const RULES = join(WEB, "../crates/rules/src");
const SOURCE = process.argv[2] ?? join(WEB, "src");
const GENERATED = ["constants.ts", "appearance.ts"].map((name) => join(WEB, "src/rules", name));
/** Tailwind's `md` in pixels; the style sheets contain the same breakpoint in rem. */
const MD = 48 * 16;

const filesOf = (folder, ending) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
const text = (path) => readFileSync(path, "utf8");

const known = readKnown({
  constants: GENERATED.map(text),
  rust: filesOf(RULES, /^(?!.*tests?\.rs$).*\.rs$/).map(text),
  schemas: JSON.parse(text(join(WEB, "openapi.json"))).components.schemas,
});
const pixels = known.numbers.find(({ name }) => name === "MOBILE_BREAKPOINT_PX")?.value;
const findings = pixels === MD ? [] : [`the style sheets have ${MD} px as the breakpoint of phones, the rules ${pixels} px`];

for (const path of filesOf(SOURCE, /\.(tsx?|css)$/)) {
  if (/\.test\.tsx?$|\/test-[\w-]+\.tsx?$|schema\.d\.ts$/.test(path) || /\/rules\/(constants|appearance)\.ts$/.test(path))
    continue;
  const source = text(path);
  const copies = [...(path.endsWith(".css") ? [] : copiesIn(source, known)), ...breakpointsIn(source, MD)];
  findings.push(...copies.map((finding) => `${relative(SOURCE, path)}:${finding}`));
}

const limits = readTextLimits(text(GENERATED[0]));
for (const path of filesOf(join(WEB, "src/locales"), /\.json$/)) {
  for (const [at, line] of text(path).split("\n").entries()) {
    const copied = copiesInText(line, limits);
    findings.push(...copied.map((name) => `${relative(WEB, path)}:${at + 1}: write ${name} instead: ${line.trim()}`));
  }
}

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);
console.log("The web holds nothing by hand that the rules say.");
