// The checks of check-locales.mjs, without file access: takes texts and sources, returns findings.
import { glossary } from "./glossary.mjs";

/**
 * Keys that are composed from codes (of the rules, the API, language lists) and so do not occur in the code; texts of mails
 * are used by the server, and checked by its tests.
 */
const KEYS_BY_CODE = [
  /^rules:/,
  /^languages:/,
  /^mail:/,
  /^problems:(codes|job|damage|warnings|reasons)\./,
  /^admin-audit:(actions|fields|values)\./,
  /^admin-overview:causes\./,
  /^webhooks:events\./,
  // The server uses them for the sample recording of a new account.
  /^sample:recording\./,
  // Inserted into the page by scripts/noscript.mjs.
  /^common:noscript$/,
  // Used by the server's pages: it parses these files into types with all keys, so an unused text does not compile.
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
 * @returns {string[]} one line per finding
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

/** `{"shell:nav.upload": "…"}`; entries of a list are separate keys. */
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
/** The poem may have a different number of lines in each language. */
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

/** The Ukrainian form for one is also used for 21, so it may need the number where the English form does not. */
function parameters(flat) {
  return [...flat.uk].flatMap(([key, text]) => {
    const either = [flat.en.get(key), flat.en.get(`${baseOf(key)}_other`)].filter((text) => text !== undefined);
    const [english] = either;
    if (english === undefined || either.some((original) => parametersOf(text) === parametersOf(original))) return [];
    return [`${key}: parameters differ: uk has (${parametersOf(text)}), en has (${parametersOf(english)})`];
  });
}

/**
 * A key counts as used if its last part, or the part before an interpolated one, occurs as a string in the code. This is
 * deliberately approximate: types ensure that used keys exist; this only finds texts that cannot be used.
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

/** Texts quoted from the specification. */
const QUOTED = new Set(["admin:loading", "shell:admin.checking"]);
/** No line break after a one-letter word, or between a number and its unit. */
const NARROW = /(?:^|[\s(«])(?:[ВвУуЗзІіЙйОоАаЯя])[ ](?=\S)/u;
const UNIT = /\d (?:с|хв|год|КБ|МБ|ГБ|Гц|%)(?!\p{L})/u;

function typography(flat) {
  return [...flat].flatMap(([key, text]) => {
    // These are literal quotations of the specification.
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
