// Checks the scripts that a public page loads before any interaction: at most 15 kB gzipped. Runs after the build.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMIT = 15_000;
const DIST = new URL("../dist/", import.meta.url);
const read = (path) => readFileSync(fileURLToPath(new URL(path, DIST)));

const manifest = JSON.parse(read(".vite/manifest.json").toString());

/** The files of an entry: its own and all direct and indirect imports. */
function filesOf(name, known = new Set()) {
  const { file, imports = [] } = manifest[name];
  if (!known.has(file)) {
    known.add(file);
    for (const imported of imports) filesOf(imported, known);
  }
  return known;
}

for (const entry of ["src/site.ts", "src/styles/site.css"]) {
  if (!manifest[entry]?.isEntry) throw new Error(`${entry} is not in the build's manifest: the server would not find it`);
}
const sizes = ["first-paint.js", ...filesOf("src/site.ts")].map((file) => [file, gzipSync(read(file), { level: 9 }).length]);
const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
if (all > LIMIT) {
  for (const [file, bytes] of sizes) console.error(`${bytes}\t${file}`);
  console.error(`A public page loads ${all} bytes of script before it is used; ${LIMIT} are allowed.`);
  process.exit(1);
}
console.log(`A public page loads ${all} bytes of script, gzipped, in ${sizes.length} files before it is used.`);
