import { expect, it } from "vitest";
import { latinKey } from "./use-hotkey";

it.each([
  ["b", "KeyB", false, "b"],
  ["и", "KeyB", false, "b"],
  ["И", "KeyB", true, "B"],
  ["Б", "Comma", true, "<"],
  ["ю", "Period", false, "."],
  ["є", "Quote", false, "є"],
  ["ArrowLeft", "ArrowLeft", false, "ArrowLeft"],
  // Dvorak: the physical key of B produces x, and Ctrl+X is another shortcut.
  ["x", "KeyB", false, "x"],
])("%s on %s with shift %s is %s", (key, code, shiftKey, latin) => {
  expect(latinKey({ key, code, shiftKey })).toBe(latin);
});
