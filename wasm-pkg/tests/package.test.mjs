// What users of the package rely on besides the rules: its types, its size, how it takes nonsense.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as rules from "@slovo/rules";

const types = readFileSync(new URL("../dist/slovo_rules.d.ts", import.meta.url), "utf8");

function union(name) {
  const [, body] = types.match(new RegExp(`export type ${name} = ([^;]+);`)) ?? assert.fail(`no type ${name}`);
  return [...body.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
}

test("no type is any", () => {
  const code = types.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
  assert.match(code, /export function validateSettings\(settings: TranscriptionSettings, source: Source\): Violations;/);
  assert.doesNotMatch(code, /\bany\b/);
});

test("enums are unions of their values", () => {
  assert.deepEqual(union("Code"), rules.codes());
  assert.deepEqual(union("Language"), rules.languages());
  assert.deepEqual(union("AudioType"), rules.audioTypes());
  assert.deepEqual(union("Feature"), rules.features());
  assert.deepEqual(union("TranscriptionType"), ["full", "lite"]);
});

test("every code has its text in both locales", () => {
  for (const locale of ["uk", "en"]) {
    const path = new URL(`../../web/src/locales/${locale}/rules.json`, import.meta.url);
    const texts = JSON.parse(readFileSync(path, "utf8")).violations;
    assert.deepEqual(Object.keys(texts).sort(), rules.codes().sort(), locale);
  }
});

test("the module is at most 120 kB gzipped", () => {
  const bytes = readFileSync(new URL("../dist/slovo_rules_bg.wasm", import.meta.url));
  assert.ok(gzipSync(bytes, { level: 9 }).length <= 120_000);
});

test("what the types forbid throws, and the module goes on working", () => {
  assert.throws(() => rules.canCancel("resting"), /unknown name/);
  assert.throws(() => rules.canCancel(undefined), /unknown name/);
  assert.throws(() => rules.validateSignup(null));
  assert.throws(() => rules.validatePlan({ name: 5 }));
  assert.deepEqual(rules.validateSettings(rules.defaultSettings(), "file"), []);
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

test("lone surrogates and odd Unicode pass as text", () => {
  assert.deepEqual(rules.vocabularyTerms("a\ud800b,\u0000,👩‍👩‍👧"), ["a\ufffdb", "\u0000", "👩‍👩‍👧"]);
  assert.equal(rules.initials("\ud800", "\ud800"), "U");
});

test("numbers that are none are refused in forms", () => {
  for (const price of [Number.NaN, Number.NEGATIVE_INFINITY]) {
    const [violation] = rules.validatePlan({ ...rules.defaultPlan(), name: "Pro", price });
    assert.deepEqual(violation, { field: "price", code: "number_too_small", params: { min: 0 } });
  }
  const [violation] = rules.validateBalance({ operation: "add", minutes: Number.POSITIVE_INFINITY, reason: "x" });
  assert.equal(violation.code, "number_too_large");
});

test("ten thousand refused calls do not use up memory", () => {
  const before = process.memoryUsage().arrayBuffers;
  const long = "x".repeat(6000);
  for (let call = 0; call < 10_000; call += 1) {
    rules.validateSettings({ ...rules.defaultSettings(), custom_prompt: long, srt: 5 }, "file");
  }
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024);
});

test("the README's examples run and print what they say", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
  assert.ok(examples.length >= 3);
  for (const example of examples) {
    const expected = [...example.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", example], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
    });
    assert.deepEqual(printed.trim().split("\n"), expected, example);
  }
});

test("the pages of its interface can be made, without a warning", () => {
  const typedoc = new URL("../node_modules/typedoc/bin/typedoc", import.meta.url);
  const options = ["--emit", "none", "--treatWarningsAsErrors", "--logLevel", "Warn"];
  execFileSync(process.execPath, [fileURLToPath(typedoc), ...options], {
    cwd: new URL("..", import.meta.url),
    encoding: "utf8",
  });
});

test("the example's server gives this package's files and nothing else", async () => {
  const server = spawn(process.execPath, ["examples/serve.mjs", "0"], { cwd: new URL("..", import.meta.url) });
  try {
    const [line] = await once(server.stdout, "data");
    const { port } = new URL(String(line).trim());
    const status = (path) =>
      new Promise((resolve, reject) => {
        // As it stands: fetch would resolve the dots before it asks.
        get({ host: "127.0.0.1", port, path }, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
      });
    assert.equal(await status("/examples/index.html"), 200);
    assert.equal(await status("/dist/slovo_rules_bg.wasm"), 200);
    const refused = ["/../web/package.json", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml", "/%00", "/%", "/package.json", "/dist"];
    for (const path of refused) {
      assert.equal(await status(path), 404, path);
    }
  } finally {
    server.kill();
  }
});
