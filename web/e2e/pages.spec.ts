/** Each page in both languages and themes, on phone and desktop: accessible, without overflow, with screenshots. */

import { signIn } from "./accounts";
import { eachLook, shoot } from "./looks";
import { expect, expectAccessible, test } from "./test";

const LOOKS = eachLook([
  { locale: "uk", theme: "light", width: 390, height: 844 },
  { locale: "en", theme: "dark", width: 1280, height: 800 },
  { locale: "uk", theme: "light", width: 1280, height: 800 },
  { locale: "en", theme: "dark", width: 390, height: 844 },
]);

for (const { width, height, ...look } of LOOKS) {
  test.describe(`${look.locale}, ${look.theme}, ${width} px`, () => {
    test.use({ viewport: { width, height } });

    test("pages", async ({ page, context, server, reader, finished }) => {
      await signIn(context, reader, look);
      const pages = [
        ["dashboard", "/dashboard"],
        ["transcriptions", "/transcriptions"],
        ["upload", "/upload"],
        ["transcript", `/transcription/${finished.my_job_id}`],
        ["profile", "/profile"],
        ["success", "/success"],
        ["settings-profile", "/settings"],
        ["settings-security", "/settings?tab=security"],
        ["settings-preferences", "/settings?tab=preferences"],
        ["admin-users", "/admin/users"],
      ] as const;
      for (const [name, path] of pages) {
        await test.step(name, async () => {
          await page.goto(server.origin + path);
          await expect(page.locator("html")).toHaveAttribute("lang", look.locale);
          await expect(page.locator("html")).toHaveAttribute("data-theme", look.theme);
          const landmark = {
            dashboard: page.getByRole("main").getByText(finished.original_filename),
            transcriptions: page.getByRole("main").getByText(finished.original_filename),
            upload: page.getByRole("main").getByRole("heading"),
            transcript: page.getByTestId("transcript-text"),
            profile: page.locator("input[name=fullname]"),
            success: page.getByRole("main").getByRole("heading"),
            "settings-profile": page.locator("input[autocomplete=name]"),
            "settings-security": page.getByText("127.0.0.1"),
            "settings-preferences": page.getByRole("switch").or(page.getByRole("checkbox")),
            "admin-users": page.getByText(reader.user.email),
          }[name].first();
          await expect(landmark).toBeVisible();
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(overflow, "nothing sticks out to the right").toBeLessThanOrEqual(0);
          await shoot(page, `e2e/shots/${name}-${look.locale}-${look.theme}-${width}.png`);
          await expectAccessible(page);
        });
      }
    });
  });
}
