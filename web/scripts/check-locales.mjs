// Checks the locale files: both languages have the same keys (plural forms as each needs them), the same parameters in
// each text, no key that the code never uses, and Ukrainian typography. Prints every finding; exits 1 if there is one.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkLocales } from "./locale-rules.mjs";

const WEB = fileURLToPath(new URL("..", import.meta.url));
const LOCALES = join(WEB, "src/locales");

/** `{namespace: texts}` of one language. */
function readTexts(locale) {
  const files = readdirSync(join(LOCALES, locale)).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(LOCALES, locale, name), "utf8"))]),
  );
}

/** The code that may use a key; tests do not count as use. */
function readSources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

const findings = checkLocales({ uk: readTexts("uk"), en: readTexts("en"), sources: readSources(join(WEB, "src")) });
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);
console.log("The locale files are complete, used, and typeset.");
