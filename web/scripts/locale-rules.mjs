// The rules of check-locales.mjs, without files: texts and sources in, findings out.
import { glossary } from "./glossary.mjs";

/**
 * Texts that are looked up by a code from elsewhere (rules, API, language lists) and never written out in our code; those
 * of mails are used by the server, whose tests prove it.
 */
const KEYS_BY_CODE = [
  /^rules:/,
  /^languages:/,
  /^mail:/,
  /^problems:(codes|job|damage|warnings|reasons)\./,
  /^admin-audit:(actions|fields|values)\./,
  /^admin-overview:causes\./,
  // The server names the recording of a new account by them.
  /^sample:recording\./,
  // Put into the page by scripts/noscript.mjs.
  /^common:noscript$/,
  // The server writes these pages: it reads the files into types that know every key, so a text too many does not compile.
  /^(site|home|about|features|pricing|contact|legal|docs|status|changelog):/,
];

/** i18next's plural suffixes. */
const PLURAL = /_(zero|one|two|few|many|other)$/;
const FORMS = {
  uk: [...new Intl.PluralRules("uk").resolvedOptions().pluralCategories],
  en: [...new Intl.PluralRules("en").resolvedOptions().pluralCategories],
};

/**
 * @param {{uk: object, en: object, sources: string[]}} input namespaces of each language, and the code
 * @returns {string[]} findings, one a line
 */
export function checkLocales({ uk, en, sources }) {
  const flat = { uk: flatten(uk), en: flatten(en) };
  return [
    ...missing("uk", flat.uk, flat.en),
    ...missing("en", flat.en, flat.uk),
    ...plurals("uk", flat.uk),
    ...plurals("en", flat.en),
    ...parameters(flat),
    ...unused(flat.uk, sources),
    ...typography(flat.uk),
    ...glossary("uk", flat.uk),
    ...glossary("en", flat.en),
  ];
}

/** `{"shell:nav.upload": "…"}`; entries of a list count as keys of their own. */
export function flatten(namespaces) {
  const flat = new Map();
  const walk = (value, key) => {
    if (typeof value === "string") flat.set(key, value);
    else for (const [name, inner] of Object.entries(value)) walk(inner, key.endsWith(":") ? key + name : `${key}.${name}`);
  };
  for (const [namespace, texts] of Object.entries(namespaces)) walk(texts, `${namespace}:`);
  return flat;
}

const baseOf = (key) => key.replace(PLURAL, "");
const isPlural = (flat, key) => PLURAL.test(key) && flat.has(`${baseOf(key)}_other`);
/** The lines of a poem need not be as many in both languages. */
const comparable = (key) => key.replace(/\.lines\.\d+$/, ".lines");
const names = (flat) => new Set([...flat.keys()].map((key) => comparable(isPlural(flat, key) ? baseOf(key) : key)));

function missing(locale, flat, other) {
  const have = names(flat);
  return [...names(other)].filter((key) => !have.has(key)).map((key) => `${locale}: no text for ${key}`);
}

function plurals(locale, flat) {
  const bases = new Set([...flat.keys()].filter((key) => isPlural(flat, key)).map(baseOf));
  return [...bases].flatMap((base) =>
    FORMS[locale].filter((form) => !flat.has(`${base}_${form}`)).map((form) => `${locale}: no plural form ${form} of ${base}`),
  );
}

const parametersOf = (text) => [...new Set([...text.matchAll(/{{\s*([\w.]+)/g)].map((match) => match[1]))].sort().join(", ");

/** Ukrainian's form for one is that of 21 as well and may need a number that English's has no need of. */
function parameters(flat) {
  return [...flat.uk].flatMap(([key, text]) => {
    const either = [flat.en.get(key), flat.en.get(`${baseOf(key)}_other`)].filter((text) => text !== undefined);
    const [english] = either;
    if (english === undefined || either.some((one) => parametersOf(text) === parametersOf(one))) return [];
    return [`${key}: parameters differ: uk has (${parametersOf(text)}), en has (${parametersOf(english)})`];
  });
}

/**
 * A key counts as used where its last part, or the piece before an inserted one, stands in the code as a string. That is
 * coarse on purpose: the types prove that used keys exist, this only has to find texts that nobody could be using.
 */
function unused(flat, sources) {
  const code = sources.join("\n");
  const literals = new Set([...code.matchAll(/["'`](?:[a-z]+:)?([\w.-]+)["'`]/gi)].map((match) => match[1]));
  const patterns = [...new Set([...code.matchAll(/`(?:[a-z]+:)?([\w.-]*\$\{[^`]*)`/gi)].map((match) => match[1]))].map(
    (template) =>
      new RegExp(
        `^${template
          .split(/\$\{[^}]*\}/)
          .map(literally)
          .join("[\\w-]+")}$`,
      ),
  );
  const keys = [...names(flat)].filter((key) => !KEYS_BY_CODE.some((pattern) => pattern.test(key)));
  return keys
    .filter((key) => !isUsed(key.slice(key.indexOf(":") + 1), literals, patterns))
    .map((key) => `uk: nobody uses ${key}`);
}

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const isUsed = (key, literals, patterns) => literals.has(key) || patterns.some((pattern) => pattern.test(key));

/** Texts of the specification outside the rules. */
const QUOTED = new Set(["admin:loading", "shell:admin.checking"]);
/** Words of one letter go with the next one; a unit goes with its number. */
const NARROW = /(?:^|[\s(«])(?:[ВвУуЗзІіЙйОоАаЯя])[ ](?=\S)/u;
const UNIT = /\d (?:с|хв|год|КБ|МБ|ГБ|Гц|%)(?!\p{L})/u;

function typography(flat) {
  return [...flat].flatMap(([key, text]) => {
    // These quote the specification to the letter.
    if (key.startsWith("rules:") || QUOTED.has(key)) return [];
    const faults = [
      [/\p{L}'\p{L}/u, "the apostrophe is ’"],
      [/["“”„]/u, "quotation marks are « »"],
      [/\.\.\./u, "the ellipsis is …"],
      [/ [—–] /u, "a dash keeps a no-break space before it"],
      [NARROW, "a word of one letter needs a no-break space after it"],
      [UNIT, "a number and its unit need a no-break space between them"],
    ];
    return faults.filter(([pattern]) => pattern.test(text)).map(([, advice]) => `uk: ${key}: ${advice}: ${text}`);
  });
}
