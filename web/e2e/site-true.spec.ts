/** The facts on public pages are true, in both editions and languages; all linked pages are checked. */
import { test as base, expect, type Page } from "@playwright/test";
import { RAW_CODE, UNTRANSLATED } from "./raw-words";
import { Server } from "./server";
import { LOCALES, type Locale } from "./texts";

const EDITIONS = ["service", "organisation"] as const;
type Edition = (typeof EDITIONS)[number];

const test = base.extend<object, { servers: Record<Edition, Server> }>({
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const start = (edition: Edition) => Server.start({ SLOVO_EDITION: edition });
      const [service, organisation] = await Promise.all([start("service"), start("organisation")]);
      await use({ service, organisation });
      await Promise.all([service.stop(), organisation.stop()]);
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** A page as sent to visitors. */
interface ReadPage {
  address: string;
  html: string;
  lang: string;
  /** The visible text, without code and metadata. */
  text: string;
  /** Absolute URLs of links, images, styles and scripts. */
  links: string[];
  ids: string[];
  /** The schema.org data. */
  graph: Record<string, unknown>[];
  prices: string[];
}

const read = (page: Page, address: string, html: string): Promise<ReadPage> =>
  page.evaluate(
    ({ address, html }) => {
      const parsed = new DOMParser().parseFromString(html, "text/html");
      // Except links to the same page in the other language, which has its own test.
      const links = [...parsed.querySelectorAll("[href]:not([hreflang]), [src]")].map(
        (element) => new URL(element.getAttribute("href") ?? element.getAttribute("src") ?? "", address).href,
      );
      const graph = [...parsed.querySelectorAll('script[type="application/ld+json"]')].flatMap(
        ({ textContent }) => JSON.parse(textContent ?? "")["@graph"],
      );
      const ids = [...parsed.querySelectorAll("[id]")].map(({ id }) => id);
      const prices = [...parsed.querySelectorAll(".price-sum")].map(({ textContent }) => textContent ?? "");
      const lang = parsed.documentElement.lang;
      for (const other of parsed.querySelectorAll("script, style, code, pre, [lang]:not(html)")) other.remove();
      // Separates the words of adjacent elements.
      const texts: string[] = [parsed.title];
      const walker = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode.nodeValue?.trim() ?? "");
      return { address, html, lang, text: texts.filter(Boolean).join("\n"), links: [...new Set(links)], ids, graph, prices };
    },
    { address, html },
  );

const MONEY = /[$€₴]\s?\d|\d\s?(?:[$€₴]|грн|USD|UAH|EUR)/g;

/** The only external URLs on a page: protocols, in the developers' documentation. */
const NAMED_OUTSIDE = [
  "https://www.standardwebhooks.com/",
  "https://modelcontextprotocol.io/",
  "https://tus.io/protocols/resumable-upload",
];

/** Prices, in the text of a page and in its metadata. */
const amount = (sum: string) => Number(sum.replace(",", ".").replaceAll(/[^\d.]/g, ""));
const offersOf = (page: ReadPage | undefined): number[] =>
  (page?.graph ?? []).flatMap(({ offers }) => ((offers ?? []) as { price: unknown }[]).map(({ price }) => Number(price)));

const withoutHash = (link: string) => link.replace(/#.*$/, "");

/** Crawls all public pages linked from the first one; also returns the status of all local URLs. */
async function crawl(page: Page, server: Server, locale: Locale) {
  const pages: ReadPage[] = [];
  const statuses = new Map<string, number>();
  const outside = new Set<string>();
  const waiting = [locale === "uk" ? `${server.origin}/` : `${server.origin}/?lang=${locale}`];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    // The API reference takes seconds to load; site.spec.ts opens it.
    if (statuses.has(address) || new URL(address).pathname === "/docs/api") continue;
    // Without cookies: the URL determines the language.
    const answer = await fetch(address, { headers: { "accept-encoding": "identity", accept: "text/html,*/*" } });
    statuses.set(address, answer.status);
    const html = answer.headers.get("content-type")?.startsWith("text/html") ? await answer.text() : "";
    // The application is one page for all its URLs, and has its own tests.
    if (!html.includes("data-site")) {
      await answer.body?.cancel().catch(() => undefined);
      continue;
    }
    const result = await read(page, address, html);
    pages.push(result);
    for (const link of result.links) {
      if (link.startsWith(`${server.origin}/`)) waiting.push(withoutHash(link));
      else outside.add(link);
    }
  }
  return { pages, statuses, outside };
}

for (const edition of EDITIONS) {
  for (const locale of LOCALES) {
    test(`all pages state the facts, and all links work: ${edition}, ${locale}`, async ({ page, servers }) => {
      const server = servers[edition];
      const { pages, statuses, outside } = await crawl(page, server, locale);
      expect(pages.length, "the pages are found").toBeGreaterThan(8);
      const wrong: string[] = [];
      for (const [address, status] of statuses) if (status >= 400) wrong.push(`${status} ${address}`);
      for (const { address, html, lang, text, links } of pages) {
        const say = (what: string, pattern: RegExp) => {
          for (const [matched] of (what === "html" ? html : text).matchAll(pattern)) wrong.push(`${address}: ${matched}`);
        };
        if (lang !== locale) wrong.push(`${address} is in ${lang}`);
        say("html", /[\w.@-]*\.example\b|\+380 ?44 ?000[ -]?00[ -]?00/g);
        say("text", RAW_CODE);
        if (locale === "uk") say("text", UNTRANSLATED);
        for (const link of links) {
          const [target, id] = link.split("#");
          const linked = pages.find((sitePage) => sitePage.address === target);
          if (id && linked && !linked.ids.includes(decodeURIComponent(id))) wrong.push(`${address}: nothing is at ${link}`);
        }
      }
      expect(wrong).toEqual([]);
      expect([...outside].filter((link) => !NAMED_OUTSIDE.includes(link))).toEqual([]);

      const priced = pages.filter((sitePage) => sitePage.prices.length > 0 || offersOf(sitePage).length > 0);
      if (edition === "organisation") {
        expect(statuses.has(`${server.origin}/pricing`) || priced.length > 0 || pages.flatMap(offersOf).length > 0).toBe(false);
        expect(pages.flatMap(({ text }) => text.match(MONEY) ?? [])).toEqual([]);
        expect((await fetch(`${server.origin}/pricing`)).status).toBe(404);
      } else {
        const pricing = priced.find(({ address }) => new URL(address).pathname === "/pricing");
        const amounts = pricing?.prices.map(amount) ?? [];
        expect(amounts).toHaveLength(3);
        expect(offersOf(pricing)).toEqual(amounts);
        // No other page states anything different.
        for (const pricedPage of priced) {
          expect(amounts, pricedPage.address).toEqual(expect.arrayContaining(pricedPage.prices.map(amount)));
          expect(amounts, pricedPage.address).toEqual(expect.arrayContaining(offersOf(pricedPage)));
        }
      }
    });
  }
}
