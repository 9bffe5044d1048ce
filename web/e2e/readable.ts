/** Checks that the current position of the player is readable on the screen. */
import { expect, type Page } from "@playwright/test";

/** Expects exactly one such line, fully visible between the sticky header and the player. */
const readable = (page: Page, selector: string) =>
  page.evaluate((selected) => {
    const [line, ...others] = document.querySelectorAll(selected);
    const dock = document.querySelector("[data-player]");
    if (!line || !dock || others.length > 0) return `${others.length + (line ? 1 : 0)} lines`;
    const covered = Math.max(
      0,
      ...[...document.querySelectorAll("[data-cover]")].map((element) => element.getBoundingClientRect().bottom),
    );
    const { top, left, height } = line.getBoundingClientRect();
    const floor = dock.getBoundingClientRect().top;
    if (top < covered - 1 || top + Math.min(height, 24) > floor || top + 24 > innerHeight) {
      return `at ${Math.round(top)}, between ${Math.round(covered)} and ${Math.round(floor)}`;
    }
    // Nothing covers it.
    const over = document.elementFromPoint(left + 80, top + Math.min(height, 40) - 8);
    return over && (line.contains(over) || over.contains(line)) ? "readable" : `under ${over?.outerHTML.slice(0, 80)}`;
  }, selector);

export const expectReadable = (page: Page, selector: string) => expect.poll(() => readable(page, selector)).toBe("readable");

/** Seeks with the seek bar. */
export const seekTo = (page: Page, bar: string, seconds: number) =>
  page.getByRole("slider", { name: bar }).evaluate((slider: HTMLInputElement, value) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    set?.call(slider, String(value));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  }, seconds);
