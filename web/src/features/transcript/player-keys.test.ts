// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { belongsElsewhere, commandFor } from "./player-keys";

const NONE = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

describe("commandFor", () => {
  it.each([
    [{ ...NONE, key: " " }, { kind: "toggle" }],
    [
      { ...NONE, key: "ArrowLeft" },
      { kind: "skip", seconds: -5 },
    ],
    [
      { ...NONE, key: "ArrowRight", shiftKey: true },
      { kind: "skip", seconds: 10 },
    ],
    [
      { ...NONE, key: ">", shiftKey: true },
      { kind: "rate", step: 1 },
    ],
    [{ ...NONE, key: "ArrowLeft", altKey: true }, null],
    [{ ...NONE, key: "b", ctrlKey: true }, null],
    [{ ...NONE, key: "x" }, null],
    // The Ukrainian layout.
    [
      { ...NONE, key: "Б", code: "Comma", shiftKey: true },
      { kind: "rate", step: -1 },
    ],
    [
      { ...NONE, key: "Ю", code: "Period", shiftKey: true },
      { kind: "rate", step: 1 },
    ],
    [{ ...NONE, key: "б", code: "Comma" }, null],
  ])("%j", (key, command) => {
    expect(commandFor(key)).toEqual(command);
  });
});

describe("belongsElsewhere", () => {
  const toggle = { kind: "toggle" } as const;
  const skip = { kind: "skip", seconds: 5 } as const;

  it.each([
    ["<p></p>", false, false],
    ["<textarea></textarea>", true, true],
    ["<input type='range'>", false, false],
    ["<input type='text'>", true, true],
    ["<select></select>", true, true],
    ["<div contenteditable='true'></div>", true, true],
    ["<button></button>", true, false],
    ["<div data-arrow-keys><span tabindex='0'></span></div>", false, true],
    ["<div role='menu'><div role='menuitem'></div></div>", true, true],
  ])("%s", (html, forToggle, forSkip) => {
    document.body.innerHTML = html;
    const target = document.querySelector("span, [role='menuitem']") ?? document.body.firstElementChild;
    expect([belongsElsewhere(target, toggle), belongsElsewhere(target, skip)]).toEqual([forToggle, forSkip]);
  });
});
