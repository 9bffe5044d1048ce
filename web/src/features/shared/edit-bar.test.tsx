// @vitest-environment happy-dom
import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EditBar } from "./edit-bar";
import type { EditingState } from "./editing";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));

let root: Root;

function Page() {
  const [on, turn] = useState(false);
  const [name, setName] = useState("");
  const [canUndo, setCanUndo] = useState(true);
  const editing = { may: true, ended: null, status: "idle", on, turn, canUndo, undo: () => setCanUndo(false) };
  return <EditBar editing={editing as unknown as EditingState} visitor={{ name, setName }} onBegin={() => undefined} />;
}

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () => root.render(<Page />));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const button = (name: string) =>
  [...document.querySelectorAll("button")].find((element) => element.textContent === `page.editing.${name}`) as HTMLButtonElement;
const press = (name: string) =>
  act(async () => {
    button(name).focus();
    button(name).click();
  });
const field = () => document.querySelector("input");

it("focuses the mode button after a name was given", async () => {
  await press("mode");
  expect(document.activeElement).toBe(field());
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field(), "Марта");
    field()?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => {
    document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  });
  expect(field()).toBeNull();
  expect(button("mode").getAttribute("aria-pressed")).toBe("true");
  expect(document.activeElement).toBe(button("mode"));
});

it("closes the name form on Escape or Cancel", async () => {
  await press("mode");
  await act(async () => field()?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(button("mode"));
  await press("mode");
  await press("cancel");
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(button("mode"));
  expect(button("mode").getAttribute("aria-pressed")).toBe("false");
});

it("keeps the focus when the last edit was undone", async () => {
  await press("undo");
  expect(button("undo")).toBeUndefined();
  expect(document.activeElement).toBe(button("mode"));
});
