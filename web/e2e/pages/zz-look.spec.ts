import { test, expect } from "../workplace";
import { AnalysisWorld } from "../analysis-world";
import { mockApi } from "../mock-api";
for (const theme of ["light", "dark"]) for (const [w,h] of [[390,844],[1280,800]] as const) for (const lang of ["uk","en"]) {
test(`look ${theme} ${w} ${lang}`, async ({ page, open, world, context }) => {
  await page.emulateMedia({ colorScheme: theme as "light" });
  await page.setViewportSize({ width: w, height: h });
  await page.addInitScript(([l,t]) => { localStorage.setItem("slovo.locale", l as string); localStorage.setItem("slovo.theme", t as string); }, [lang, theme]);
  const analyses = new AnalysisWorld(world);
  analyses.fill();
  await open();
  await page.getByRole("button", { name: /Завантажити|Download/ }).first().click();
  await page.getByRole("radio", { name: /SRT/ }).click();
  await page.waitForTimeout(600);
  await page.locator("select").last().selectOption({ index: 1 }).catch(() => undefined);
  await page.waitForTimeout(200);
  await page.screenshot({ path: `/tmp/shots/ex-${theme}-${w}-${lang}.png` });
  await page.keyboard.press("Escape");
  await page.emulateMedia({ media: "print" });
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/shots/pr-${theme}-${w}-${lang}.png` });
});
}
