import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChipsSelect, matchingOptions } from "./chips-select";

const OPTIONS = [
  { value: "uk", label: "Українська" },
  { value: "en", label: "Англійська" },
  { value: "es", label: "Іспанська" },
  { value: "pl", label: "Польська" },
];
let root: Root;
let selected: readonly string[];

function Select({ start }: { start: string[] }) {
  const [values, setValues] = useState(start);
  selected = values;
  return (
    <ChipsSelect
      id="languages"
      options={OPTIONS}
      selected={values}
      onChange={setValues}
      removeLabel={(label) => `Видалити: ${label}`}
      placeholder="Будь-яка"
      listLabel="Мови"
      nothing="Такої мови немає"
    />
  );
}

const show = (...start: string[]) => act(async () => root.render(<Select start={start} />));
const input = () => document.querySelector("input") as HTMLInputElement;
const offered = () => [...document.querySelectorAll("[role=option]")].map((option) => option.textContent);
const active = () => document.getElementById(input().getAttribute("aria-activedescendant") ?? "")?.textContent;
const press = (key: string, on: Element = input()) =>
  act(async () => void on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
const type = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input(), text);
    input().dispatchEvent(new Event("input", { bubbles: true }));
  });

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
});

it("finds options by the beginning, by a part and by the whole value", () => {
  const found = (text: string) => matchingOptions(OPTIONS, text).map(({ value }) => value);
  expect(found("")).toEqual(["uk", "en", "es", "pl"]);
  expect(found(" ПОЛЬ")).toEqual(["pl"]);
  expect(found("йська")).toEqual(["en"]);
  expect(found("es")).toEqual(["es"]);
  expect(found("e")).toEqual([]);
});

it("adds what is searched for with Enter, and offers it no more", async () => {
  await show();
  expect(input().getAttribute("aria-expanded")).toBe("false");
  await type("англ");
  expect(offered()).toEqual(["Англійська"]);
  await press("Enter");
  expect(selected).toEqual(["en"]);
  expect(input().value).toBe("");
  expect(offered()).toEqual(["Українська", "Іспанська", "Польська"]);
  await type("англ");
  expect(offered()).toEqual([]);
  expect(document.querySelector("[role=status]")?.textContent).toBe("Такої мови немає");
  await press("Enter");
  expect(selected).toEqual(["en"]);
});

it("is used with the keys alone", async () => {
  await show();
  await press("ArrowDown");
  expect(active()).toBe("Українська");
  await press("ArrowUp");
  expect(active()).toBe("Польська");
  await press("Enter");
  expect(selected).toEqual(["pl"]);
  await press("Escape");
  expect(input().getAttribute("aria-expanded")).toBe("false");
  await press("Backspace");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Видалити: Польська");
  await press("Delete", document.activeElement as Element);
  expect(selected).toEqual([]);
});

it("does not send a form with Enter while the list is closed", async () => {
  await show("uk");
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  await act(async () => void input().dispatchEvent(enter));
  expect(enter.defaultPrevented).toBe(true);
  expect(selected).toEqual(["uk"]);
});

it("adds an option by the pointer and keeps the focus in the input", async () => {
  await show("uk");
  await act(async () => input().focus());
  await act(async () => input().click());
  const option = document.querySelector("[role=option]") as HTMLElement;
  const down = new MouseEvent("mousedown", { bubbles: true, cancelable: true });
  await act(async () => void option.dispatchEvent(down));
  expect(down.defaultPrevented).toBe(true);
  await act(async () => option.click());
  expect(selected).toEqual(["uk", "en"]);
  expect(document.activeElement).toBe(input());
});

it("shows an unknown value as it is, so that it can be removed", async () => {
  await show("xx");
  const remove = document.querySelector("button") as HTMLButtonElement;
  expect(remove.getAttribute("aria-label")).toBe("Видалити: xx");
  await act(async () => remove.click());
  expect(selected).toEqual([]);
});
