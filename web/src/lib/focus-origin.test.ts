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

it("gives the focus back to what had it", () => {
  element("opener").focus();
  const origin = originOf(document.activeElement);
  element("inside").focus();
  element("inside").remove();
  restoreFocus(origin);
  expect(focusedId()).toBe("opener");
});

it("gives it to what is around a field that is gone, and to a menu's button for its entry", () => {
  const field = originOf(element("field"));
  element("field").remove();
  restoreFocus(field);
  expect(focusedId()).toBe("text");
  element("text").blur();
  restoreFocus(originOf(element("entry")));
  expect(focusedId()).toBe("opener");
});

it("leads through a sheet that another one has taken the place of", () => {
  recordOrigin(element("sheet"), originOf(element("opener")));
  const second = originOf(element("inside"));
  element("sheet").remove();
  restoreFocus(second);
  expect(focusedId()).toBe("opener");
});

it("takes the focus from nobody, and leaves it where nothing had it", () => {
  const origin = originOf(element("opener"));
  element("text").focus();
  restoreFocus(origin);
  expect(focusedId()).toBe("text");
  element("text").blur();
  restoreFocus(originOf(document.body));
  expect(document.activeElement).toBe(document.body);
});
