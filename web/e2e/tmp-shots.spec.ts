import { writeFileSync } from "node:fs";
import { signIn } from "./accounts";
import { test } from "./test";

const PAGES = [
  "/dashboard",
  "/upload",
  "/upload?source=url",
  "/transcriptions",
  "/presets",
  "/subscription",
  "/settings",
  "/admin/overview",
  "/admin/users",
  "/admin/subscriptions",
  "/admin/transcriptions",
  "/admin/presets",
  "/admin/messages",
  "/admin/audit",
  "/admin/config",
];
for (const locale of ["uk", "en"] as const) {
  test(`shots ${locale}`, async ({ page, context, server, reader }) => {
    await page.setViewportSize({ width: 768, height: 1024 });
    await signIn(context, reader, { locale, theme: "light" });
    const found: string[] = [];
    for (const path of PAGES) {
      await page.goto(server.origin + path);
      await page.waitForLoadState("networkidle");
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: `/tmp/shots/${locale}${path.replace(/\W/g, "-")}.png` });
      const cut = await page.evaluate(() => {
        const out: string[] = [];
        for (const e of document.querySelectorAll<HTMLElement>("main *, header *")) {
          if (!e.checkVisibility() || e.closest(".sr-only")) continue;
          const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.nodeValue?.trim());
          const s = getComputedStyle(e);
          if (
            (own || e instanceof HTMLInputElement) &&
            e.scrollWidth > e.clientWidth + 1 &&
            s.display !== "inline" &&
            e.clientWidth > 1
          )
            out.push(`cut ${e.tagName} ${e.scrollWidth}>${e.clientWidth} ${(e.textContent ?? "").slice(0, 40)}`);
          if (e instanceof HTMLInputElement && e.type === "search") out.push(`search ${e.clientWidth}`);
          if (own) {
            const r = document.createRange();
            r.selectNodeContents(e);
            const b = r.getBoundingClientRect();
            const p = e.parentElement!.getBoundingClientRect();
            if (b.right > p.right + 2 && s.position !== "absolute")
              out.push(`over ${e.tagName} ${Math.round(b.right - p.right)} ${(e.textContent ?? "").slice(0, 40)}`);
          }
        }
        if (document.documentElement.scrollWidth > innerWidth) out.push(`PAGE WIDER ${document.documentElement.scrollWidth}`);
        return out;
      });
      found.push(path, ...cut.map((c) => "  " + c));
    }
    writeFileSync(`/tmp/shots/${locale}.txt`, found.join("\n"));
  });
}
