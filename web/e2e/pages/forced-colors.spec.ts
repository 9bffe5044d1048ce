/** Forced colours. The API is mocked; the page is the built one. */
import type { Locator } from "@playwright/test";
import { openAsAdmin, overviewOf } from "../admin-world";
import { test } from "../built-page";
import { contrast } from "../contrast";
import { expect } from "../test";
import { textsOf } from "../texts";

const shell = textsOf("uk", "shell");
const common = textsOf("uk", "common");
const overview = textsOf("uk", "admin-overview");

const lookOf = (part: Locator) =>
  part.evaluate((element) => {
    const { backgroundColor, color, forcedColorAdjust, borderTopWidth, borderBottomWidth } = getComputedStyle(element);
    return { backgroundColor, color, forcedColorAdjust, borders: [borderTopWidth, borderBottomWidth] };
  });

for (const colorScheme of ["light", "dark"] as const) {
  test(`text on filled areas is readable, and the menu marks only the current page (${colorScheme})`, async ({
    page,
    origin,
  }) => {
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    const answers = { overview: overviewOf({ jobs: 0, made: 0 }), waiting: { contact_messages: 3, plan_requests: 0 } };
    await openAsAdmin(page, `${origin}/admin/overview`, answers, { theme: colorScheme });
    await expect(page.getByTestId("users")).toBeVisible();
    const menu = page.getByRole("navigation", { name: shell.navigation });
    const account = page.getByRole("button", { name: shell.account.label.replace("{{name}}", "Олена Коваленко") });
    const filled = [
      page.getByRole("link", { name: common.new_transcription }),
      page.getByRole("button", { name: overview.days_30 }),
      account.getByText("ОК", { exact: true }),
      menu.getByText("3", { exact: true }).locator("xpath=.."),
    ];
    const paper = await page.locator("html").evaluate((element) => getComputedStyle(element).backgroundColor);
    for (const part of filled) {
      const { backgroundColor, color, forcedColorAdjust } = await lookOf(part);
      expect(contrast(color, backgroundColor, paper), await part.innerText()).toBeGreaterThanOrEqual(4.5);
      // Otherwise the browser puts a backplate in the page's colour behind the text.
      expect(forcedColorAdjust).toBe("none");
    }
    const links = menu.getByRole("link");
    await expect(links.first()).toBeVisible();
    for (const link of await links.all()) {
      const isOpen = (await link.getAttribute("aria-current")) === "page";
      expect((await lookOf(link)).borders, await link.innerText()).toEqual(isOpen ? ["1px", "1px"] : ["0px", "0px"]);
    }
  });
}
