import { describe, expect, it } from "vitest";
import { checkLocales } from "./locale-rules.mjs";

// biome-ignore lint/suspicious/noTemplateCurlyInString: source code as text
const code = ['t("title")', "t('count', { count })", "t(`kind.${kind}`)"];
const uk = {
  page: {
    title: "Назва {{name}}",
    count_one: "{{count}}",
    count_few: "{{count}}",
    count_many: "{{count}}",
    count_other: "{{count}}",
    kind: { full: "Full" },
  },
};
const en = { page: { title: "Title {{name}}", count_one: "{{count}}", count_other: "{{count}}", kind: { full: "Full" } } };

const check = (change: { uk?: object; en?: object; sources?: string[] }) =>
  checkLocales({
    uk: { page: { ...uk.page, ...change.uk } },
    en: { page: { ...en.page, ...change.en } },
    sources: change.sources ?? code,
  });

describe("the locale check", () => {
  it("finds nothing in complete files", () => {
    expect(check({})).toEqual([]);
  });

  it("allows a number in the Ukrainian form for one if the English form has none", () => {
    expect(check({ en: { count_one: "one" } })).toEqual([]);
    expect(check({ uk: { count_one: "{{number}}" } })).toHaveLength(1);
  });

  it("finds a key that is missing in one language", () => {
    expect(check({ uk: { more: "Ще" }, sources: [...code, '"more"'] })).toEqual(["en: no text for page:more"]);
    expect(check({ en: { more: "More" }, sources: [...code, '"more"'] })).toEqual(["uk: no text for page:more"]);
  });

  it("finds a missing plural form", () => {
    const { count_few: _, ...rest } = uk.page;
    expect(checkLocales({ uk: { page: rest }, en, sources: code })).toEqual(["uk: no plural form few of page:count"]);
  });

  it("finds differing parameters", () => {
    expect(check({ en: { title: "Title {{title}}" } })).toEqual(["page:title: parameters differ: uk has (name), en has (title)"]);
  });

  it("finds unused keys, but not those that are composed at run time", () => {
    expect(check({ sources: code.slice(1) })).toEqual(["uk: nobody uses page:title"]);
    expect(check({ sources: code.slice(0, 2) })).toEqual(["uk: nobody uses page:kind.full"]);
  });

  it("does not check whether texts of mails are used, but checks everything else in them", () => {
    const mail = { heading: "Пошта працює", valid: "{{when}}" };
    const both = { uk: { ...uk, mail }, en: { ...en, mail }, sources: code };
    expect(checkLocales(both)).toEqual([]);
    expect(checkLocales({ ...both, en: { ...en, mail: { heading: "Mail works", valid: "{{then}}" } } })).toEqual([
      "mail:valid: parameters differ: uk has (when), en has (then)",
    ]);
  });

  it.each([
    ["Об'єм", "the apostrophe is ’"],
    ['"Так"', "quotation marks are « »"],
    ["Зараз...", "the ellipsis is …"],
    ["Файл у черзі", "a word of one letter needs a no-break space after it"],
    ["До 500 МБ", "a number and its unit need a no-break space between them"],
  ])("checks Ukrainian typography: %s", (text, advice) => {
    expect(check({ uk: { title: `${text} {{name}}` } })).toEqual([`uk: page:title: ${advice}: ${text} {{name}}`]);
  });

  it("accepts no-break spaces", () => {
    expect(check({ uk: { title: "Файл у\u00A0черзі, до 500\u00A0МБ {{name}}" } })).toEqual([]);
  });

  it.each([
    ["uk", "Виберіть підписку", "тариф", "підписку"],
    ["uk", "Ваш план", "тариф", "план"],
    ["uk", "Невалідний файл", "перевірити, неправильний", "Невалід"],
    ["uk", "Спитайте помічника", "асистент", "помічник"],
    ["en", "Log in first", "sign in, sign out", "Log in"],
    ["en", "Your subscription", "plan", "subscription"],
    ["en", "By e-mail", "email", "e-mail"],
  ] as const)("minds the glossary: %s, %s", (locale, text, instead, found) => {
    expect(check({ [locale]: { title: `${text} {{name}}` } })).toEqual([
      `${locale}: page:title: the glossary says “${instead}” and not “${found}”: ${text} {{name}}`,
    ]);
  });

  it("accepts words that only resemble excluded ones, parameters and code", () => {
    expect(check({ uk: { title: "Планування, підписано, налаштування {{name}}" } })).toEqual([]);
    const both = (title: string) => ({ page: { title } });
    expect(checkLocales({ uk: both("`login` {{quota}}"), en: both("`login` {{quota}}"), sources: code })).toEqual([]);
  });

  it("accepts exceptions, and reports exceptions that are no longer needed", () => {
    const files = (admin: string) => ({ "admin-plans": { title: admin }, site: { newsletter: { title: "Підписка" } } });
    const sources = ['t("title")'];
    const en = { "admin-plans": { title: "Plans" }, site: { newsletter: { title: "Subscription" } } };
    expect(checkLocales({ uk: files("Управління підписками"), en, sources })).toEqual([]);
    expect(checkLocales({ uk: files("Керування тарифами"), en, sources })).toEqual([
      "uk: admin-plans:title is no exception from the glossary any more",
    ]);
  });
});
