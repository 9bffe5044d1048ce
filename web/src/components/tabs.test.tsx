import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TabList, TabPanel, Tabs } from "./tabs";

const TABS = ["one", "two", "three"].map((value) => ({ value, label: value }));
const onValueChange = vi.fn();
let root: Root;

const show = (value: string) =>
  act(async () =>
    root.render(
      <Tabs value={value} onValueChange={onValueChange}>
        <TabList label="numbers" tabs={TABS} />
        <TabPanel value="one">first</TabPanel>
        <TabPanel value="two" keep>
          second
        </TabPanel>
      </Tabs>,
    ),
  );
const tab = (name: string) =>
  [...document.querySelectorAll<HTMLElement>("[role=tab]")].find((element) => element.textContent === name);
const press = (key: string) =>
  act(async () => document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
const stops = () => TABS.map(({ value }) => tab(value)?.tabIndex);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  onValueChange.mockClear();
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
});

it("connects tabs to their panels, and keeps a closed panel mounted only on request", async () => {
  await show("one");
  const panel = document.getElementById(tab("one")?.getAttribute("aria-controls") ?? "");
  expect(panel?.getAttribute("aria-labelledby")).toBe(tab("one")?.id);
  expect(tab("one")?.getAttribute("aria-selected")).toBe("true");
  expect(
    [...document.querySelectorAll("[role=tabpanel]")].map((element) => [
      element.textContent,
      "open" in (element as HTMLElement).dataset,
    ]),
  ).toEqual([
    ["first", true],
    ["second", false],
  ]);
  await show("two");
  expect([...document.querySelectorAll("[role=tabpanel]")].map((element) => element.textContent)).toEqual(["", "second"]);
});

it("moves the focus between tabs by arrow keys, cyclically, without opening them", async () => {
  await show("one");
  expect(stops()).toEqual([0, -1, -1]);
  await act(async () => tab("one")?.focus());
  const way = [];
  for (const key of ["ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "x"]) {
    await press(key);
    way.push(document.activeElement?.textContent);
  }
  expect(way).toEqual(["two", "three", "one", "three", "one", "one"]);
  await press("ArrowRight");
  expect(stops()).toEqual([-1, 0, -1]);
  expect(onValueChange).not.toHaveBeenCalled();
  await act(async () => tab("two")?.click());
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith("two");
  await act(async () => tab("two")?.blur());
  expect(stops()).toEqual([0, -1, -1]);
});
