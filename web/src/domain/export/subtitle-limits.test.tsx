import i18next from "i18next";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/lib/i18n";
import { show } from "@/lib/test-page";
import { defaultChoice, type Guide } from "./subtitle-choice";
import { SubtitleLimits } from "./subtitle-limits";

const root = createRoot(document.body.appendChild(document.createElement("div")));

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  await startI18n();
});
afterEach(async () => {
  await act(async () => root.unmount());
  await i18next.changeLanguage("uk");
});

it("shows the limits of each guide in both languages", async () => {
  const summaryOf = async (guide: Guide) => {
    await show(root, <SubtitleLimits value={{ ...defaultChoice(), guide }} onChange={() => undefined} />);
    const select = document.querySelector("select");
    return document.getElementById(select?.getAttribute("aria-describedby") ?? "")?.textContent?.replaceAll("\u00a0", " ");
  };
  expect(await summaryOf("usual")).toBe("42 знаки в рядку, 17 знаків за секунду, від 1 до 7 секунд.");
  expect(await summaryOf("netflix")).toBe("42 знаки в рядку, 17 знаків за секунду (20 англійською), від 5/6 до 7 секунд.");
  expect(await summaryOf("bbc")).toBe("37 знаків у рядку, 15 знаків за секунду, від 1 до 7 секунд.");
  expect(await summaryOf("own")).toBe("Введіть власні значення.");
  await act(() => i18next.changeLanguage("en"));
  expect(await summaryOf("usual")).toBe("42 characters per line, 17 characters per second, from 1 to 7 seconds.");
  expect(await summaryOf("netflix")).toBe(
    "42 characters per line, 17 characters per second (20 in English), from 5/6 to 7 seconds.",
  );
  expect(await summaryOf("bbc")).toBe("37 characters per line, 15 characters per second, from 1 to 7 seconds.");
});
