/** The server-rendered public pages: in both languages and themes, narrow and wide, with and without scripts. */
import type { Page } from "@playwright/test";
import siteEn from "../src/locales/en/site.json" with { type: "json" };
import islandsEn from "../src/locales/en/site-islands.json" with { type: "json" };
import home from "../src/locales/uk/home.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import site from "../src/locales/uk/site.json" with { type: "json" };
import { signIn } from "./accounts";
import { eachLook, shoot } from "./looks";
import { lastMail } from "./mailbox";
import { expect, expectAccessible, test } from "./test";

// The pages of the specification, with their prices.
test.use({ edition: "service" });

const PAGES = [
  "/",
  "/features",
  "/pricing",
  "/about",
  "/contact",
  "/privacy",
  "/terms",
  "/cookies",
  "/status",
  "/changelog",
  "/docs",
  "/docs/api",
];
const LOOKS = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
  { locale: "uk", theme: "dark", width: 1280 },
  { locale: "en", theme: "light", width: 390 },
  { locale: "uk", theme: "light", width: 390 },
  { locale: "en", theme: "dark", width: 1280 },
  { locale: "uk", theme: "light", width: 1920 },
  { locale: "en", theme: "light", width: 768 },
] as const;

const inLanguage = (path: string, locale: "uk" | "en") => (locale === "en" ? `${path}?lang=en` : path);

/** The horizontal overflow of the page, in CSS pixels. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** The Cumulative Layout Shift so far. */
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const watch = new PerformanceObserver((list) => {
          for (const shift of list.getEntries()) sum += (shift as PerformanceEntry & { value: number }).value;
        });
        watch.observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 300);
      }),
  );

for (const { locale, theme, width } of eachLook(LOOKS)) {
  test(`every page is complete, stable and accessible: ${locale}, ${theme}, ${width}`, async ({ page, server }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: width < 700 ? 844 : 800 });
    for (const path of PAGES) {
      await test.step(path, async () => {
        const errors: string[] = [];
        page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        await page.goto(server.origin + inLanguage(path, locale));
        await expect(page.locator("html")).toHaveAttribute("lang", locale);
        await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        expect(await shifts(page)).toBe(0);
        await expectAccessible(page);
        expect(errors).toEqual([]);
        const name = path === "/" ? "home" : path.slice(1).replaceAll("/", "-");
        await shoot(page, `e2e/shots/site-${name}-${locale}-${theme}-${width}.png`, { fullPage: true });
      });
    }
  });
}

test("nothing is cut off at 320 pixels, or at 200 % zoom", async ({ browser, server }) => {
  for (const shape of [
    { viewport: { width: 320, height: 640 } },
    // The width of a window of 1280 pixels at 200 %.
    { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  ]) {
    const context = await browser.newContext(shape);
    const page = await context.newPage();
    for (const path of PAGES) {
      for (const locale of ["uk", "en"] as const) {
        await page.goto(server.origin + inLanguage(path, locale));
        expect(await overflow(page), `${path} ${locale} ${shape.viewport.width}`).toBeLessThanOrEqual(0);
      }
    }
    await context.close();
  }
});

test("pages have metadata for search engines and link previews", async ({ page, server }) => {
  const titles = new Set<string>();
  for (const path of PAGES) {
    for (const locale of ["uk", "en"] as const) {
      await page.goto(`${server.origin}${path}?lang=${locale}`);
      titles.add(await page.title());
      const href = (selector: string) => page.locator(`head ${selector}`).getAttribute("href");
      expect(await href("link[rel=canonical]")).toBe(server.origin + inLanguage(path, locale));
      expect(await href("link[hreflang=uk]")).toBe(server.origin + path);
      expect(await href("link[hreflang=en]")).toBe(server.origin + inLanguage(path, "en"));
      const description = await page.locator("meta[name=description]").getAttribute("content");
      expect(description?.length, `${path} ${locale}`).toBeGreaterThan(50);
      for (const text of await page.locator('script[type="application/ld+json"]').allTextContents()) {
        expect(JSON.parse(text)["@context"]).toBe("https://schema.org");
      }
    }
  }
  expect(titles.size, "every page has a title of its own in each language").toBe(2 * PAGES.length);
  for (const path of ["/", "/features", "/pricing", "/about", "/contact"]) {
    await page.goto(server.origin + path);
    const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
    expect((await page.request.get(picture ?? "")).headers()["content-type"]).toBe("image/png");
  }
  const map = await (await page.request.get(`${server.origin}/sitemap.xml`)).text();
  for (const [, address] of map.matchAll(/<loc>(.*?)<\/loc>/g)) {
    expect((await page.request.get(address ?? "")).status(), address).toBe(200);
  }
});

test("all links of the pages work", async ({ page, server }) => {
  const known = new Map<string, number>();
  for (const path of PAGES) {
    await page.goto(server.origin + path);
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const link of new Set(links)) {
      const { origin, hash, href } = new URL(link);
      if (origin !== server.origin) continue;
      const address = href.replace(hash, "");
      if (!known.has(address)) known.set(address, (await page.request.get(address)).status());
      expect(known.get(address), `${path} → ${link}`).toBe(200);
      if (hash && new URL(link).pathname === path) {
        await expect(page.locator(`[id="${hash.slice(1)}"]`), `${path} → ${link}`).toHaveCount(1);
      }
    }
  }
});

test("an unknown URL shows an error in the reader's language", async ({ page, server }) => {
  const answer = await page.goto(`${server.origin}/nothing/here`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(site.not_found.title);
  await expectAccessible(page);
  await page.goto(`${server.origin}/nothing/here?lang=en`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(siteEn.not_found.title);
  await page.getByRole("link", { name: siteEn.not_found.home }).click();
  await expect(page).toHaveURL(`${server.origin}/?lang=en`);
});

test("signed-in users see a link to the dashboard", async ({ page, context, server, reader }) => {
  await page.goto(server.origin);
  const top = page.locator(".top-end");
  await expect(top.getByRole("link", { name: site.nav.log_in })).toBeVisible();
  await expect(top.getByRole("link", { name: site.nav.dashboard })).toBeHidden();
  await signIn(context, reader);
  await page.goto(server.origin);
  await expect(top.getByRole("link", { name: site.nav.log_in })).toBeHidden();
  await top.getByRole("link", { name: site.nav.dashboard }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("pages work without scripts", async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(server.origin);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(home.hero.title);
  await expect(page.locator(".demo-text")).toContainText("Сказане слово зникає");

  await test.step("the menu opens, and the chosen language is kept", async () => {
    await page.getByRole("button", { name: site.nav.menu }).click();
    const menu = page.locator("#site-menu");
    await expect(menu).toBeVisible();
    await menu.getByRole("link", { name: "English" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await page.goto(`${server.origin}/about`);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await page.goto(`${server.origin}/about?lang=uk`);
  });

  await test.step("one answer is open at a time", async () => {
    const questions = page.locator("details[name=faq]");
    await questions.nth(0).locator("summary").click();
    await expect(questions.nth(0)).toHaveAttribute("open");
    await questions.nth(1).locator("summary").click();
    await expect(questions.nth(1)).toHaveAttribute("open");
    await expect(questions.nth(0)).not.toHaveAttribute("open");
  });

  await test.step("a message is validated by the server, and confirmed", async () => {
    await page.goto(`${server.origin}/contact`);
    const fill = (name: string, text: string) => page.locator(`form[data-island=contact] [name=${name}]`).fill(text);
    await fill("first_name", "Олена");
    await fill("last_name", "Пчілка");
    await fill("email", "olena@example");
    await fill("message", "Добрий день");
    await page.locator("form[data-island=contact] button").click();
    await expect(page.locator("#contact-email-error")).toHaveText(rules.violations.email_invalid);
    await expect(page.locator("#contact-message")).toHaveValue("Добрий день");
    await fill("email", "olena@example.org");
    await page.locator("form[data-island=contact] button").click();
    await expect(page).toHaveURL(/\/contact\?sent=1#form$/);
    await page.goto(`${server.origin}/contact?sent=1&lang=en`);
    await expect(page.getByText(islandsEn.contact.sent)).toBeVisible();
  });

  await test.step("cookie settings are a form", async () => {
    await page.goto(`${server.origin}/cookies?lang=uk`);
    await page.getByRole("checkbox", { disabled: false }).first().check();
    await page.locator("form[data-island=cookies-form] button").click();
    await expect(page).toHaveURL(/\/cookies\?sent=1#settings$/);
    await expect(page.getByRole("checkbox", { disabled: false }).first()).toBeChecked();
  });
  await context.close();
});

test("the newsletter is confirmed with one link of its mail, and unsubscribed with the other", async ({ page, server }) => {
  const email = `reader-${Date.now()}@example.org`;
  await page.goto(server.origin);
  const form = page.locator("form[data-island=newsletter]");
  await form.locator("[name=email]").fill(email);
  await form.getByRole("button").click();
  await expect(form.getByRole("status")).not.toHaveText("");
  const letter = await lastMail(server, email);
  const [confirm, leave] = [...letter.text.matchAll(/\S+\/newsletter\/\S+/g)].map(([link]) => link);
  await page.goto(confirm ?? "");
  await page.getByRole("button", { name: site.newsletter.confirm.send }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(site.newsletter.confirmed.title);
  await page.goto(leave ?? "");
  await expectAccessible(page);
  await page.getByRole("button", { name: site.newsletter.leave.send }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(site.newsletter.left.title);
});
