// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { selectedSpan } from "./selected-span";

const TIMES = { starts: Float64Array.of(0, 1, 2, 3), ends: Float64Array.of(0.8, 1.8, 2.8, 3.8) };

const word = (number: number) => document.querySelector(`[data-w="${number}"]`)?.firstChild as Text;

function select(from: Node, fromAt: number, to: Node, toAt: number) {
  const range = document.createRange();
  range.setStart(from, fromAt);
  range.setEnd(to, toAt);
  const selection = getSelection() as Selection;
  selection.removeAllRanges();
  selection.addRange(range);
  return selectedSpan(selection, TIMES);
}

beforeEach(() => {
  document.body.innerHTML =
    '<main><p><span data-w="0">one</span> <span data-w="1">two</span></p><p><span data-w="2">three</span></p><p id="x">no word</p></main>';
});

it("covers the first to the last touched word", () => {
  expect(select(word(0), 1, word(2), 2)).toEqual({ from: 0, to: 2.8 });
});

it("covers a word of which a part is selected", () => {
  expect(select(word(1), 0, word(1), 2)).toEqual({ from: 1, to: 1.8 });
});

it("is null if no word is selected", () => {
  const text = document.querySelector("#x")?.firstChild as Text;
  expect(select(text, 0, text, 3)).toBeNull();
  expect(select(word(1), 1, word(1), 1)).toBeNull();
  expect(selectedSpan(null, TIMES)).toBeNull();
});
