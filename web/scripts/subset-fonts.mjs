// Generates src/fonts: the fonts of the public pages, reduced to the used characters and weights. A page in Ukrainian needs
// both scripts: 62 kB instead of 134. Run it after an update of the font packages, and commit the result.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const FACES = ["literata", "onest"];
/** The range of weights in tokens.css: --weight-text to --weight-strong. */
const WEIGHTS = { wght: { min: 400, max: 600 } };
const LETTERS = {
  latin: `${basicLatin()}\u00a0«»©·–—’‘“”„…№₴€×→≈`,
  cyrillic: bothCases("АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯЁЪЫЭ"),
};

function basicLatin() {
  return String.fromCodePoint(...Array.from({ length: 0x7f - 0x20 }, (_, place) => 0x20 + place));
}

function bothCases(letters) {
  return letters + letters.toLowerCase();
}

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
mkdirSync(at("src/fonts"), { recursive: true });
for (const face of FACES) {
  for (const [script, letters] of Object.entries(LETTERS)) {
    const fullFont = readFileSync(at(`node_modules/@fontsource-variable/${face}/files/${face}-${script}-wght-normal.woff2`));
    const subset = await subsetFont(fullFont, letters, { targetFormat: "woff2", variationAxes: WEIGHTS });
    writeFileSync(at(`src/fonts/${face}-${script}.woff2`), subset);
    console.log(`${face}-${script}.woff2: ${subset.length} of ${fullFont.length} bytes`);
  }
}
