/** Whether what the player stands at can be read where it is. */
import { expect, type Page } from "@playwright/test";

/** Whether the only such line can be read: whole lines of it between what sticks to the top and the player. */
const readable = (page: Page, selector: string) =>
  page.evaluate((wanted) => {
    const [line, ...others] = document.querySelectorAll(wanted);
    const dock = document.querySelector("[data-player]");
    if (!line || !dock || others.length > 0) return `${others.length + (line ? 1 : 0)} lines`;
    const covered = Math.max(
      0,
      ...[...document.querySelectorAll("[data-cover]")].map((one) => one.getBoundingClientRect().bottom),
    );
    const { top, left, height } = line.getBoundingClientRect();
    const floor = dock.getBoundingClientRect().top;
    if (top < covered - 1 || top + Math.min(height, 24) > floor || top + 24 > innerHeight) {
      return `at ${Math.round(top)}, between ${Math.round(covered)} and ${Math.round(floor)}`;
    }
    // What lies over it would be in the way.
    const over = document.elementFromPoint(left + 80, top + Math.min(height, 40) - 8);
    return over && (line.contains(over) || over.contains(line)) ? "readable" : `under ${over?.outerHTML.slice(0, 80)}`;
  }, selector);

export const expectReadable = (page: Page, selector: string) => expect.poll(() => readable(page, selector)).toBe("readable");

/** Moves the player, as a hand on its bar does. */
export const seekTo = (page: Page, bar: string, seconds: number) =>
  page.getByRole("slider", { name: bar }).evaluate((slider: HTMLInputElement, value) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    set?.call(slider, String(value));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }, seconds);
