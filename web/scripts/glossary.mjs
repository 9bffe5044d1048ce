// Words that docs/glossary.md excludes, and the texts that may use them anyway. Part of the locale check.

/** Matches at the start of a word: the Ukrainian ones are stems, common to all cases. */
const stem = (source) => new RegExp(`(?<!\\p{L})(?:${source})`, "iu");
const word = (source) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, "iu");

/** The excluded words, and what to use instead. */
const RULED_OUT = {
  uk: [
    [stem("підпис(?:ка|ки|ку|ці|кою|ок|кам|ками|ках)(?!\\p{L})"), "тариф"],
    [word("план(?:у|и|ів|ом|ам|ами|ах|і|ові)?"), "тариф"],
    [stem("(?:не|про)?валід"), "перевірити, неправильний"],
    [stem("парсинг"), "читання"],
    [stem("інсайт"), "висновки"],
    [stem("резюме"), "підсумок"],
    [stem("акаунт"), "обліковий запис"],
    [stem("сесі[яїюйє]"), "сеанс"],
    [stem("диктор|спікер"), "мовець"],
    [stem("шаблон"), "пресет"],
    [stem("помічник"), "асистент"],
    [stem("настрі|настро[юєїв]"), "тональність"],
    [word("гість|гост(?:я|ю|е|і|ей|ем|ям|ями|ях)"), "відвідувач"],
    [stem("квот"), "ліміт"],
    [stem("логін"), "увійти"],
    [stem("e-?mail|імейл|мейл"), "електронна пошта, лист"],
  ],
  en: [
    [word("subscriptions?"), "plan"],
    [word("log(?:s|ged|ging)?[ -]?(?:in|out)|logins?"), "sign in, sign out"],
    [word("register(?:s|ed|ing)?|registrations?"), "sign up"],
    [word("e-mails?"), "email"],
    [word("captions?"), "subtitles"],
    [word("moods?"), "sentiment"],
    [word("quotas?"), "limit"],
    [word("guests?"), "visitor"],
    [word("LLMs?"), "language model"],
    [word("diarization"), "speaker identification"],
    [word("speech models?"), "recognition model"],
    [word("switch(?:es|ed)? (?:on|off)"), "turn on, turn off"],
    [word("unsure"), "uncertain"],
    [word("synchroni[sz](?:e|es|ed|ing|ation)"), "sync"],
    [word("time ?codes?"), "timestamp"],
    [word("templates?"), "preset"],
  ],
};

/** Exception: for a newsletter, "subscribe" is the right word. */
const NEWSLETTER = /newsletter/;
const ABOUT_NEWSLETTER = ["legal:privacy.yours.points.4"];
const SUBSCRIBES = /^(?:підпис|subscription)/iu;

/** Exception: saved settings are presets, but a DOCX template is called a template in every word processor. */
const DOCX_TEMPLATE = /docx_template|^sharing:export\.template\./;
const TEMPLATES = /^(?:шаблон|template)/iu;

/** Texts quoted literally from the product's specification: language and key. */
const QUOTED = new Set([
  "uk admin-plans:title",
  "uk admin-plans:load_failed",
  "uk admin-plans:empty.title",
  "uk admin-plans:created",
  "uk admin-plans:updated",
  "uk admin-plans:deleted",
  "uk admin-plans:delete_dialog.title",
  "uk admin:plan_failed",
  "uk presets:import.validated_one",
  "uk presets:import.validated_few",
  "uk presets:import.validated_many",
  "uk presets:import.validated_other",
  "uk presets:import.parse_failed",
  "uk presets:import.faults",
  "uk rules:violations.preset_json_invalid",
  "uk rules:violations.preset_not_validated",
  "uk rules:violations.plan_name_required",
  "uk rules:violations.plan_external_id_missing",
  "uk rules:notes.fix_violations",
  "uk subscription:load_failed",
  "en admin-presets:fields.llm_translation",
  "en pricing:plans.items.diarization",
  "en auth:signup.failed",
  "en auth:success.title",
  "en problems:codes.email_taken",
  "en rules:feature.diarization",
  "en rules:feature.llm_translation",
  "en rules:comparison_row.diarization",
]);

/** The visible part of a text, without parameters and code. */
const prose = (text) => text.replace(/{{[^}]*}}|`[^`]*`/g, " ");

function ruledOut(locale, key, text) {
  const newsletter = NEWSLETTER.test(key) || ABOUT_NEWSLETTER.includes(key);
  return RULED_OUT[locale].flatMap(([pattern, instead]) => {
    const [match] = prose(text).match(pattern) ?? [];
    if (match === undefined || (newsletter && SUBSCRIBES.test(match))) return [];
    if (DOCX_TEMPLATE.test(key) && TEMPLATES.test(match)) return [];
    return [`${locale}: ${key}: the glossary says “${instead}” and not “${match}”: ${text}`];
  });
}

/**
 * @param {"uk" | "en"} locale
 * @param {Map<string, string>} flat texts by key
 * @returns {string[]} findings, including exceptions that are no longer needed
 */
export function glossary(locale, flat) {
  return [...flat].flatMap(([key, text]) => {
    const findings = ruledOut(locale, key, text);
    if (!QUOTED.has(`${locale} ${key}`)) return findings;
    return findings.length > 0 ? [] : [`${locale}: ${key} is no exception from the glossary any more`];
  });
}
