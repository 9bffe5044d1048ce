import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Tooltip as Component, loadTooltips as Load } from "./tooltip";

let root: Root;
let load: typeof Load;
let arrive = () => {};

const button = () => document.querySelector("button") as HTMLButtonElement;
const tooltip = () => document.querySelector("[role=tooltip]");

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.resetModules();
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  vi.doMock("./tooltip-bubble", async (original) => {
    const module = await original<typeof import("./tooltip-bubble")>();
    await arrived;
    return module;
  });
  const module = await import("./tooltip");
  load = module.loadTooltips;
  const Tooltip: typeof Component = module.Tooltip;
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () =>
    root.render(
      <Tooltip text="Files">
        <button type="button">Download</button>
      </Tooltip>,
    ),
  );
  // The test's DOM does not support `:focus-visible`.
  vi.spyOn(button(), "matches").mockImplementation(
    (selector) => selector === ":focus-visible" && document.activeElement === button(),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
  vi.doUnmock("./tooltip-bubble");
  vi.restoreAllMocks();
});

it("appears when its code is loaded and the control still has the focus", async () => {
  await act(async () => button().focus());
  arrive();
  await act(load);
  expect(tooltip()?.textContent).toBe("Files");
});

it("does not appear if the control was pressed before its code was loaded", async () => {
  await act(async () => button().focus());
  await act(async () => button().click());
  arrive();
  await act(load);
  expect(tooltip()).toBeNull();
});

it("disappears if the focus leaves as soon as its code is loaded", async () => {
  await act(async () => button().focus());
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  arrive();
  await load();
  // The tooltip is requested; a sheet that opens now takes the focus before React renders the tooltip.
  await Promise.resolve();
  button().blur();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(tooltip()).toBeNull();
});
