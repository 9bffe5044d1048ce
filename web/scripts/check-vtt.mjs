/** Validates the WebVTT files of a folder with the W3C's parser: `node scripts/check-vtt.mjs FOLDER`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import webvtt from "webvtt-parser";

const folder = process.argv[2] ?? ".";
const files = readdirSync(folder).filter((name) => name.endsWith(".vtt"));
const wrong = files.flatMap((name) => {
  const { errors } = new webvtt.WebVTTParser().parse(readFileSync(join(folder, name), "utf8"), "captions");
  return errors.map(({ line, col, message }) => `${name}:${line}:${col ?? ""} ${message}`);
});
for (const line of wrong.slice(0, 20)) console.error(line);
console.log(`${files.length} files, ${wrong.length} errors`);
process.exitCode = wrong.length > 0 || files.length === 0 ? 1 : 0;
