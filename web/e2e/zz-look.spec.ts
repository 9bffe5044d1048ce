import { test } from "@playwright/test";
import { finishedJob, signIn, signUp } from "./accounts";
import { recording, SHORT } from "./recordings";
import { Server } from "./server";

test("looks", async ({ browser }) => {
  const server = await Server.start({ SLOVO_EDITION: "service", SLOVO_SAMPLE: "true" });
  const reader = await signUp(server);
  const settings = { transcription_type: "full", language_code: "en" } as const;
  const first = await signUp(server);
  for (const [locale, theme, width] of [["uk", "light", 1280], ["en", "dark", 390], ["en", "light", 1280], ["uk", "dark", 390]] as const) {
    const context = await browser.newContext({ viewport: { width, height: 844 }, locale: locale === "uk" ? "uk-UA" : "en-GB" });
    const one = await signUp(server);
    await fetch(`${server.origin}/api/v1/me/preferences`, { method: "PATCH", headers: { authorization: `Bearer ${one.access_token}`, "content-type": "application/json" }, body: JSON.stringify({ locale }) });
    if (locale === "en" && width === 1280) await finishedJob(server, one, recording("short.mp3", SHORT), settings);
    await signIn(context, one, { locale, theme });
    const page = await context.newPage();
    const shot = async (name: string, full = true) => { await page.waitForTimeout(900); await page.screenshot({ path: `/tmp/looks/${name}-${locale}-${theme}-${width}.png`, fullPage: full }); };
    await page.goto(`${server.origin}/dashboard`); await page.waitForLoadState("networkidle"); await shot("dashboard");
    await page.goto(`${server.origin}/transcriptions`); await page.waitForLoadState("networkidle"); await shot("library");
    const link = page.locator("a[href^='/transcription/']").first();
    if (await link.count()) { await link.click(); await page.waitForLoadState("networkidle"); await shot("tour1", false); 
      await page.keyboard.press("Escape"); await shot("sample"); }
    await page.goto(`${server.origin}/presets`); await page.waitForLoadState("networkidle"); await shot("presets");
    await page.goto(`${server.origin}/pricing?lang=${locale}`); await shot("pricing");
    await page.goto(`${server.origin}/?lang=${locale}`); await shot("home");
    await page.goto(`${server.origin}/features?lang=${locale}`); await shot("features");
    await page.goto(`${server.origin}/changelog?lang=${locale}`); await shot("changelog");
    await context.close();
    const admin = await browser.newContext({ viewport: { width, height: 844 } });
    await signIn(admin, reader, { locale, theme });
    const board = await admin.newPage();
    for (const [name, path] of [["config", "/admin/config"], ["config-mail", "/admin/config?section=mail"], ["overview", "/admin"], ["users", "/admin/users"]] as const) {
      await board.goto(server.origin + path); await board.waitForLoadState("networkidle"); await board.waitForTimeout(900);
      await board.screenshot({ path: `/tmp/looks/${name}-${locale}-${theme}-${width}.png`, fullPage: true });
    }
    await admin.close();
  }
  void first;
  await server.stop();
});
