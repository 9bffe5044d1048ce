// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { blurAfterDrag, blurAfterPick, releaseFocus } from "./pointer-focus";

function focused<T extends HTMLElement>(html: string): T {
  document.body.innerHTML = html;
  const element = document.body.firstElementChild as T;
  element.focus();
  return element;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a control gives up the focus after the pointer, not after the keyboard", () => {
  it.each([
    [1, false],
    [0, true],
  ])("a button clicked with the count %i", (detail, keeps) => {
    const button = focused("<button></button>");
    releaseFocus({ detail, currentTarget: button });
    expect(document.activeElement === button).toBe(keeps);
  });

  it.each([
    [["pointer"], false],
    [["keyboard"], true],
    [["pointer", "keyboard"], true],
  ])("a select used by %j", (used, keeps) => {
    const select = focused<HTMLSelectElement>("<select><option>1</option><option selected>2</option></select>");
    const picked = vi.fn();
    const handlers = blurAfterPick(picked);
    for (const by of used) {
      by === "pointer" ? handlers.onPointerDown() : handlers.onKeyDown();
    }
    handlers.onChange({ currentTarget: select } as unknown as Parameters<typeof handlers.onChange>[0]);
    expect(picked).toHaveBeenCalledWith("2");
    expect(document.activeElement === select).toBe(keeps);
  });

  it("a drag handle, when the drag has ended", () => {
    const bar = focused("<input type='range'>");
    blurAfterDrag({ currentTarget: bar });
    vi.runAllTimers();
    expect(document.activeElement).toBe(bar);
    window.dispatchEvent(new Event("pointerup"));
    expect(document.activeElement).toBe(bar);
    vi.runAllTimers();
    expect(document.activeElement).not.toBe(bar);
  });
});
