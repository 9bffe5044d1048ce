/** An administrator chooses the models for Full and Lite. The API is mocked. */
import type { ManagedModel, ManagedModels } from "../../src/api/schema";
import { openAsAdmin } from "../admin-world";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale } from "../looks";
import { expect, expectAccessible } from "../test";
import { textsOf } from "../texts";

const model = (id: string, change: Partial<ManagedModel>): ManagedModel => ({
  id,
  bytes: 81_000_000,
  ended: null,
  fit: "fits",
  kind: "speech",
  licence: "MIT",
  memory_bytes: 210_000_000,
  multilingual: true,
  origin: null,
  partial_bytes: 0,
  state: "installed",
  task: null,
  used_by: [],
  ...change,
});

/** A server's models: two in use, a multilingual one, an English one, and one that is not installed. */
const models = (): ManagedModels => ({
  folder: "/var/lib/slovo/models",
  free_bytes: 82_000_000_000,
  device: { name: "CUDA0", description: "NVIDIA RTX A4000", is_gpu: true },
  hub: "models.example.org",
  source: "hub",
  models: [
    model("base-q8_0", { used_by: ["full"] }),
    model("tiny.en-q8_0", { multilingual: false, used_by: ["lite"] }),
    model("small-q8_0", {}),
    model("base.en-q8_0", { multilingual: false }),
    model("medium-q5_0", { state: "missing" }),
  ],
});

for (const locale of eachLocale("uk")) {
  const t = textsOf(locale, "admin-config").models;

  test(`an installed model is chosen for a mode, and the page shows it (${locale})`, async ({ page, origin }) => {
    const answers: Record<string, ManagedModels> = { models: models() };
    await openAsAdmin(page, `${origin}/admin/config?section=models`, answers, { locale });
    const requests: { id: string | undefined; body: { mode: "full" | "lite" } }[] = [];
    await intercept(page, "**/api/v1/admin/models/*/use", (route) => {
      expect(route.request().method()).toBe("PUT");
      const id = new URL(route.request().url()).pathname.split("/").at(-2);
      const body = route.request().postDataJSON() as { mode: "full" | "lite" };
      requests.push({ id, body });
      const current = answers.models as ManagedModels;
      const serves = (managed: ManagedModel) => {
        const others = managed.used_by.filter((use) => use !== body.mode);
        return { ...managed, used_by: managed.id === id ? [...others, body.mode] : others };
      };
      answers.models = { ...current, models: current.models.map(serves) };
      return route.fulfill({ status: 204 });
    });
    const card = page.getByRole("region", { name: t.title, exact: true });
    const row = (id: string) => card.getByRole("listitem").filter({ has: page.getByText(id, { exact: true }) });
    const use = (mode: "full" | "lite", id: string) =>
      row(id).getByRole("button", { name: t.named.replace("{{action}}", t.use[mode]).replace("{{id}}", id), exact: true });
    const needed = card.getByRole("list", { name: t.needed });

    await expect(row("base-q8_0")).toContainText(t.used_by.full);
    // Full needs a multilingual model; one that is not installed cannot be used.
    await expect(use("lite", "base.en-q8_0")).toBeVisible();
    await expect(use("full", "base.en-q8_0")).toHaveCount(0);
    await expect(use("full", "medium-q5_0")).toHaveCount(0);
    await expectAccessible(page);

    await use("full", "small-q8_0").click();
    await expect(page.getByText(t.chosen.replace("{{id}}", "small-q8_0"))).toBeVisible();
    await expect(row("small-q8_0").getByText(t.used_by.full, { exact: true })).toBeVisible();
    await expect(row("base-q8_0").getByText(t.used_by.full, { exact: true })).toHaveCount(0);
    await expect(needed.getByText("small-q8_0", { exact: true })).toBeVisible();
    await expect(needed.getByText("base-q8_0", { exact: true })).toHaveCount(0);

    await use("lite", "base.en-q8_0").click();
    await expect(row("base.en-q8_0").getByText(t.used_by.lite, { exact: true })).toBeVisible();
    await expect(needed.getByText("tiny.en-q8_0", { exact: true })).toHaveCount(0);
    expect(requests).toEqual([
      { id: "small-q8_0", body: { mode: "full" } },
      { id: "base.en-q8_0", body: { mode: "lite" } },
    ]);

    await page.reload();
    await expect(row("small-q8_0").getByText(t.used_by.full, { exact: true })).toBeVisible();
    await expect(row("base.en-q8_0").getByText(t.used_by.lite, { exact: true })).toBeVisible();
  });

  test(`a refusal is shown, and nothing changes (${locale})`, async ({ page, origin }) => {
    await openAsAdmin(page, `${origin}/admin/config?section=models`, { models: models() }, { locale });
    const card = page.getByRole("region", { name: t.title, exact: true });
    await intercept(page, "**/api/v1/admin/models/*/use", (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/problem+json",
        json: { type: "about:blank", title: "Forbidden", status: 403, code: "forbidden", request_id: "mocked" },
      }),
    );
    const use = t.named.replace("{{action}}", t.use.full).replace("{{id}}", "small-q8_0");
    await card.getByRole("button", { name: use, exact: true }).click();
    await expect(page.getByText(t.use_failed)).toBeVisible();
    await expect(card.getByRole("list", { name: t.needed }).getByText("base-q8_0", { exact: true })).toBeVisible();
  });
}
