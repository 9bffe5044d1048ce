import { beforeEach, expect, it } from "vitest";
import { originOf, recordOrigin, restoreFocus } from "./focus-origin";

beforeEach(() => {
  document.body.innerHTML = `
    <main tabindex="-1"><div id="text" tabindex="0"><textarea id="field"></textarea></div><button id="opener">…</button></main>
    <div role="menu" aria-labelledby="opener"><div id="entry" tabindex="-1" role="menuitem">Share</div></div>
    <div id="sheet" role="dialog"><button id="inside">…</button></div>`;
});

const element = (id: string) => document.getElementById(id) as HTMLElement;
const focusedId = () => document.activeElement?.id;

it("returns the focus to the element that had it", () => {
  element("opener").focus();
  const origin = originOf(document.activeElement);
  element("inside").focus();
  element("inside").remove();
  restoreFocus(origin);
  expect(focusedId()).toBe("opener");
});

it("focuses an ancestor of a removed field, and the menu's button for a menu item", () => {
  const field = originOf(element("field"));
  element("field").remove();
  restoreFocus(field);
  expect(focusedId()).toBe("text");
  element("text").blur();
  restoreFocus(originOf(element("entry")));
  expect(focusedId()).toBe("opener");
});

it("returns to the opener of a sheet that was replaced by another one", () => {
  recordOrigin(element("sheet"), originOf(element("opener")));
  const second = originOf(element("inside"));
  element("sheet").remove();
  restoreFocus(second);
  expect(focusedId()).toBe("opener");
});

it("does not move the focus if another element has it or none had it before", () => {
  const origin = originOf(element("opener"));
  element("text").focus();
  restoreFocus(origin);
  expect(focusedId()).toBe("text");
  element("text").blur();
  restoreFocus(originOf(document.body));
  expect(document.activeElement).toBe(document.body);
});
