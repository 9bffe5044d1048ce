// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { commandFor, isHandledElsewhere, PLAYER_SHORTCUTS } from "./player-keys";

const NONE = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

const skip = (seconds: number) => ({ kind: "skip", seconds });

describe("commandFor", () => {
  it.each([
    [{ ...NONE, key: " " }, { kind: "toggle" }],
    [{ ...NONE, key: " ", ctrlKey: true }, { kind: "toggle" }],
    [{ ...NONE, key: "k", altKey: true }, { kind: "toggle" }],
    [{ ...NONE, key: "ArrowLeft" }, skip(-5)],
    [{ ...NONE, key: "ArrowRight", shiftKey: true }, skip(10)],
    [{ ...NONE, key: "l", altKey: true }, skip(5)],
    [{ ...NONE, key: "J", altKey: true, shiftKey: true }, skip(-10)],
    [
      { ...NONE, key: ">", shiftKey: true },
      { kind: "rate", step: 1 },
    ],
    [
      { ...NONE, key: ",", altKey: true },
      { kind: "rate", step: -1 },
    ],
    [
      { ...NONE, key: "a" },
      { kind: "mark", end: "from" },
    ],
    [
      { ...NONE, key: "b" },
      { kind: "mark", end: "to" },
    ],
    [{ ...NONE, key: "Escape" }, { kind: "end_loop" }],
    // Keys used by the browser and the text.
    [{ ...NONE, key: "ArrowLeft", altKey: true }, null],
    [{ ...NONE, key: "ArrowLeft", ctrlKey: true }, null],
    [{ ...NONE, key: "b", ctrlKey: true }, null],
    [{ ...NONE, key: "a", ctrlKey: true }, null],
    [{ ...NONE, key: "a", metaKey: true }, null],
    [{ ...NONE, key: "r", ctrlKey: true }, null],
    [{ ...NONE, key: "l", ctrlKey: true }, null],
    // AltGr is reported as Ctrl+Alt on some layouts.
    [{ ...NONE, key: "k", ctrlKey: true, altKey: true }, null],
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
    [{ ...NONE, key: "л", code: "KeyK", altKey: true }, { kind: "toggle" }],
    [{ ...NONE, key: "д", code: "KeyL", altKey: true }, skip(5)],
    // What Option turns the key into on a Mac.
    [{ ...NONE, key: "˚", code: "KeyK", altKey: true }, { kind: "toggle" }],
    [{ ...NONE, key: "б", code: "Comma" }, null],
  ])("%j", (key, command) => {
    expect(commandFor(key)?.command ?? null).toEqual(command);
  });

  it("knows which keys work while typing", () => {
    expect(commandFor({ ...NONE, key: "k", altKey: true })).toMatchObject({ whileTyping: true, character: false });
    expect(commandFor({ ...NONE, key: "k" })).toMatchObject({ whileTyping: false, character: true });
    expect(commandFor({ ...NONE, key: "ArrowLeft" })).toMatchObject({ whileTyping: false, character: false });
  });

  it("has a different combination for each command", () => {
    const all = PLAYER_SHORTCUTS.flatMap(({ combos, typing = [] }) => [...combos, ...typing]);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("isHandledElsewhere", () => {
  const toggle = { command: { kind: "toggle" }, whileTyping: false, character: false } as const;
  const forward = { command: { kind: "skip", seconds: 5 }, whileTyping: false, character: false } as const;
  const typed = { ...toggle, whileTyping: true };
  const leave = { ...toggle, command: { kind: "end_loop" } } as const;

  it.each([
    ["<p></p>", false, false, false, false],
    ["<textarea></textarea>", true, true, false, false],
    ["<input type='range'>", false, false, false, false],
    ["<input type='text'>", true, true, false, false],
    ["<select></select>", true, true, false, false],
    ["<div contenteditable='true'></div>", true, true, false, false],
    ["<button></button>", true, false, false, false],
    ["<div data-arrow-keys><span tabindex='0'></span></div>", false, true, false, false],
    ["<div role='menu'><div role='menuitem'></div></div>", true, true, true, true],
    ["<div role='dialog'><span></span></div>", true, true, true, true],
  ])("%s", (html, forToggle, forSkip, forTyped, forEscape) => {
    document.body.innerHTML = html;
    const target = document.querySelector("span, [role='menuitem']") ?? document.body.firstElementChild;
    expect([
      isHandledElsewhere(target, toggle, " "),
      isHandledElsewhere(target, forward, "ArrowRight"),
      isHandledElsewhere(target, typed, " "),
      isHandledElsewhere(target, leave, "Escape"),
    ]).toEqual([forToggle, forSkip, forTyped, forEscape]);
  });

  it("leaves a letter to the focused button", () => {
    document.body.innerHTML = "<button></button>";
    expect(isHandledElsewhere(document.querySelector("button"), toggle, "k")).toBe(false);
  });
});
