/** An administrator looks at the backups and checks the server. The API is mocked. */
import type { Page } from "@playwright/test";
import type { BackupRun, Backups, DoctorReport } from "../../src/api/schema";
import { openAsAdmin } from "../admin-world";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale, eachLook, shoot } from "../looks";
import { expect, expectAccessible } from "../test";
import { type Locale, textsOf } from "../texts";

const NAME = "20261130T020000Z";

const run = (change: Partial<BackupRun>): BackupRun => ({
  id: "0198c1f2-0000-7000-8000-000000000001",
  outcome: "done",
  started_at: "2026-11-30T02:00:00Z",
  finished_at: "2026-11-30T02:00:09Z",
  name: NAME,
  error: null,
  stored_bytes: 1_300_000,
  total_bytes: 412_000_000,
  ...change,
});

const RUNS: BackupRun[] = [
  run({}),
  run({
    id: "0198c1f2-0000-7000-8000-000000000002",
    outcome: "failed",
    started_at: "2026-11-29T02:00:00Z",
    name: null,
    error: "--backup /mnt/backups: this folder cannot be used: Permission denied (os error 13)",
    stored_bytes: 0,
    total_bytes: 0,
  }),
  run({
    id: "0198c1f2-0000-7000-8000-000000000003",
    outcome: "interrupted",
    started_at: "2026-11-28T02:00:00Z",
    finished_at: null,
    name: null,
  }),
];

const BACKUPS: Backups = {
  daily: true,
  place: "/var/lib/slovo/data/backups",
  with_recordings: false,
  encrypted: false,
  kept: 14,
  running: false,
  runs: RUNS,
};

const REPORT: DoctorReport = {
  findings: [
    { check: "configuration", state: "ok", message: "every option can be used", remedy: null },
    { check: "disk", state: "ok", message: "39.7 GB are free for /var/lib/slovo/data", remedy: null },
    {
      check: "mail",
      state: "warning",
      message: "no mail server is configured: codes for sign-up are only printed and stored",
      remedy: "SLOVO_SMTP_URL=smtps://user:password@host:465",
    },
    {
      check: "upload_size",
      state: "fault",
      message: "a part of an upload of 9 MB is answered with 413 Payload Too Large by the proxy",
      remedy: "nginx: client_max_body_size 0; proxy_request_buffering off; Apache: LimitRequestBody 0",
    },
  ],
};

interface Look {
  theme?: "light" | "dark";
  backups?: Backups;
}

/** A server whose backup takes one more look at it. */
async function open(page: Page, origin: string, locale: Locale, { theme = "light", backups = BACKUPS }: Look = {}) {
  let left = 0;
  const going = run({ id: "0198c1f2-0000-7000-8000-000000000009", outcome: "running", finished_at: null, name: null });
  const done = run({ id: going.id, started_at: going.started_at, name: "20261130T080000Z" });
  let now = backups;
  await openAsAdmin(page, "about:blank", { doctor: REPORT }, { locale, theme });
  await intercept(page, "**/api/v1/admin/backups", (route) => {
    if (route.request().method() === "POST") {
      left = 1;
      now = { ...backups, running: true, runs: [going, ...backups.runs] };
    } else if (now.running && left-- === 0) {
      now = { ...backups, runs: [done, ...backups.runs] };
    }
    return route.fulfill({ json: now });
  });
  await page.goto(`${origin}/admin/config?section=care`);
}

for (const locale of eachLocale("en")) {
  test(`a backup is made and the server is checked, in ${locale}`, async ({ page, origin }) => {
    const { backups, doctor } = textsOf(locale, "admin-care");
    await open(page, origin, locale);
    await expect(page.getByRole("heading", { name: backups.title, exact: true })).toBeVisible();
    await expect(page.getByText(BACKUPS.place)).toBeVisible();
    const rows = page.getByRole("table").getByRole("row");
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(1)).toContainText(NAME);
    await expect(rows.nth(2)).toContainText("Permission denied");
    await expect(rows.nth(3)).toContainText(backups.outcomes.interrupted);
    await page.getByRole("button", { name: backups.start }).click();
    await expect(rows.nth(1)).toContainText(backups.outcomes.running);
    await expect(rows.nth(1)).toContainText("20261130T080000Z");
    await page.getByRole("button", { name: doctor.start }).click();
    const findings = page.getByRole("listitem").filter({ hasText: doctor.remedy });
    await expect(findings).toHaveCount(2);
    await expect(findings.first()).toContainText(doctor.checks.upload_size);
    await expect(findings.first()).toContainText("client_max_body_size");
    await expectAccessible(page);
  });
}

test("without backups it says when the first one is made; turned off, there is no button", async ({ page, origin }) => {
  const { backups } = textsOf("en", "admin-care");
  await open(page, origin, "en", { backups: { ...BACKUPS, runs: [] } });
  await expect(page.getByText(backups.none)).toBeVisible();
  await open(page, origin, "en", { backups: { ...BACKUPS, daily: false, place: "", runs: [] } });
  await expect(page.getByText("SLOVO_BACKUP=off")).toBeVisible();
  await expect(page.getByRole("button", { name: backups.start })).toHaveCount(0);
});

for (const { locale, theme, width } of eachLook([
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "uk", theme: "dark", width: 390 },
  { locale: "en", theme: "dark", width: 1280 },
  { locale: "en", theme: "light", width: 390 },
])) {
  test(`backups and the check look right in ${locale}, ${theme}, ${width}`, async ({ page, origin }) => {
    const { doctor } = textsOf(locale, "admin-care");
    await page.setViewportSize({ width, height: 900 });
    await open(page, origin, locale, { theme });
    await page.getByRole("button", { name: doctor.start }).click();
    await expect(page.getByText(doctor.checks.upload_size)).toBeVisible();
    await shoot(page, `test-results/admin-care-${locale}-${theme}-${width}.png`, { fullPage: true });
  });
}
