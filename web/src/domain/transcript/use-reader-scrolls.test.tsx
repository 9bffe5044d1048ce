// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pageScrolls } from "./page-scroll";
import { useReaderScrolls } from "./use-reader-scrolls";

const onScroll = vi.fn();
let root: Root;

function Page() {
  useReaderScrolls(onScroll);
  return (
    <>
      <p>text</p>
      <section data-player="">
        <input type="range" />
      </section>
    </>
  );
}

function fire(selector: string, event: Event) {
  document.querySelector(selector)?.dispatchEvent(event);
}

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  onScroll.mockClear();
  pageScrolls.takenOver();
  document.body.innerHTML = "<main></main>";
  root = createRoot(document.querySelector("main") as HTMLElement);
  await act(async () => root.render(<Page />));
});

afterEach(() => act(async () => root.unmount()));

it("reports scrolls that the page did not announce", () => {
  window.dispatchEvent(new Event("scroll"));
  expect(onScroll).toHaveBeenCalledOnce();
});

it("does not report the page's own scrolls, until the reader uses the wheel", () => {
  pageScrolls.own();
  window.dispatchEvent(new Event("scroll"));
  expect(onScroll).not.toHaveBeenCalled();
  window.dispatchEvent(new Event("wheel"));
  window.dispatchEvent(new Event("scroll"));
  expect(onScroll).toHaveBeenCalledTimes(2);
});

it.each([
  ["p", "touchmove", "", 1],
  ["input", "touchmove", "", 0],
  ["p", "keydown", "ArrowDown", 1],
  ["input", "keydown", "ArrowDown", 0],
  ["p", "keydown", "ArrowLeft", 0],
] as const)("on %s, %s %s is heard %i times", (selector, type, key, times) => {
  fire(selector, key ? new KeyboardEvent(type, { key, bubbles: true }) : new Event(type, { bubbles: true }));
  expect(onScroll).toHaveBeenCalledTimes(times);
});
