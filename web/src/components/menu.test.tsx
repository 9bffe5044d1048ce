import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadMenus, Menu, MenuItem } from "./menu";
import { loadTooltips, Tooltip } from "./tooltip";

const onSelect = vi.fn();
let root: Root;

const button = () => document.querySelector("button") as HTMLButtonElement;
const press = (key: string) =>
  act(async () => void button().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));

// Loading the library may take long on a busy machine.
beforeAll(() => Promise.all([import("./menu-parts"), import("./tooltip-bubble")]), 60_000);
beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () =>
    root.render(
      <Menu
        trigger={
          <button type="button" aria-describedby="hint">
            More
          </button>
        }
      >
        <MenuItem onSelect={onSelect}>Copy</MenuItem>
      </Menu>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
});

it("opens at the first press, which loads its code, under the same button element", async () => {
  const before = button();
  expect([before.getAttribute("aria-haspopup"), before.getAttribute("aria-expanded")]).toEqual(["menu", "false"]);
  before.focus();
  await press("Enter");
  await act(loadMenus);
  await settle();
  const menu = document.querySelector("[role=menu]");
  expect(menu?.textContent).toBe("Copy");
  expect(button()).toBe(before);
  expect(before.getAttribute("aria-expanded")).toBe("true");
  expect(before.getAttribute("aria-controls")).toBe(menu?.id);
  expect(menu?.getAttribute("aria-labelledby")).toBe(before.id);
  await act(async () => document.querySelector<HTMLElement>("[role=menuitem]")?.click());
  expect(onSelect).toHaveBeenCalledOnce();
  await settle();
  expect(document.querySelector("[role=menu]")).toBeNull();
  expect(document.activeElement).toBe(before);
});

it("keeps the focus and the description of a control when its tooltip is loaded", async () => {
  await act(async () =>
    root.render(
      <Tooltip text="Fold">
        <button type="button" aria-describedby="hint">
          F
        </button>
      </Tooltip>,
    ),
  );
  const before = button();
  await act(loadTooltips);
  await act(async () => before.focus());
  await settle();
  expect(document.activeElement).toBe(before);
  const bubble = document.querySelector("[role=tooltip]");
  expect(bubble?.textContent).toBe("Fold");
  expect(before.getAttribute("aria-describedby")).toBe(`hint ${bubble?.id}`);
  await act(async () => before.blur());
  await settle();
  expect(document.querySelector("[role=tooltip]")).toBeNull();
  expect(before.getAttribute("aria-describedby")).toBe("hint");
});
