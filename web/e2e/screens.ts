import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { violationsOf } from "./accessible";
import { JOBS, mockApi, SESSION, sessionOf, type World } from "./mock-api";

const SIZES = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  laptop: { width: 1280, height: 800 },
  wide: { width: 1920, height: 1080 },
} as const;

interface Look {
  size: keyof typeof SIZES;
  theme: "light" | "dark";
  locale: "uk" | "en";
}

const ALL_LOOKS: readonly Look[] = [
  { size: "phone", theme: "light", locale: "uk" },
  { size: "phone", theme: "dark", locale: "en" },
  { size: "tablet", theme: "light", locale: "en" },
  { size: "laptop", theme: "light", locale: "uk" },
  { size: "laptop", theme: "dark", locale: "en" },
  { size: "wide", theme: "light", locale: "uk" },
];
/** Screenshots of the first pages; `SCREENS=all` takes each in every size, theme and language. */
const EVERY_LOOK: readonly Look[] = (Object.keys(SIZES) as Look["size"][]).flatMap((size) =>
  (["light", "dark"] as const).flatMap((theme) => (["uk", "en"] as const).map((locale) => ({ size, theme, locale }))),
);
const TWO_LOOKS = ALL_LOOKS.filter(
  (look) => (look.size === "phone" && look.theme === "light") || (look.size === "laptop" && look.theme === "dark"),
);

const FULL: World = { signedIn: true, jobs: JOBS };
const NO_MAIL: World = { signedIn: false, jobs: [], mail: false };
const EMPTY: World = { signedIn: true, jobs: [] };
const GUEST: World = { signedIn: false, jobs: [] };
const BROKEN: World = {
  ...FULL,
  problem: { type: "about:blank", title: "Internal", status: 500, code: "internal", request_id: "01981d3e" },
};

interface Screen {
  name: string;
  path: string;
  world: World;
  looks: readonly Look[];
  act?: (page: Page, context: BrowserContext) => Promise<unknown>;
}

async function signUp(page: Page) {
  await page.locator("[name=email]").fill(SESSION.user.email);
  await page.locator("[name=password]").fill("Слово-2026-слово");
  await page.locator("[name=confirm_password]").fill("Слово-2026-слово");
  await page.getByRole("checkbox").check();
  await page.locator("button[type=submit]").click();
  await page.locator("[name=code]").fill("k7mp");
}

const SCREENS: readonly Screen[] = [
  { name: "login", path: "/login", world: GUEST, looks: ALL_LOOKS },
  {
    name: "login-errors",
    path: "/login",
    world: GUEST,
    looks: TWO_LOOKS,
    act: (page) => page.locator("button[type=submit]").click(),
  },
  {
    name: "login-refused",
    path: "/login",
    world: GUEST,
    looks: TWO_LOOKS,
    act: async (page) => {
      await page.locator("[name=email]").fill(SESSION.user.email);
      await page.locator("[name=password]").fill("Слово2026");
      await page.locator("button[type=submit]").click();
    },
  },
  { name: "login-blocked", path: "/login?problem=account_blocked", world: GUEST, looks: TWO_LOOKS },
  { name: "login-unverified", path: "/login?problem=google_unverified", world: GUEST, looks: TWO_LOOKS },
  { name: "signup", path: "/signup", world: GUEST, looks: ALL_LOOKS },
  {
    name: "signup-errors",
    path: "/signup",
    world: GUEST,
    looks: TWO_LOOKS,
    act: async (page) => {
      await page.locator("[name=email]").fill("olena@");
      await page.locator("[name=password]").fill("Слово2026");
      await page.locator("button[type=submit]").click();
    },
  },
  {
    name: "signup-checklist",
    path: "/signup",
    world: GUEST,
    looks: TWO_LOOKS,
    act: async (page) => {
      await page.locator("[name=email]").fill(SESSION.user.email);
      await page.locator("[name=password]").fill("Слово2026");
    },
  },
  {
    name: "verify",
    path: "/signup",
    world: GUEST,
    looks: ALL_LOOKS,
    act: signUp,
  },
  {
    name: "verify-nothing-waits",
    path: "/verify",
    world: GUEST,
    looks: TWO_LOOKS,
    act: async (page) => {
      await page.locator("[name=code]").fill("k7mpx");
      await page.locator("button[type=submit]").click();
    },
  },
  {
    name: "terms",
    path: "/signup",
    world: GUEST,
    looks: TWO_LOOKS,
    act: (page) =>
      page
        .getByRole("button", { name: /Політикою|Privacy/ })
        .first()
        .click(),
  },
  {
    name: "verify-outbox",
    path: "/signup",
    world: NO_MAIL,
    looks: TWO_LOOKS,
    act: signUp,
  },
  { name: "forgot-password", path: "/forgot-password", world: GUEST, looks: TWO_LOOKS },
  {
    name: "forgot-password-sent",
    path: "/forgot-password",
    world: GUEST,
    looks: TWO_LOOKS,
    act: async (page) => {
      await page.locator("[name=email]").fill(SESSION.user.email);
      await page.locator("button[type=submit]").click();
    },
  },
  { name: "reset-password", path: "/reset-password#token=picture", world: GUEST, looks: TWO_LOOKS },
  { name: "reset-password-invalid", path: "/reset-password", world: GUEST, looks: TWO_LOOKS },
  { name: "profile", path: "/profile", world: FULL, looks: ALL_LOOKS },
  {
    name: "profile-crop",
    path: "/profile",
    world: FULL,
    looks: TWO_LOOKS,
    act: async (page) => {
      const photo = await page.screenshot();
      await page.locator("input[type=file]").setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: photo });
      await page.getByRole("slider").focus();
      await page.keyboard.press("Shift+Tab");
    },
  },
  { name: "security", path: "/settings?tab=security", world: FULL, looks: TWO_LOOKS },
  {
    name: "security-no-password",
    path: "/settings?tab=security",
    world: { ...FULL, hasPassword: false },
    looks: TWO_LOOKS,
    act: (page) =>
      page
        .getByRole("button", { name: /Надіслати|Send/ })
        .first()
        .click(),
  },
  {
    name: "delete-account",
    path: "/settings?tab=preferences",
    world: FULL,
    looks: TWO_LOOKS,
    act: async (page) => {
      await page.getByRole("button", { name: /Видалити обл|Delete the acc/ }).click();
      await page.locator("[role=dialog] button[type=submit]").click();
    },
  },
  { name: "success", path: "/success", world: FULL, looks: ALL_LOOKS },
  { name: "success-first", path: "/success", world: EMPTY, looks: TWO_LOOKS },
  { name: "dashboard", path: "/dashboard", world: FULL, looks: ALL_LOOKS },
  { name: "dashboard-empty", path: "/dashboard", world: EMPTY, looks: TWO_LOOKS },
  { name: "dashboard-loading", path: "/dashboard", world: { ...FULL, silent: true }, looks: TWO_LOOKS },
  { name: "dashboard-error", path: "/dashboard", world: BROKEN, looks: TWO_LOOKS },
  { name: "transcriptions", path: "/transcriptions", world: FULL, looks: ALL_LOOKS },
  { name: "transcriptions-search", path: "/transcriptions?q=музей", world: FULL, looks: ALL_LOOKS },
  { name: "transcriptions-filters", path: "/transcriptions?mode=full&from=2026-11-01", world: FULL, looks: TWO_LOOKS },
  {
    name: "transcriptions-chosen",
    path: "/transcriptions",
    world: FULL,
    looks: TWO_LOOKS,
    act: async (page) => {
      for (const at of [2, 4, 5]) await page.locator("main [role=checkbox]").nth(at).click();
    },
  },
  {
    name: "palette",
    path: "/dashboard",
    world: FULL,
    looks: ALL_LOOKS,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("музей");
      await page.getByRole("option").nth(3).waitFor();
    },
  },
  { name: "transcriptions-nothing", path: "/transcriptions?q=зебра", world: FULL, looks: TWO_LOOKS },
  {
    name: "transcriptions-deleted",
    path: "/transcriptions",
    world: FULL,
    looks: TWO_LOOKS,
    act: (page) =>
      page
        .getByRole("button", { name: /^(Видалити|Delete)$/ })
        .nth(2)
        .click(),
  },
  {
    name: "menu",
    path: "/dashboard",
    world: FULL,
    looks: TWO_LOOKS,
    act: async (page) => {
      const opener = page.getByRole("button", { name: /Відкрити меню|Open menu/ });
      if (await opener.isVisible()) await opener.click();
      await page.getByRole("button", { name: /Обліковий запис|Account/ }).click();
    },
  },
  {
    name: "collapsed",
    path: "/transcriptions",
    world: FULL,
    looks: TWO_LOOKS.slice(1),
    act: (page) => page.keyboard.press("Control+b"),
  },
  { name: "offline", path: "/dashboard", world: FULL, looks: TWO_LOOKS, act: (_page, context) => context.setOffline(true) },
  { name: "not-found", path: "/nowhere", world: GUEST, looks: TWO_LOOKS },
];

for (const screen of SCREENS) {
  for (const look of process.env.SCREENS === "all" ? EVERY_LOOK : screen.looks) {
    const name = `${screen.name}-${look.size}-${look.theme}-${look.locale}`;
    test(name, async ({ page, context }) => {
      const complaints: string[] = [];
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.setViewportSize(SIZES[look.size]);
      await page.addInitScript(
        ([session, theme, locale]) => {
          if (session) localStorage.setItem("slovo.session", session);
          localStorage.setItem("slovo.theme", theme);
          localStorage.setItem("slovo.locale", locale);
        },
        [screen.world.signedIn ? JSON.stringify(sessionOf(screen.world)) : "", look.theme, look.locale] as const,
      );
      await mockApi(page, screen.world);
      await page.goto(screen.path);
      await page.locator("h1").first().waitFor();
      if (!screen.world.silent) await page.waitForLoadState("networkidle");
      await screen.act?.(page, context);
      await page.evaluate(() => document.fonts.ready);
      await page.waitForTimeout(350);
      await page.screenshot({ path: `e2e/shots/screens/${name}.png` });

      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(overflow, "the page scrolls sideways").toBeLessThanOrEqual(0);
      // With the rules of good practice. An open menu is rendered outside of the landmarks.
      const { violations } = await violationsOf(page, { context: { exclude: ["[data-radix-popper-content-wrapper]"] } });
      expect(violations).toEqual([]);
      const expected =
        screen.world.problem || screen.name === "login-refused" ? /Failed to load resource/ : /ERR_INTERNET_DISCONNECTED/;
      expect(complaints.filter((line) => !expected.test(line))).toEqual([]);
    });
  }
}
