// Finds copies of values of the rules or the API document in the web: numbers, texts and lists.

/** Words of names, in the singular, that do not say what is limited: fillers, bounds, units. */
const GENERAL = new Set(
  [
    "ALL AT BY DEFAULT IN KEY KIND LIST NAME NO NONE OF OR SAME SIZE STEP TO USUAL",
    "FEWEST FURTHEST LEAST LONGEST MAX MIN MOST SHORTEST",
    "BYTE COLUMN DAY HOUR LINE LETTER MB MINUTE MS PERCENT PX SECOND TICK",
  ].flatMap((words) => words.split(" ")),
);

/** The value of sums and products of plain numbers; undefined for anything else. */
export function numberOf(expression) {
  const text = expression.replace(/_(?=\d)/g, "").trim();
  const shifted = text.match(/^(\d+) << (\d+)$/);
  if (shifted) return Number(shifted[1]) * 2 ** Number(shifted[2]);
  if (!/^\d[\d.]*(\s*[*+]\s*\d[\d.]*)*$/.test(text)) return undefined;
  return text
    .split("+")
    .map((product) => product.split("*").reduce((value, factor) => value * Number(factor), 1))
    .reduce((sum, value) => sum + value, 0);
}

/** The words of a name that say what it limits, in the singular. */
const wordsOf = (name) =>
  name
    .split("_")
    .map((word) => (word.length > 3 ? word.replace(/S$/, "") : word))
    .filter((word) => word.length > 1 && !/^\d*$/.test(word) && !GENERAL.has(word));

const key = (items) => JSON.stringify([...new Set(items)].sort());

const strings = (text) => [...text.matchAll(/"([^"\n]*)"/g)].map((match) => match[1]);

/**
 * The values of the rules: `numbers` and `texts` by name, `lists` by content.
 * @param {{constants: readonly string[], rust: readonly string[], schemas: Record<string, {enum?: unknown[]}>}} sources the
 *   generated files, the sources of the rules, and the schemas of the API
 */
export function readKnown({ constants, rust, schemas }) {
  const numbers = [];
  const texts = [];
  const lists = new Map();
  const note = (name, items) => items.length > 1 && !lists.has(key(items)) && lists.set(key(items), name);
  for (const file of constants) {
    for (const [, name, value] of file.matchAll(/^export const (\w+) = ([\s\S]*?)(?: as const)?;$/gm)) {
      const number = numberOf(value);
      if (number !== undefined) numbers.push({ name, value: number, generated: true });
      else if (value.startsWith("[")) note(name, strings(value));
      else if (value.startsWith('"')) texts.push({ name, value: strings(value)[0] });
    }
  }
  for (const file of rust) {
    const [code] = file.split(/^#\[cfg\(test\)\]$/m);
    for (const [, name, value] of code.matchAll(/^pub const (\w+): [uif]\w+ =\s*([^;]+);/gm)) {
      const number = numberOf(value);
      if (number !== undefined) numbers.push({ name, value: number, generated: false });
    }
    for (const [, name, value] of code.matchAll(/^pub const (\w+): (?:&\[&str\]|\[&str; \d+\]) = &?\[([^\]]*)\];/gm)) {
      note(name, strings(value));
    }
    for (const [, name, body] of code.matchAll(/wire_enum! \{[\s\S]*?\n {4}(\w+) \{\n([\s\S]*?)\n {4}\}\n\}/g)) {
      note(
        name,
        [...body.matchAll(/=> "([^"]*)"/g)].map((match) => match[1]),
      );
    }
  }
  for (const [name, { enum: values }] of Object.entries(schemas)) {
    if (values?.every((value) => typeof value === "string")) note(name, values);
  }
  return { numbers, texts, lists };
}

function copiedNumber(name, value, { numbers }) {
  const ownWords = wordsOf(name);
  return numbers.find(
    (known) =>
      (known.name === name && (known.generated || known.value === value)) ||
      (known.value === value && wordsOf(known.name).some((word) => ownWords.includes(word))),
  );
}

/** All copies in one file of the application, as `line: description`. */
export function copiesIn(source, known) {
  const findings = [];
  const add = (index, text) => findings.push(`${source.slice(0, index).split("\n").length}: ${text}`);
  for (const { index, 1: name, 2: value } of source.matchAll(/\bconst ([A-Z][A-Z0-9_]*)(?:: [^=\n]+)? = ([^;\n]+);/g)) {
    const number = numberOf(value);
    const copied = number === undefined ? undefined : copiedNumber(name, number, known);
    if (copied) add(index, `${name} = ${value} is ${copied.name} of the rules`);
    const text = known.texts.find((candidate) => JSON.stringify(candidate.value) === value);
    if (text) add(index, `${name} = ${value} is ${text.name} of the rules`);
  }
  for (const { index, 0: literal } of source.matchAll(/\[\s*"[^"\n]*"(?:,\s*"[^"\n]*")+,?\s*\]/g)) {
    const name = known.lists.get(key(strings(literal)));
    if (name) add(index, `${literal.replace(/\s+/g, " ")} is ${name}`);
  }
  for (const { index, 0: literal } of source.matchAll(/\{\s*\w+: true(?:,\s*\w+: true)+,?\s*\}/g)) {
    const name = known.lists.get(key([...literal.matchAll(/(\w+): true/g)].map((match) => match[1])));
    if (name) add(index, `${literal.replace(/\s+/g, " ")} is ${name}`);
  }
  for (const { index, 0: limit } of source.matchAll(/\b(?:maxLength|max|min)=\{\d[\d_.]*\}/g)) {
    const value = numberOf(limit.slice(limit.indexOf("{") + 1, -1));
    // Small integers and percentages are too common to be recognised as copies.
    const telling = value % 1 !== 0 || (value >= 50 && value !== 100);
    const copied = telling && known.numbers.find((number) => number.generated && number.value === value);
    if (copied) add(index, `${limit} may be ${copied.name} of the rules`);
  }
  return findings;
}

/** Finds the breakpoint of phones as a width in pixels; style sheets use rem, like Tailwind's `md`. */
export function breakpointsIn(source, pixels) {
  const below = new RegExp(`\\(\\s*(?:(?:min|max)-)?width\\s*[:<>=]+\\s*(?:${pixels}|${pixels - 1}(?:\\.\\d+)?)px\\s*\\)`, "g");
  return [...source.matchAll(below)].map(
    ({ index, 0: query }) => `${source.slice(0, index).split("\n").length}: ${query} is MOBILE_BREAKPOINT_PX of the rules`,
  );
}

/** The lists and decimals of `TEXT_LIMITS` in the generated constants, formatted as in a text. */
export function readTextLimits(constants) {
  const [, body = ""] = constants.match(/^export const TEXT_LIMITS = \{([\s\S]*?)^\} as const;$/m) ?? [];
  const entries = [...body.matchAll(/^ {2}(\w+): ("[^"]*"|[\d.]+),$/gm)].map(([, name, value]) => [name, JSON.parse(value)]);
  const lasts = entries.filter(([name]) => name.startsWith("last_")).map(([, last]) => last);
  const lists = entries.filter(([name, value]) => typeof value === "string" && !name.startsWith("last_"));
  return [
    ...lists.map(([name, list]) => [
      name,
      new RegExp(`(?<!, )\\b${list} (?:and|or|і|й|та|або)[ \u00a0](?:${lasts.join("|")})\\b`),
    ]),
    ...entries
      .filter(([, value]) => typeof value === "number" && value % 1 !== 0)
      .map(([name, value]) => [name, new RegExp(`(?<![\\d.,])${String(value).replace(".", "[.,]")}(?![\\d])`)]),
  ];
}

/** The values copied in one text of the locale files. */
export const copiesInText = (text, limits) =>
  limits.filter(([, pattern]) => pattern.test(text)).map(([name]) => `{{limits.${name}}}`);
