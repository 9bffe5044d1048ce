import { expect, it } from "vitest";
import { type Box, placeBeside as place, scrollToMakeRoom } from "./place";

const VIEW = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const MARK = { width: 352, height: 180 };

const placeBeside = (about: readonly Box[], mark: typeof MARK, view: typeof VIEW, clear: readonly Box[] = []) =>
  place({ about, clear, view }, mark);

const inside = ({ left, top }: Pick<Box, "left" | "top">, view: typeof VIEW, mark = MARK) =>
  left >= 0 && top >= 0 && left + mark.width <= view.width && top + mark.height <= view.height;

it("is below its target", () => {
  expect(placeBeside([{ left: 600, top: 100, width: 80, height: 40 }], MARK, VIEW)).toEqual({ left: 600, top: 154 });
});

it("is above its target without space below", () => {
  const at = placeBeside([{ left: 600, top: 740, width: 48, height: 48 }], MARK, VIEW);
  expect(at.top).toBe(740 - 14 - 180);
});

it("does not cover its other targets, if possible", () => {
  const play = { left: 91, top: 785, width: 56, height: 56 };
  const text = { left: 12, top: 427, width: 366, height: 152 };
  const mark = { width: 352, height: 204 };
  expect(placeBeside([play, text], mark, PHONE).top).toBe(427 - 14 - 204);
  const long = { ...text, top: 100, height: 600 };
  expect(placeBeside([play, long], mark, PHONE).top).toBe(785 - 14 - 204);
});

it("stays within the window for targets near its edge", () => {
  for (const view of [VIEW, PHONE]) {
    for (const left of [-20, 0, view.width - 30]) {
      for (const top of [-500, 0, view.height - 30, view.height + 500]) {
        const at = placeBeside([{ left, top, width: 40, height: 40 }], MARK, view);
        expect(inside(at, view), JSON.stringify({ left, top, at })).toBe(true);
      }
    }
  }
});

it("is in the corner if the target fills the window, or without a target", () => {
  const corner = { left: 1280 - 352 - 12, top: 800 - 180 - 12 };
  expect(placeBeside([{ left: 0, top: 0, width: 1280, height: 800 }], MARK, VIEW)).toEqual(corner);
  expect(placeBeside([], MARK, VIEW)).toEqual(corner);
});

it("starts inside a window that is too small for it", () => {
  expect(placeBeside([], MARK, { width: 320, height: 150 })).toEqual({ left: 12, top: 12 });
});

it("does not cover the page header, if possible", () => {
  const head = { left: 16, top: 70, width: 358, height: 140 };
  const text = { left: 12, top: 427, width: 366, height: 100 };
  // There is space above the text, but the header would be covered.
  const tall = { width: 352, height: 230 };
  expect(placeBeside([text], MARK, PHONE, [head]).top).toBe(427 + 100 + 14);
  expect(placeBeside([text], tall, { width: 390, height: 700 }, [head]).top).toBe(427 - 14 - 230);
});

it("requests scrolling only if necessary, and only as far as needed", () => {
  const view = { width: 390, height: 730 };
  const head = { left: 16, top: 70, width: 358, height: 145 };
  const text = { left: 12, top: 427, width: 366, height: 180 };
  const play = { left: 90, top: 780, width: 56, height: 56 };
  const mark = { width: 352, height: 204 };
  const about = [play, text];
  const room = scrollToMakeRoom({ about, clear: [head], view }, [text], mark, 56);
  expect(room).toBe(607 + 14 + 204 + 12 - 730);
  const scrolled = ({ top, ...box }: Box) => ({ ...box, top: top - room });
  const after = { about: [play, scrolled(text)], clear: [scrolled(head)], view };
  expect(place(after, mark).top).toBe(730 - 12 - 204);
  expect(scrollToMakeRoom(after, [scrolled(text)], mark, 56)).toBe(0);
  // There is space, or the target would be scrolled away.
  expect(scrollToMakeRoom({ about, clear: [], view }, [text], mark, 56)).toBe(0);
  expect(scrollToMakeRoom({ about: [{ ...text, height: 600 }], clear: [head], view }, [{ ...text, height: 600 }], mark, 56)).toBe(
    0,
  );
});
