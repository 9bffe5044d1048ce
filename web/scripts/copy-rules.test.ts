import { expect, it } from "vitest";
import { breakpointsIn, copiesIn, copiesInText, numberOf, readKnown, readTextLimits } from "./copy-rules.mjs";

const known = readKnown({
  constants: [
    [
      "export const MAX_SPEAKER_NAME = 80;",
      "export const MIN_MINUTES = 0.01;",
      "export const USAGE_HISTORY_ROWS = 20;",
      'export const TRANSLATE_TO_ENGLISH = "to_eng";',
      'export const THEMES = ["system", "light", "dark"] as const;',
      'export const MAIL_FAILURES = [\n  "address",\n  "refused",\n] as const;',
    ].join("\n"),
  ],
  rust: [
    "pub const MAX_NAME: usize = 200;\nconst OWN_ROOM: usize = 7;\n#[cfg(test)]\nmod tests {}\npub const MAX_TESTED: usize = 5;\n",
    'wire_enum! {\n    /// Where it is from.\n    Source {\n        /// A file.\n        File => "file",\n        /// An address.\n        Url => "url",\n    }\n}\n',
  ],
  schemas: { Role: { enum: ["user", "admin"] }, User: {} },
});

it.each([
  ["const MAX_SPEAKER_NAME = 81;", "the name of a constant, whatever its value"],
  ["export const MAX_NAME = 200;", "name and value of a constant that is not exported to the web"],
  ["const LONGEST_SPEAKER = 80;", "a word of the name and the value"],
  ["const HISTORY_PAGE = 4 * 5;", "a computed value"],
  ['const TO_ENGLISH = "to_eng";', "a text"],
  ['const MODES: readonly Theme[] = ["dark", "light", "system"];', "a list in any order"],
  ['for (const one of [\n  "refused",\n  "address",\n]) {}', "a list in lines"],
  ['const KINDS = ["file", "url"] as const;', "the names of an enum"],
  ['const ROLES = ["user", "admin"] as const satisfies readonly Role[];', "an enum of the API"],
  ["const EVERY: Record<Role, true> = { user: true, admin: true };", "an enum as the keys of an object"],
  ["<input min={0.01} />", "a bound of a field"],
])("reports %s as a copy: %s", (source) => {
  expect(copiesIn(`\n${source}`, known)).toEqual([expect.stringMatching(/^2: /)]);
});

it.each([
  "const MAX_NAME = 80;",
  "const LETTERS_A_LINE = 80;",
  "const OWN_ROOM = 7;",
  "const MAX_TESTED = 5;",
  'const ENDS = ["from", "to"] as const;',
  'const ONE = ["file"] as const;',
  "const NAME = speakers.length;",
  "<input min={0} max={100} />",
])("does not report %s", (source) => {
  expect(copiesIn(source, known)).toEqual([]);
});

it("evaluates numbers, sums and products", () => {
  expect(numberOf("2 * 1024 * 1024 + 1")).toBe(2_097_153);
  expect(numberOf("1_000")).toBe(1000);
  expect(numberOf("1 << 4")).toBe(16);
  expect(numberOf("limits().max")).toBeUndefined();
});

it("reports the breakpoint of phones in pixels", () => {
  expect(breakpointsIn('\nuseMediaQuery("(width < 768px)")', 768)).toHaveLength(1);
  expect(breakpointsIn("@media (max-width: 767.98px) {", 768)).toHaveLength(1);
  expect(breakpointsIn("@media (min-width: 48rem) { width: 768px }", 768)).toEqual([]);
});

const limits = readTextLimits(
  'export const TEXT_LIMITS = {\n  jobs: 100,\n  last_word_format: "VTT",\n  least_span: 0.04,\n  word_formats: "JSON, CSV",\n} as const;\n',
);

it.each([
  ["у\u00a0JSON, CSV і\u00a0VTT", "{{limits.word_formats}}"],
  ["in JSON, CSV and VTT", "{{limits.word_formats}}"],
  ["на 0,04\u00a0с пізніше", "{{limits.least_span}}"],
  ["at least 0.04\u00a0s", "{{limits.least_span}}"],
])("reports a text that copies a list or a decimal of the rules: %s", (text, name) => {
  expect(copiesInText(text, limits)).toEqual([name]);
});

it.each(["SRT, JSON, CSV and VTT", "JSON, CSV", "0.041 s, 10.04", "100", "{{limits.least_span, number}} s"])(
  "does not report the text %s",
  (text) => {
    expect(copiesInText(text, limits)).toEqual([]);
  },
);
