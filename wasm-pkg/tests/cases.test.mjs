// Runs the case files of crates/rules with the built modules; crates/rules/tests/cases.rs runs the same files natively, and
// documents `$repeat` and similar placeholders.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import * as rules from "@slovo/rules";
import * as text from "@slovo/rules/text";

const folder = new URL("../../crates/rules/cases/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const cases = files.flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")).map((testCase) => ({ file, ...testCase })));

function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (value === null || typeof value !== "object") return value;
  if ("$repeat" in value) return value.$repeat[0].repeat(value.$repeat[1]);
  if ("$concat" in value) return value.$concat.map(expand).join("");
  if ("$bytes" in value) return bytes(value.$bytes);
  if ("$settings" in value) return { ...rules.defaultSettings(), ...expand(value.$settings) };
  if ("$number" in value) return Number(value.$number === "NaN" ? Number.NaN : value.$number);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expand(inner)]));
}

function bytes(parts) {
  const all = parts.flatMap((part) => {
    if (typeof part === "string") return [...Buffer.from(part)];
    return typeof part === "number" ? [part] : Array(part[1]).fill(part[0]);
  });
  return Uint8Array.from(all);
}

for (const file of files) {
  describe(file, () => {
    for (const testCase of cases.filter((other) => other.file === file)) {
      test(`${testCase.call}: ${testCase.name}`, () => {
        const given = (rules[testCase.call] ?? text[testCase.call])(...expand(testCase.args)) ?? null;
        assert.deepEqual(given instanceof Uint32Array ? [...given] : given, expand(testCase.expect));
      });
    }
  });
}

/** The functions that a built module declares. */
function declared(name) {
  const types = readFileSync(new URL(`../dist/${name}.d.ts`, import.meta.url), "utf8");
  return [...types.matchAll(/^export function (\w+)/gm)].map((match) => match[1]);
}

test("every function of the package has a case, and is in one module only", () => {
  const modules = [declared("slovo_rules"), declared("slovo_text")];
  const functions = modules.flat();
  const called = new Set(cases.map((testCase) => testCase.call));
  // `codes` is compared with the type below, because a case would duplicate the list of all codes.
  const uncalled = functions.filter((name) => !called.has(name) && name !== "codes");
  assert.ok(modules[0].length > 50 && modules[1].length > 10, `only ${modules.map((names) => names.length)} functions`);
  assert.equal(new Set(functions).size, functions.length);
  assert.deepEqual(uncalled, []);
});
