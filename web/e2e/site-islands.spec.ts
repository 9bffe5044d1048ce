/** The public pages with scripts: the islands. */
import type { Page } from "@playwright/test";
import auth from "../src/locales/en/auth.json" with { type: "json" };
import common from "../src/locales/uk/common.json" with { type: "json" };
import rules from "../src/locales/uk/rules.json" with { type: "json" };
import site from "../src/locales/uk/site.json" with { type: "json" };
import islands from "../src/locales/uk/site-islands.json" with { type: "json" };
import { signIn } from "./accounts";
import { shoot } from "./looks";
import { expect, expectAccessible, test } from "./test";

// The pages of the specification, with their prices.
test.use({ edition: "service" });

const contact = (page: Page) => page.locator("form[data-island=contact]");
const field = (page: Page, name: string) => contact(page).locator(`[name=${name}]`);
const status = (page: Page) => contact(page).getByRole("status");
/** The positions of all elements of the form. */
const places = (page: Page) =>
  contact(page)
    .locator("label, .input, button")
    .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().toJSON()));

const fillIn = async (page: Page) => {
  await field(page, "first_name").fill("Олена");
  await field(page, "last_name").fill("Пчілка");
  await field(page, "email").fill("olena@example.org");
  await field(page, "message").fill("Добрий день");
};

test("the contact form reports errors, and is sent without leaving the page", async ({ page, server }) => {
  await page.goto(`${server.origin}/contact`);
  const before = await places(page);
  const island = page.waitForResponse((response) => response.url().endsWith(".wasm"));
  await field(page, "first_name").pressSequentially("Олена");
  await island;
  await expect(field(page, "first_name")).toBeFocused();
  await expect(field(page, "first_name")).toHaveValue("Олена");
  expect(await places(page), "nothing moves when the island begins").toEqual(before);

  await contact(page).getByRole("button").click();
  await expect(field(page, "last_name")).toBeFocused();
  await expect(field(page, "last_name")).toHaveAccessibleDescription(rules.violations.last_name_required);
  await expect(field(page, "email")).toHaveAccessibleDescription(rules.violations.email_required);
  await expectAccessible(page);

  await fillIn(page);
  await contact(page).getByRole("button").click();
  await expect(status(page)).toHaveText(islands.contact.sent);
  await expect(field(page, "message")).toHaveValue("");
  await expect(page).toHaveURL(/\/contact$/);
});

test("a form submitted before its island is loaded waits for it", async ({ page, server }) => {
  let go = () => {};
  const released = new Promise<void>((release) => {
    go = release;
  });
  await page.route(/contact-form-.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${server.origin}/contact`);
  await fillIn(page);
  await contact(page).getByRole("button").click();
  await expect(status(page)).toHaveText("");
  await expect(field(page, "message")).toHaveValue("Добрий день");
  go();
  await expect(status(page)).toHaveText(islands.contact.sent);
});

test("a form whose island cannot be loaded is sent as without scripts", async ({ page, server }) => {
  await page.route(/contact-form-.*\.js$/, (route) => route.abort());
  await page.goto(`${server.origin}/contact`);
  await fillIn(page);
  const posted = page.waitForRequest((request) => request.method() === "POST" && new URL(request.url()).pathname === "/contact");
  await contact(page).getByRole("button").click();
  expect((await posted).postData()).toContain("email=olena%40example.org");
});

test("changing the language keeps the scroll position, and applies in the application", async ({ page, server, context }) => {
  await page.goto(`${server.origin}/contact?from=mail#site`);
  await field(page, "message").fill("Добрий день");
  const english = page.locator("[data-island=locale]:visible a[hreflang=en]");
  await english.first().click();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page).toHaveURL(`${server.origin}/contact?from=mail#site`);
  await expect(field(page, "message")).toHaveValue("Добрий день");
  expect(await page.evaluate(() => localStorage.getItem("slovo.locale"))).toBe("en");

  await page.goto(`${server.origin}/login`);
  await expect(page.getByRole("heading", { name: auth.login.title })).toBeVisible();
  await page.getByRole("button", { name: "Українська" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "uk");
  await page.goto(`${server.origin}/about`);
  await expect(page.locator("html")).toHaveAttribute("lang", "uk");

  await test.step("the stored choice is sent to the server once, if its cookie is missing", async () => {
    await context.clearCookies();
    await page.evaluate(() => localStorage.setItem("slovo.locale", "en"));
    let loads = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.goto(`${server.origin}/about`);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await page.waitForLoadState("networkidle");
    expect(loads).toBe(2);
  });
});

test("the menu keeps the focus, and contains the theme and the signed-in user", async ({ page, server, context, reader }) => {
  await signIn(context, reader);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.origin}/about`);
  const opener = page.locator(".menu-button");
  const menu = page.locator("#site-menu");
  await opener.click();
  await expect(menu).toBeVisible();
  await expect(opener).toHaveAttribute("aria-expanded", "true");
  await expect(menu.getByText(islands.menu.signed_in)).toContainText(reader.user.email.split("@")[0] ?? "");
  for (let press = 0; press < 25; press += 1) {
    await page.keyboard.press("Tab");
    expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await menu.getByRole("button", { name: common.theme.dark }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectAccessible(page);
  await shoot(page, "e2e/shots/site-menu.png");
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(opener).toHaveAttribute("aria-expanded", "false");
  await expect(opener).toBeFocused();

  await opener.click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(menu).toBeHidden();
  // There the theme is changed in the header.
  await page.getByRole("button", { name: site.nav.theme }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("nothing optional is stored or counted without consent, or after it is withdrawn", async ({ page, server }) => {
  // The counted pages. The content of requests is checked by the unit test.
  const visits: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/v1/site/visits")) visits.push(new URL(page.url()).pathname);
  });
  const consent = async () => (await page.context().cookies()).find(({ name }) => name === "slovo.consent")?.value;
  const link = page.locator("a[data-island=cookies]");
  const dialog = page.getByRole("dialog");

  await page.goto(`${server.origin}/contact`);
  await fillIn(page);
  await page.reload();
  await expect(field(page, "message")).toHaveValue("");
  expect([await consent(), visits]).toEqual([undefined, []]);

  await link.click();
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "e2e/shots/site-cookies.png");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  expect(await consent()).toBeUndefined();

  await link.click();
  await dialog.getByRole("button", { name: islands.cookies.all }).click();
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  expect(await consent()).toBe("1.preferences.statistics");
  await expect.poll(() => visits).toEqual(["/contact"]);

  await fillIn(page);
  await page.goto(`${server.origin}/about`);
  await page.goto(`${server.origin}/contact`);
  await expect(field(page, "message")).toHaveValue("Добрий день");
  await expect.poll(() => visits).toHaveLength(3);

  await link.click();
  await dialog.getByRole("checkbox", { name: islands.cookies.preferences.title }).uncheck();
  await dialog.getByRole("button", { name: islands.cookies.save }).click();
  await expect(dialog).toBeHidden();
  expect(await consent()).toBe("1.statistics");
  expect(await page.evaluate(() => localStorage.getItem("slovo.contact-draft"))).toBeNull();
  expect(visits).toHaveLength(3);
});

test("the demo marks the current word, and plays from the clicked word or position of the waveform", async ({ page, server }) => {
  await page.goto(server.origin);
  const demo = page.locator("[data-island=demo]");
  const words = demo.locator("[data-start]");
  const spoken = demo.locator("[data-spoken]");
  await demo.locator("audio").evaluate((audio: HTMLAudioElement) => {
    audio.muted = true;
    return audio.play();
  });
  await expect(spoken).toHaveCount(1);
  await demo.locator("audio").evaluate((audio: HTMLAudioElement) => {
    audio.pause();
    // Slowly, so that a busy machine sees the mark of a word.
    audio.playbackRate = 0.1;
  });
  const fifth = words.nth(4);
  await fifth.click();
  await expect(fifth).toHaveAttribute("data-spoken", "");
  const { time, paused } = await demo
    .locator("audio")
    .evaluate((audio: HTMLAudioElement) => ({ time: audio.currentTime, paused: audio.paused }));
  expect(time).toBeGreaterThanOrEqual(Number(await fifth.getAttribute("data-start")));
  expect(paused).toBe(false);
  await demo.locator("audio").evaluate((audio: HTMLAudioElement) => audio.pause());
  // The middle of the waveform is the middle of the recording.
  await demo.locator(".demo-wave").click();
  const half = Number(await demo.getAttribute("data-duration")) / 2;
  await expect
    .poll(() => demo.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime))
    .toBeGreaterThan(half - 0.2);
  // The demo follows playback asynchronously.
  await expect
    .poll(() => demo.evaluate((figure: HTMLElement) => Number.parseFloat(figure.style.getPropertyValue("--played"))))
    .toBeGreaterThan(48);
});
