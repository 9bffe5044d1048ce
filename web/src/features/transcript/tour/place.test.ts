import { expect, it } from "vitest";
import { type Box, placeBeside } from "./place";

const VIEW = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const MARK = { width: 352, height: 180 };

const inside = ({ left, top }: Pick<Box, "left" | "top">, view: typeof VIEW, mark = MARK) =>
  left >= 0 && top >= 0 && left + mark.width <= view.width && top + mark.height <= view.height;

it("stands under what it is about", () => {
  expect(placeBeside([{ left: 600, top: 100, width: 80, height: 40 }], MARK, VIEW)).toEqual({ left: 600, top: 154 });
});

it("stands over it where there is no room below", () => {
  const at = placeBeside([{ left: 600, top: 740, width: 48, height: 48 }], MARK, VIEW);
  expect(at.top).toBe(740 - 14 - 180);
});

it("covers nothing else that it is about, if there is another place", () => {
  const play = { left: 91, top: 785, width: 56, height: 56 };
  const text = { left: 12, top: 427, width: 366, height: 152 };
  const mark = { width: 352, height: 204 };
  expect(placeBeside([play, text], mark, PHONE).top).toBe(427 - 14 - 204);
  const long = { ...text, top: 100, height: 600 };
  expect(placeBeside([play, long], mark, PHONE).top).toBe(785 - 14 - 204);
});

it("stays within the window, however near the edge what it is about may be", () => {
  for (const view of [VIEW, PHONE]) {
    for (const left of [-20, 0, view.width - 30]) {
      for (const top of [-500, 0, view.height - 30, view.height + 500]) {
        const at = placeBeside([{ left, top, width: 40, height: 40 }], MARK, view);
        expect(inside(at, view), JSON.stringify({ left, top, at })).toBe(true);
      }
    }
  }
});

it("stands in the corner beside what fills the window, and without anything to stand beside", () => {
  const corner = { left: 1280 - 352 - 12, top: 800 - 180 - 12 };
  expect(placeBeside([{ left: 0, top: 0, width: 1280, height: 800 }], MARK, VIEW)).toEqual(corner);
  expect(placeBeside([], MARK, VIEW)).toEqual(corner);
});

it("begins within a window that is too small for it", () => {
  expect(placeBeside([], MARK, { width: 320, height: 150 })).toEqual({ left: 12, top: 12 });
});
