// Checks the package itself: its types, its size, and its handling of invalid input.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as rules from "@slovo/rules";
import * as text from "@slovo/rules/text";

const types = readFileSync(new URL("../dist/slovo_rules.d.ts", import.meta.url), "utf8");
const typesOfText = readFileSync(new URL("../dist/slovo_text.d.ts", import.meta.url), "utf8");

function union(name) {
  const [, body] = types.match(new RegExp(`export type ${name} = ([^;]+);`)) ?? assert.fail(`no type ${name}`);
  return [...body.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
}

/** The declarations without comments. */
function bare(declarations) {
  return declarations.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
}

test("no type is any", () => {
  const [rulesOnly, textOnly] = [bare(types), bare(typesOfText)];
  assert.match(rulesOnly, /export function validateSettings\(settings: TranscriptionSettings, source: Source\): Violations;/);
  assert.match(textOnly, /export function retime\(segment: EditedSegment, text: string\): Word\[\];/);
  assert.doesNotMatch(rulesOnly + textOnly, /\bany\b/);
});

test("types that both modules declare are the same", () => {
  const declared = (code) => new Map([...bare(code).matchAll(/^export (?:type|interface) (\w+)[^]*?(?=^export |^\s*$)/gm)].map(([declaration, name]) => [name, declaration.trim()]));
  const [declaredByRules, declaredByText] = [declared(types), declared(typesOfText)];
  const shared = [...declaredByText.keys()].filter((name) => declaredByRules.has(name));
  assert.ok(shared.includes("EditedSegment") && shared.includes("Violation"));
  for (const name of shared) {
    assert.equal(declaredByText.get(name), declaredByRules.get(name));
  }
});

test("enums are unions of their values", () => {
  assert.deepEqual(union("Code"), rules.codes());
  assert.deepEqual(union("Language"), rules.offeredLanguages("full"));
  assert.deepEqual(union("AudioType"), rules.audioTypes());
  assert.deepEqual(union("TranscriptionType"), ["full", "lite"]);
});

test("every code has its text in both locales", () => {
  for (const locale of ["uk", "en"]) {
    const path = new URL(`../../web/src/locales/${locale}/rules.json`, import.meta.url);
    const texts = JSON.parse(readFileSync(path, "utf8")).violations;
    assert.deepEqual(Object.keys(texts).sort(), rules.codes().sort(), locale);
  }
});

const [builtAs] = readFileSync(new URL("../dist/.slovo-inputs", import.meta.url), "utf8").split(" ");
/** Test builds are larger than release builds. */
const skip = builtAs !== "wasm" && "only what is shipped is measured: cargo xtask test package";
for (const [name, most] of [["slovo_rules", 126_000], ["slovo_text", 136_000]]) {
  test(`${name} is at most ${most / 1000} kB gzipped`, { skip }, () => {
    const bytes = readFileSync(new URL(`../dist/${name}_bg.wasm`, import.meta.url));
    assert.ok(gzipSync(bytes, { level: 9 }).length <= most);
  });
}

test("arguments of wrong types throw, and the module still works afterwards", () => {
  assert.throws(() => rules.canCancel("resting"), /unknown name/);
  assert.throws(() => rules.canCancel(undefined), /unknown name/);
  assert.throws(() => rules.validateSignup(null));
  assert.throws(() => rules.validatePlan({ name: 5 }));
  assert.deepEqual(rules.validateSettings(rules.defaultSettings(), "file"), []);
});

test("settings have the defaults of the server", () => {
  const document = JSON.parse(readFileSync(new URL("../../web/openapi.json", import.meta.url), "utf8"));
  const fields = Object.entries(document.components.schemas.TranscriptionSettings.properties);
  assert.deepEqual(rules.defaultSettings(), Object.fromEntries(fields.map(([name, field]) => [name, field.default])));
});

test("hostile values of every kind are violations, never crashes", () => {
  const cyclic = {};
  cyclic.url = [cyclic].map(() => 5);
  for (const value of [undefined, null, 0, Number.NaN, "", [], Symbol("x"), () => {}, 10n, new Date(0), cyclic]) {
    const settings = { ...rules.defaultSettings(), custom_prompt: value };
    const codes = rules.validateSettings(settings, "file").map((violation) => violation.code);
    assert.equal(codes.length > 0, value !== "", String(value));
  }
});

test("lone surrogates and unusual Unicode are accepted as text", () => {
  assert.deepEqual(rules.vocabularyTerms("a\ud800b,\u0000,👩‍👩‍👧"), ["a\ufffdb", "\u0000", "👩‍👩‍👧"]);
});

test("invalid numbers are refused in forms", () => {
  for (const price of [Number.NaN, Number.NEGATIVE_INFINITY]) {
    const [violation] = rules.validatePlan({ ...rules.defaultPlan(), name: "Pro", price });
    assert.deepEqual(violation, { field: "price", code: "number_too_small", params: { min: 0 } });
  }
  const [violation] = rules.validateBalance({ operation: "add", minutes: Number.POSITIVE_INFINITY, reason: "x" });
  assert.equal(violation.code, "number_too_large");
});

const spoken = {
  id: "0",
  revision: 0,
  place: { base: 0, part: 0 },
  start: 0,
  end: 1,
  speaker: null,
  text: "а",
  words: [{ start: 0, end: 1, text: "а", confidence: 1 }],
};

test("invalid edits throw, and hostile texts are split into words", () => {
  const edit = { edit_id: "x", op: { kind: "set_text", segment: { id: "0", revision: 0 }, text: "" } };
  assert.equal(text.validateEdits([edit]).length, 2);
  for (const op of [undefined, null, 5, {}, { kind: "forget" }, { kind: "split", segment: "0" }, { ...edit.op, text: 5 }]) {
    assert.throws(() => text.validateEdits([{ ...edit, op }]), undefined, JSON.stringify(op));
  }
  assert.throws(() => text.retime({ ...spoken, words: [5] }, "а"));
  assert.deepEqual(text.validateEdits([]).map((broken) => broken.code), ["list_empty"]);
  for (const typed of ["\ud800", "\u0301\u0000", "\u202eא", "а".repeat(1_000_000), "а ".repeat(20_000)]) {
    const words = text.retime(spoken, typed);
    assert.ok(words.every((word) => word.start >= 0 && word.start <= word.end && word.end <= 1));
  }
  assert.deepEqual([...text.findInTexts(["\ud800 так"], "так")], [0, 2, 5]);
});

test("ten thousand refused calls do not leak memory", () => {
  const before = process.memoryUsage().arrayBuffers;
  const long = "x".repeat(6000);
  for (let call = 0; call < 10_000; call += 1) {
    rules.validateSettings({ ...rules.defaultSettings(), custom_prompt: long, srt: 5 }, "file");
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024);
});

test("the READMEs' examples run and print the documented output", () => {
  const examples = ["../README.md", "../../crates/rules-wasm/README.md"].flatMap((file) => {
    const readme = readFileSync(new URL(file, import.meta.url), "utf8");
    const codeBlocks = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
    assert.ok(codeBlocks.length > 0, file);
    return codeBlocks;
  });
  for (const example of examples) {
    const expected = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", example], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
    });
    assert.deepEqual(printed.trim().split("\n"), expected, example);
  }
});

test("only the package and its licences are published", () => {
  const cwd = new URL("..", import.meta.url);
  const printed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"], { cwd, encoding: "utf8" });
  const [{ files }] = JSON.parse(printed);
  const built = ["rules", "text"].flatMap((name) => [".d.ts", ".js", "_bg.js", "_bg.wasm", "_own.js"].map((end) => `dist/slovo_${name}${end}`));
  const examples = ["check.mjs", "index.html", "serve.mjs", "style.css"].map((file) => `examples/${file}`);
  const loaders = ["browser.mjs", "node.mjs", "text-browser.mjs", "text-node.mjs", "load/browser.mjs", "load/node.mjs"];
  const expected = [...built, ...examples, ...loaders, "LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json"];
  assert.deepEqual(files.map((file) => file.path).sort(), expected.sort());
  for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    const text = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
    assert.equal(text(`../${licence}`), text(`../../${licence}`), licence);
  }
});

test("the published package has a licence, and all its paths exist in it", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.equal(manifest.private, undefined);
  assert.equal(manifest.license, "MIT OR Apache-2.0");
  assert.equal(manifest.dependencies, undefined);
  for (const path of [...Object.values(manifest.exports).flatMap((entry) => Object.values(entry)), ...manifest.sideEffects]) {
    assert.ok(existsSync(new URL(`../${path}`, import.meta.url)), path);
  }
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  assert.match(readme, /^npm install @slovo\/rules$/m);
  assert.ok(readme.includes(`slovo-rules-${manifest.version}.tgz`), "the README names another version");
});

test("exactly the declared functions are exported", () => {
  for (const [module, declarations] of [[rules, types], [text, typesOfText]]) {
    const declared = [...declarations.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(Object.keys(module).sort(), declared.sort());
  }
});

test("the API documentation can be generated without warnings", () => {
  const typedoc = new URL("../node_modules/typedoc/bin/typedoc", import.meta.url);
  const options = ["--emit", "none", "--treatWarningsAsErrors", "--logLevel", "Warn"];
  execFileSync(process.execPath, [fileURLToPath(typedoc), ...options], {
    cwd: new URL("..", import.meta.url),
    encoding: "utf8",
  });
});

test("the example's server serves files of this package only", async () => {
  const server = spawn(process.execPath, ["examples/serve.mjs", "0"], { cwd: new URL("..", import.meta.url) });
  try {
    const [line] = await once(server.stdout, "data");
    const { port } = new URL(String(line).trim());
    const status = (path) =>
      new Promise((resolve, reject) => {
        // Sent unchanged, because fetch would resolve the dots.
        get({ host: "127.0.0.1", port, path }, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
      });
    assert.equal(await status("/examples/index.html"), 200);
    for (const path of ["/load/browser.mjs", "/dist/slovo_rules_bg.wasm", "/dist/slovo_text_bg.wasm"]) {
      assert.equal(await status(path), 200, path);
    }
    const refused = ["/../web/package.json", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml", "/%00", "/%", "/package.json", "/dist"];
    for (const path of refused) {
      assert.equal(await status(path), 404, path);
    }
  } finally {
    server.kill();
  }
});
