/** /subscription with the real server: the plan, its minutes, their use, and a request for another plan. */
import type { Locator, Page } from "@playwright/test";
import type { Session } from "../src/api/schema";
import rulesEn from "../src/locales/en/rules.json" with { type: "json" };
import subscriptionEn from "../src/locales/en/subscription.json" with { type: "json" };
import analysisUk from "../src/locales/uk/analysis.json" with { type: "json" };
import commonUk from "../src/locales/uk/common.json" with { type: "json" };
import configureUk from "../src/locales/uk/configure.json" with { type: "json" };
import dashboardUk from "../src/locales/uk/dashboard.json" with { type: "json" };
import rulesUk from "../src/locales/uk/rules.json" with { type: "json" };
import subscriptionUk from "../src/locales/uk/subscription.json" with { type: "json" };
import transcriptUk from "../src/locales/uk/transcript.json" with { type: "json" };
import { finishedJob, signIn, signUp } from "./accounts";
import { eachLook, shoot } from "./looks";
import { clearPlans, givePlan, makePlan, PRO, STARTER, send } from "./plans";
import { recording, SHORT } from "./recordings";
import { expect, expectAccessible, test } from "./test";

const uk = subscriptionUk;
const TEXTS = { uk: { ...subscriptionUk, rules: rulesUk }, en: { ...subscriptionEn, rules: rulesEn } } as const;
const LOOKS = eachLook(
  [
    { locale: "uk", theme: "light", width: 1280 },
    { locale: "en", theme: "dark", width: 390 },
    { locale: "uk", theme: "dark", width: 390 },
    { locale: "en", theme: "light", width: 1280 },
  ] as const,
  1,
);

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const card = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

/** Expects no horizontal overflow. */
const expectFits = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

const picture = async (page: Page, name: string, { locale, theme, width }: (typeof LOOKS)[number]) => {
  // Sticky elements would be in the wrong place in a screenshot of the whole page.
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, `e2e/shots/subscription/${name}-${locale}-${theme}-${width}.png`, { fullPage: true });
};

test.beforeEach(async ({ server, reader }) => clearPlans(server, reader));
// The server is shared with other tests.
test.afterEach(async ({ server, reader }) => clearPlans(server, reader));

test("without any plan it shows Demo, and refers to the administrator", async ({ page, context, server }) => {
  await signIn(context, await signUp(server));
  await page.goto(`${server.origin}/subscription`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Тариф");
  await expect(region(page, uk.present.title)).toContainText("Demo");
  await expect(region(page, uk.present.title)).toContainText(uk.free);
  await expect(region(page, uk.usage.title)).toContainText(uk.usage.no_limit);
  await expect(region(page, uk.chart.title)).toContainText(uk.chart.nothing);
  await expect(region(page, uk.history.title)).toContainText(uk.history.nothing);
  await expectAccessible(page);
  await region(page, uk.plans.title).getByRole("link", { name: uk.contact }).click();
  await expect(page).toHaveURL(/\/contact$/);
});

for (const look of LOOKS) {
  const t = TEXTS[look.locale];
  test(`the plan, its minutes and their use (${look.locale}, ${look.theme}, ${look.width})`, async ({
    page,
    context,
    server,
    reader,
  }) => {
    const user = await signUp(server);
    const starter = await makePlan(server, reader, STARTER);
    await makePlan(server, reader, PRO);
    await givePlan(server, reader, user, starter.id);
    const job = await finishedJob(server, user, recording("short.mp3", SHORT), {
      transcription_type: "full",
      language_code: "en",
    });
    await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 });
    await signIn(context, user, look);
    await page.goto(`${server.origin}/subscription`);
    const present = region(page, t.present.title);
    await expect(present).toContainText(STARTER.name as string);
    await expect(present).toContainText(look.locale === "uk" ? "99,50" : "99.50");
    const usage = region(page, t.usage.title);
    await expect(usage.getByRole("progressbar", { name: t.usage.bar })).toHaveAttribute("aria-valuemax", "120");
    await expect(usage).toContainText("119");

    const history = region(page, t.history.title);
    await expect(history.getByRole("row").filter({ hasText: t.changes.settle })).toContainText("−");
    await expect(history).not.toContainText(t.changes.reserve);
    await expect(history.getByRole("row").filter({ hasText: t.changes.plan })).toContainText(STARTER.name as string);
    await expect(history.getByRole("link", { name: job.original_filename }).first()).toHaveAttribute(
      "href",
      `/transcription/${job.my_job_id}`,
    );

    const chart = region(page, t.chart.title);
    await expect(chart.getByRole("img")).toBeVisible();
    await chart.getByText(t.chart.table).click();
    await expect(chart.getByRole("row")).toHaveCount(2);

    const plans = region(page, t.plans.title);
    await expect(plans.getByRole("heading", { level: 3 })).toHaveText([STARTER.name as string, PRO.name as string]);
    await expect(card(page, STARTER.name as string)).toContainText(t.plans.present);
    await expect(card(page, PRO.name as string)).toContainText(t.rules.comparison.fast);
    await expectFits(page);
    await expectAccessible(page);
    await picture(page, "page", look);

    await card(page, PRO.name as string)
      .getByRole("button", { name: t.plans.ask })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(t.request.message_label).fill("Нам потрібні мовці й аналітика.");
    await expectAccessible(page);
    await picture(page, "request", look);
    await dialog.getByRole("button", { name: t.request.send }).click();
    const open = region(page, t.request.open.replace("{{plan}}", PRO.name as string));
    await expect(open).toContainText("Нам потрібні мовці");
    await expectAccessible(page);
    await picture(page, "asked", look);
  });
}

async function requestPlan(page: Page, plan: string, message = "") {
  await card(page, plan).getByRole("button", { name: uk.plans.ask }).click();
  await page.getByRole("dialog").getByLabel(uk.request.message_label).fill(message);
  await page.getByRole("dialog").getByRole("button", { name: uk.request.send }).click();
}

async function openRequestOf(server: Parameters<typeof send>[0], admin: Session, user: Session): Promise<string> {
  const { requests } = await send<{ requests: { id: string; user_id: string }[] }>(server, admin, "GET", "/admin/plan-requests");
  return requests.find(({ user_id }) => user_id === user.user.id)?.id ?? "";
}

test("a request is withdrawn, repeated and granted", async ({ page, context, server, reader }) => {
  const user = await signUp(server);
  await makePlan(server, reader, STARTER);
  const pro = PRO.name as string;
  await makePlan(server, reader, PRO);
  await signIn(context, user);
  // The dashboard's button links to the comparison.
  await page.goto(`${server.origin}/dashboard`);
  await expect(region(page, dashboardUk.plan.title)).toContainText("Demo");
  await page.getByRole("link", { name: dashboardUk.plan.upgrade }).click();
  await expect(page).toHaveURL(/\/subscription#plans$/);
  await expect(page.getByRole("heading", { name: uk.plans.title })).toBeInViewport();

  await page.getByRole("button", { name: uk.plans.ask }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(uk.request.message_label).fill("ї".repeat(1001));
  await dialog.getByRole("button", { name: uk.request.send }).click();
  await expect(dialog.getByText(rulesUk.violations.too_long.replace("{{max}}", "1000"))).toBeVisible();
  await expect(dialog.getByLabel(uk.request.message_label)).toBeFocused();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Відкинути" }).click();
  await expect(dialog).toHaveCount(0);

  await requestPlan(page, pro);
  const open = region(page, uk.request.open.replace("{{plan}}", pro));
  await expect(open).toBeVisible();
  // Only one request at a time: the buttons are disabled.
  const other = card(page, STARTER.name as string).getByRole("button", { name: uk.plans.ask });
  await expect(other).toHaveAttribute("aria-disabled", "true");
  await expect(other).toHaveAccessibleDescription(new RegExp(uk.plans.waiting));
  await open.getByRole("button", { name: uk.request.withdraw }).click();
  await expect(open).toHaveCount(0);

  await requestPlan(page, pro, "Дуже треба");
  await expect(open).toBeVisible();
  const declined = await openRequestOf(server, reader, user);
  await send(server, reader, "POST", `/admin/plan-requests/${declined}/decision`, { approve: false, answer: "Ще не час" });
  await page.reload();
  await expect(region(page, uk.request.declined.replace("{{plan}}", pro))).toContainText("Ще не час");

  await requestPlan(page, pro);
  await expect(open).toBeVisible();
  const approved = await openRequestOf(server, reader, user);
  await send(server, reader, "POST", `/admin/plan-requests/${approved}/decision`, { approve: true, answer: "Гаразд" });
  await page.reload();
  await expect(region(page, uk.request.approved.replace("{{plan}}", pro))).toContainText("Гаразд");
  await expect(region(page, uk.present.title)).toContainText(pro);
  await page.goto(`${server.origin}/dashboard`);
  await expect(region(page, dashboardUk.plan.title)).toContainText(pro);
  await expect(region(page, dashboardUk.plan.title)).toContainText("299");
  await expect(region(page, dashboardUk.left.title)).toContainText("1 000".replace(" ", "\u00A0"));
});

test("features missing in the plan are disabled in a preset's settings, with a link to the plans", async ({
  page,
  context,
  server,
  reader,
}) => {
  const user = await signUp(server);
  const starter = await makePlan(server, reader, STARTER);
  await givePlan(server, reader, user, starter.id);
  await signIn(context, user);
  await page.goto(`${server.origin}/presets`);
  await page.getByRole("button", { name: "Створити пресет", exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  const speakers = dialog.getByRole("checkbox", { name: configureUk.speakers.diarization });
  await expect(speakers).toHaveAttribute("aria-disabled", "true");
  await expect(speakers).toHaveAccessibleDescription(new RegExp(rulesUk.violations.feature_not_in_plan));
  await speakers.click({ force: true });
  await expect(speakers).not.toBeChecked();
  await expect(dialog.getByRole("link", { name: "Порівняти тарифи" })).toHaveAttribute("href", "/subscription#plans");
  await expectAccessible(page);
  await shoot(page, "e2e/shots/subscription/preset-basic.png");
  await dialog.getByRole("tab", { name: configureUk.tabs.advanced }).click();
  await expect(dialog.getByText(configureUk.lack.plan_some)).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "e2e/shots/subscription/preset-advanced.png");
});

test("features missing in the plan are shown during and after a job, with a link to the plans", async ({
  page,
  context,
  server,
  reader,
}) => {
  const user = await signUp(server);
  const starter = await makePlan(server, reader, STARTER);
  await givePlan(server, reader, user, starter.id);
  const job = await finishedJob(server, user, recording("short.mp3", SHORT), {
    transcription_type: "full",
    language_code: "en",
  });
  await signIn(context, user);
  await page.goto(`${server.origin}/transcription/${job.my_job_id}?tab=analysis`);
  const lack = (within: Locator) => within.getByText(rulesUk.violations.feature_not_in_plan);
  const part = region(page, analysisUk.parts.summary);
  await part.getByRole("button", { name: analysisUk.ask.summary }).click();
  await expect(lack(part)).toBeVisible();
  await expect(part.getByRole("link", { name: commonUk.compare_plans })).toHaveAttribute("href", "/subscription#plans");
  await expectAccessible(page);
  await shoot(page, "e2e/shots/subscription/analysis.png");

  await page.goto(`${server.origin}/transcription/${job.my_job_id}?assistant=open`);
  const panel = region(page, analysisUk.assistant.title);
  await panel.getByRole("button", { name: analysisUk.assistant.examples.first }).click();
  await expect(lack(panel)).toBeVisible();
  await expect(panel.getByRole("link", { name: commonUk.compare_plans })).toBeVisible();
  await shoot(page, "e2e/shots/subscription/assistant.png");

  // Keeps the job in its earlier state.
  const progress = { stage: "transcribing", percent: 40, seconds_left: 9 };
  await page.route(`**/api/v1/jobs/${job.my_job_id}`, (route) =>
    route.fulfill({ json: { ...job, status: "processing", progress, versions: 0 } }),
  );
  await page.route(`**/api/v1/jobs/${job.my_job_id}/events`, (route) => route.abort());
  await page.goto(`${server.origin}/transcription/${job.my_job_id}`);
  await expect(page.getByTestId("live-text")).toContainText(transcriptUk.live.hidden);
  await expect(page.getByTestId("live-text").getByRole("link", { name: commonUk.compare_plans })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, "e2e/shots/subscription/live.png");
});

test("a failure to load is shown, and can be retried", async ({ page, context, server }) => {
  await signIn(context, await signUp(server));
  let broken = true;
  await page.route("**/api/v1/me/subscription", (route) =>
    broken ? route.fulfill({ status: 500, json: { code: "internal", status: 500 } }) : route.fallback(),
  );
  await page.goto(`${server.origin}/subscription`);
  await expect(page.getByRole("heading", { name: "Помилка завантаження підписки" })).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: "Спробувати ще раз" }).click();
  await expect(region(page, uk.present.title)).toContainText("Demo");
});
