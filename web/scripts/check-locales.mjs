// Checks the locale files: equal keys in both languages (with the plural forms of each), equal parameters in each text, no
// unused keys, and Ukrainian typography. Prints every finding; exits with 1 if there are any.
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

/** The code that may use a key; tests are not included. */
function readSources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

const findings = checkLocales({ uk: readTexts("uk"), en: readTexts("en"), sources: readSources(join(WEB, "src")) });
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);
console.log("The locale files are complete, used, and typeset.");
