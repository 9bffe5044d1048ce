/** The duration of a running recording. */
import { expect, type Page } from "@playwright/test";

/** In seconds. The timer counts samples, so it is the recorded duration. */
export async function recorded(page: Page): Promise<number> {
  const [minutes, seconds] = ((await page.getByTestId("voice-timer").textContent()) ?? "").split(":").map(Number);
  return (minutes ?? 0) * 60 + (seconds ?? 0);
}

export const expectSeconds = (page: Page, least: number) => expect.poll(() => recorded(page)).toBeGreaterThanOrEqual(least);
