/** The application's page without scripts: a message in both languages, because the reader's is unknown. */
import { test } from "../built-page";
import { expect } from "../test";
import { LOCALES, textsOf } from "../texts";

test.use({ javaScriptEnabled: false });

for (const width of [390, 1280]) {
  test(`shows the requirement in both languages (${width} px)`, async ({ page, origin }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${origin}/dashboard`);
    for (const locale of LOCALES) {
      const notice = page.getByText(textsOf(locale, "common").noscript, { exact: true });
      await expect(notice).toBeInViewport({ ratio: 1 });
      await expect(notice).toHaveAttribute("lang", locale);
    }
  });
}
