import { expect, it } from "vitest";
import { combosOf, keyCaps } from "./shortcuts";

const NONE = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

it.each([
  [{ ...NONE, key: "?", shiftKey: true }, "Linux", ["?"]],
  [{ ...NONE, key: ",", shiftKey: true, code: "Digit7" }, "Linux", [","]],
  [{ ...NONE, key: "f", ctrlKey: true }, "Win32", ["Ctrl+F", "Mod+F"]],
  [{ ...NONE, key: "f", ctrlKey: true }, "MacIntel", ["Ctrl+F"]],
  [{ ...NONE, key: "f", metaKey: true }, "MacIntel", ["Meta+F", "Mod+F"]],
  [{ ...NONE, key: "K", altKey: true, shiftKey: true }, "Linux", ["Alt+Shift+K"]],
  [{ ...NONE, key: " ", ctrlKey: true }, "Linux", ["Ctrl+Space", "Mod+Space"]],
  [{ ...NONE, key: "и", code: "KeyB" }, "Linux", ["B"]],
])("%j on %s is %j", (event, platform, combos) => {
  expect(combosOf(event, platform)).toEqual(combos);
});

it("labels the keys as on the keyboard", () => {
  expect(keyCaps("Mod+Shift+Z", "Space", "MacIntel")).toEqual(["⌘", "⇧", "Z"]);
  expect(keyCaps("Mod+Space", "Пробіл", "Linux x86_64")).toEqual(["Ctrl", "Пробіл"]);
  expect(keyCaps("ArrowLeft", "Space", "Linux")).toEqual(["←"]);
});
