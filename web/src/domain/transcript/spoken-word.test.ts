import { beforeEach, describe, expect, it } from "vitest";
import { createWordMark, wordOf } from "./spoken-word";

beforeEach(() => {
  document.body.innerHTML = `<div id="text"><span data-w="0">Слово</span> <span data-w="1"><b>до</b></span></div>`;
});

const text = () => document.getElementById("text") as HTMLElement;
const marked = () => [...document.querySelectorAll("[data-spoken]")].map((element) => element.textContent);

describe("the mark", () => {
  it("is on one word at a time", () => {
    const mark = createWordMark(text(), "data-spoken");
    mark.show(0);
    expect(marked()).toEqual(["Слово"]);
    mark.show(1);
    expect(marked()).toEqual(["до"]);
    mark.clear();
    expect(marked()).toEqual([]);
  });

  it("is restored when the row of its word is rendered again", () => {
    const mark = createWordMark(text(), "data-spoken");
    mark.show(2);
    expect(marked()).toEqual([]);
    text().insertAdjacentHTML("beforeend", `<span data-w="2">діла</span>`);
    mark.refresh();
    expect(marked()).toEqual(["діла"]);
    text().innerHTML = `<span data-w="2">діла</span>`;
    mark.show(2);
    expect(marked()).toEqual(["діла"]);
  });
});

it("finds the clicked word", () => {
  expect(wordOf(document.querySelector("b"))).toBe(1);
  expect(wordOf(text())).toBe(-1);
});
