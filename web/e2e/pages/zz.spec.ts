import { signIn } from "../accounts";
import { ADMIN, openAsAdmin } from "../admin-world";
import { ApiKeysWorld, KEYS } from "../api-keys-world";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { mockApi, SESSION } from "../mock-api";
import { textsOf } from "../texts";

const LOOKS = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
] as const;
for (const look of LOOKS) {
  const { locale, theme, width } = look;
  const t = textsOf(locale, "api-keys");
  test(`shots ${locale}`, async ({ page, origin }) => {
    const shot = (name: string) =>
      page.waitForTimeout(500).then(() => page.screenshot({ path: `/tmp/keys-shots/${name}-${locale}-${theme}-${width}.png` }));
    const world = new ApiKeysWorld();
    await mockApi(page, { signedIn: true, jobs: [] });
    const session = { ...SESSION, user: { ...SESSION.user, role: ADMIN.user.role } };
    await intercept(page, "**/api/v1/auth/me", (route) => route.fulfill({ json: session.user }));
    await world.mock(page);
    await page.setViewportSize({ width, height: 844 });
    await signIn(page.context(), session, { locale, theme });
    await page.goto(`${origin}/settings?tab=api-keys`);
    await page.getByText("Home Assistant").waitFor();
    await shot("settings");
    await page.getByRole("button", { name: /Home Assistant/ }).click();
    await shot("revoke");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: t.new.open }).click();
    await shot("create");
    world.refusals.POST = {
      code: "validation_failed",
      status: 422,
      errors: [
        { field: "name", code: "group_name_required", params: {} },
        { field: "scopes", code: "list_empty", params: {} },
      ],
    };
    await page.getByRole("button", { name: t.new.submit }).click();
    await shot("refused");
    await page.getByRole("textbox").first().fill("Розклад уроків");
    await page.getByRole("button", { name: t.new.submit }).click();
    await shot("secret");
    await page.keyboard.press("Escape");
    world.keys = [];
    await page.reload();
    await page.getByText(t.empty).waitFor();
    await shot("empty");
    world.inPlan = false;
    world.keys = [...KEYS];
    await page.reload();
    await page.getByText("Home Assistant").waitFor();
    await shot("no-plan");
  });
  test(`admin ${locale}`, async ({ page, origin }) => {
    const shot = (name: string) =>
      page.waitForTimeout(500).then(() => page.screenshot({ path: `/tmp/keys-shots/${name}-${locale}-${theme}-${width}.png` }));
    const world = new ApiKeysWorld();
    world.owned = [...KEYS, ...KEYS].map((key, at) => ({
      user_id: `u-${at}`,
      email: at % 2 ? "olena.kovalenko@example.org" : "volodymyra.nesterenko-kotsiubynska@archive-of-the-region.example.org",
      key: { ...key, id: key.id + at },
    }));
    await page.setViewportSize({ width, height: 844 });
    const entry = (n: number, api_key: string | null, action = "user.revoke_key") => ({
      id: `01981d3e-0000-7000-8000-${String(n).padStart(12, "0")}`,
      action,
      actor_email: "olena@example.org",
      actor_id: null,
      api_key,
      before: { name: "Home Assistant" },
      after: null,
      created_at: `2026-11-21T08:4${n}:00Z`,
      target_id: "u-1",
      target_kind: "user",
      target_name: "t@e.org",
    });
    await openAsAdmin(
      page,
      `${origin}/admin`,
      { audit: { items: [entry(1, "Нічна перевірка"), entry(2, null)], next_cursor: null } },
      look,
    );
    await world.mock(page);
    await page.goto(`${origin}/admin/sign-ins?tab=api-keys`);
    await page.getByText("Home Assistant").first().waitFor();
    await page.getByRole("button", { name: t.admin.more }).click();
    await page.waitForTimeout(300);
    await shot("admin");
    await page.goto(`${origin}/admin/audit`);
    await page.getByText("olena@example.org").first().waitFor();
    await shot("audit");
  });
}
