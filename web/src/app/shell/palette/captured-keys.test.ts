import { afterEach, expect, it, vi } from "vitest";
import { type CapturedKeys, captureKeys } from "./captured-keys";

let captured: CapturedKeys | null = null;
afterEach(() => captured?.end());

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.body.dispatchEvent(event);
  return event;
}

it("captures typed text until the field is loaded, and keeps it from the page", () => {
  const page = vi.fn();
  document.body.addEventListener("keydown", page);
  captured = captureKeys(window, () => undefined);
  for (const key of ["з", "в", "і", "х", "Backspace", "т", " ", "Shift", "1"]) press(key, { shiftKey: key === "Shift" });
  expect(press("Enter").defaultPrevented).toBe(true);
  expect(page.mock.calls.map(([event]) => (event as KeyboardEvent).key)).toEqual(["Shift"]);
  expect(captured.end()).toBe("звіт 1");
  expect(press("a").defaultPrevented).toBe(false);
  document.body.removeEventListener("keydown", page);
});

it("ignores shortcuts, and is cancelled by Escape", () => {
  const onEscape = vi.fn();
  captured = captureKeys(window, onEscape);
  expect(press("k", { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(press("Escape").defaultPrevented).toBe(true);
  expect(onEscape).toHaveBeenCalledOnce();
  expect(captured.end()).toBe("");
});
