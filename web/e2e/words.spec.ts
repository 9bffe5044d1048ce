/** Checks all pages of the application in both languages for codes, translation keys and untranslated English words. */
import type { Page, Request } from "@playwright/test";
import type { Job, Session } from "../src/api/schema";
import paths from "../src/app/paths.json" with { type: "json" };
import { finishedJob, signIn, signUp } from "./accounts";
import { makePlan, PRO, send } from "./plans";
import { RAW_CODE, UNTRANSLATED } from "./raw-words";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";
import { expect, test } from "./test";
import { LOCALES } from "./texts";

/** Seen only by users without an account. */
const STRANGERS = [
  paths.login,
  paths.signup,
  paths.verify,
  paths.forgotPassword,
  paths.resetPassword,
  "/shared/nobody",
  "/nowhere",
];
const PARTS = [
  "/settings?tab=security",
  "/settings?tab=preferences",
  "/upload?source=url",
  "/admin/messages?tab=newsletter",
  "/admin/messages?tab=visits",
];

/** Creates one of everything that the pages list. */
async function fill(server: Server, admin: Session): Promise<void> {
  const { user } = await signUp(server);
  const { id } = await makePlan(server, admin, { ...PRO, name: "Reading room", description: "" });
  await send(server, admin, "PUT", `/admin/users/${user.id}/plan`, { plan_id: id });
  for (const role of ["admin", "user"]) await send(server, admin, "PUT", `/admin/users/${user.id}/role`, { role });
  for (const status of ["blocked", "active"]) await send(server, admin, "PUT", `/admin/users/${user.id}/status`, { status });
  const message = { first_name: "Lesia", last_name: "Ukrainka", email: "lesia@example.com", message: "Dobryi den", locale: "uk" };
  for (const [path, body] of [
    ["contact", { ...message, website: "" }],
    ["auth/login", { email: user.email, password: "Wrong-horse-7-battery" }],
  ] as const) {
    const headers = { "content-type": "application/json" };
    await fetch(`${server.origin}/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  }
}

/** Navigates like a link of the application, and returns the texts when everything is loaded. */
async function wordsOf(page: Page, path: string, pending: ReadonlySet<Request>): Promise<string> {
  await page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  }, path);
  await expect(page.getByRole("heading").first()).toBeVisible();
  let before = "";
  let current = "";
  const comes = async () => {
    before = current;
    current = pending.size > 0 ? "" : await visibleText(page);
    return current === before && current.length > 100;
  };
  await expect.poll(comes, { intervals: [150] }).toBe(true);
  return current;
}

/** Pending requests of the page, except event streams, which do not end. */
function pendingRequestsOf(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>();
  page.on("request", (request) => !new URL(request.url()).pathname.endsWith("/events") && pending.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => pending.delete(request));
  return pending;
}

/** Visible texts, labels and tooltips, except code and texts in another language. Empty while something is busy. */
const visibleText = (page: Page) =>
  page.evaluate(() => {
    // Skeletons of loading content.
    const pulses = document
      .getAnimations()
      .some((animation) => animation instanceof CSSAnimation && animation.animationName === "ink-in");
    if (pulses || document.querySelector("[aria-busy=true]")) return "";
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node instanceof Element && (node.matches("script, style, code, pre, [lang]") || !node.checkVisibility())
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    );
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node instanceof Element) {
        for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(node.getAttribute(name) ?? "");
      } else texts.push(node.nodeValue?.trim() ?? "");
    }
    return texts.filter(Boolean).join("\n");
  });

// Data of other tests has names that look like codes.
let server: Server;
let reader: Session;
let finished: Job;

test.beforeAll(async () => {
  server = await Server.start();
  reader = await signUp(server);
  await fill(server, reader);
  const settings = { transcription_type: "lite", language_code: "en" } as const;
  finished = await finishedJob(server, reader, recording("short.mp3", SHORT), settings);
});
test.afterAll(() => server.stop());

for (const locale of LOCALES) {
  test(`no page shows codes or untranslated words: ${locale}`, async ({ page, context }) => {
    const wrong = new Set<string>();
    page.on("console", (message) => {
      if (message.text().startsWith("No text for")) wrong.add(message.text());
    });
    const pending = pendingRequestsOf(page);
    const look = async (path: string) => {
      const words = await wordsOf(page, path, pending);
      for (const pattern of locale === "uk" ? [RAW_CODE, UNTRANSLATED] : [RAW_CODE]) {
        for (const [matched] of words.matchAll(pattern)) wrong.add(`${path}: ${matched}`);
      }
      if (locale === "en" && /[а-яґєії]/i.test(words)) wrong.add(`${path}: ${/.*[а-яґєії].*/i.exec(words)?.[0]}`);
      expect(await page.locator("html").getAttribute("lang"), path).toBe(locale);
    };

    await context.addInitScript((to) => localStorage.setItem("slovo.locale", to), locale);
    await page.goto(server.origin + paths.login);
    for (const path of STRANGERS) await look(path);

    await signIn(context, reader, { locale });
    await page.goto(server.origin + paths.dashboard);
    const signedIn = Object.values(paths).filter((path) => !path.includes(":") && !STRANGERS.includes(path));
    for (const path of [...signedIn, ...PARTS, `/transcription/${finished.my_job_id}`]) await look(path);
    expect([...wrong]).toEqual([]);
  });
}
