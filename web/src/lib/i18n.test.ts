import i18next from "i18next";
import { expect, test } from "vitest";
import { loadTextsFor, startTexts } from "./i18n";

test("only administrators preload the texts of their area", async () => {
  const isLoaded = (namespace: string) => i18next.hasResourceBundle("uk", namespace);
  await startTexts(["common"], "uk");
  await loadTextsFor("user");
  expect(["transcript", "problems", "admin", "admin-plans"].map(isLoaded)).toEqual([true, true, false, false]);
  await loadTextsFor("admin");
  expect(["admin", "admin-plans"].map(isLoaded)).toEqual([true, true]);
});
