// The WebAssembly module and the native crate return the same results for random input, including all violations and
// parameters. `SLOVO_AGREEMENT_SEED` repeats a run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import * as rules from "@slovo/rules";
import { generator, headOf, importOf, presetOf, settingsOf, signupOf, uploadOf } from "./random.mjs";

const EACH = 20_000;
const SEED = Number(process.env.SLOVO_AGREEMENT_SEED ?? 1);
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Generates the arguments of each call. Bytes are sent as lists of numbers. */
const CALLS = {
  settings: (random) => ["validateSettings", [settingsOf(random), random() < 0.5 ? "file" : "url"]],
  options: (random) => ["validateOptions", [settingsOf(random)]],
  uploads: (random) => ["validateFile", uploadOf(random)],
  contents: (random) => ["checkContent", [headOf(random)]],
  signups: (random) => ["validateSignup", [signupOf(random)]],
  presets: (random) => ["validatePreset", [presetOf(random)]],
  imports: (random) => ["parsePresetImport", [importOf(random)]],
};

/** The native program: the path in `SLOVO_ANSWERS`, or built by Cargo. */
function answers(lines) {
  const cargo = ["cargo", "run", "--quiet", "--locked", "--package", "slovo-rules", "--example", "answers"];
  const [program, ...args] = process.env.SLOVO_ANSWERS ? [process.env.SLOVO_ANSWERS] : cargo;
  const run = spawnSync(program, args, {
    cwd: root,
    input: lines,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  assert.equal(run.status, 0, run.stderr || String(run.error));
  return run.stdout.split("\n").slice(0, -1);
}

let server;
const requests = Object.entries(CALLS).map(([kind, call], at) => {
  const random = generator(SEED * 1000 + at);
  return { kind, cases: Array.from({ length: EACH }, () => call(random)) };
});

before(() => {
  const lines = requests.flatMap(({ cases }) => cases.map(([call, args]) => `${JSON.stringify({ call, args })}\n`));
  server = answers(lines.join(""));
});

requests.forEach(({ kind, cases }, place) => {
  test(`${EACH} random ${kind} have the same result in both`, () => {
    let refused = 0;
    cases.forEach(([call, args], at) => {
      const taken = call === "checkContent" ? [Uint8Array.from(args[0])] : args;
      const local = JSON.parse(JSON.stringify(rules[call](...taken) ?? null));
      const remote = JSON.parse(server[place * EACH + at]);
      if (!isDeepStrictEqual(local, remote)) {
        assert.deepEqual(local, remote, `${call}(${JSON.stringify(args).slice(0, 2000)})`);
      }
      refused += JSON.stringify(local) === "[]" || local?.violations?.length === 0 ? 0 : 1;
    });
    // Both valid and invalid input must have occurred.
    assert.ok(refused > EACH / 100 && refused < EACH - EACH / 200, `${refused} of ${EACH} refused`);
  });
});
