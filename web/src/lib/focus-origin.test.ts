import { beforeEach, expect, it } from "vitest";
import { giveBack, noteOrigin, originOf } from "./focus-origin";

beforeEach(() => {
  document.body.innerHTML = `
    <main tabindex="-1"><div id="text" tabindex="0"><textarea id="field"></textarea></div><button id="opener">…</button></main>
    <div role="menu" aria-labelledby="opener"><div id="entry" tabindex="-1" role="menuitem">Share</div></div>
    <div id="sheet" role="dialog"><button id="inside">…</button></div>`;
});

const element = (id: string) => document.getElementById(id) as HTMLElement;
const focusedId = () => document.activeElement?.id;

it("gives the focus back to what had it", () => {
  element("opener").focus();
  const origin = originOf(document.activeElement);
  element("inside").focus();
  element("inside").remove();
  giveBack(origin);
  expect(focusedId()).toBe("opener");
});

it("gives it to what is around a field that is gone, and to a menu's button for its entry", () => {
  const field = originOf(element("field"));
  element("field").remove();
  giveBack(field);
  expect(focusedId()).toBe("text");
  element("text").blur();
  giveBack(originOf(element("entry")));
  expect(focusedId()).toBe("opener");
});

it("leads through a sheet that another one has taken the place of", () => {
  noteOrigin(element("sheet"), originOf(element("opener")));
  const second = originOf(element("inside"));
  element("sheet").remove();
  giveBack(second);
  expect(focusedId()).toBe("opener");
});

it("takes the focus from nobody, and leaves it where nothing had it", () => {
  const origin = originOf(element("opener"));
  element("text").focus();
  giveBack(origin);
  expect(focusedId()).toBe("text");
  element("text").blur();
  giveBack(originOf(document.body));
  expect(document.activeElement).toBe(document.body);
});
