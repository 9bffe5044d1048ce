import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Button } from "./button";
import { Menu, MenuItem } from "./menu";

let root: Root;

const button = () => document.querySelector("button") as HTMLButtonElement;
const render = (content: React.ReactNode) => act(async () => root.render(content));

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
});
afterEach(() => act(async () => root.unmount()));

it("keeps the focus while it is busy, and ignores clicks and submits", async () => {
  const clicked = vi.fn();
  const submitted = vi.fn((event: React.FormEvent) => event.preventDefault());
  const form = (busy: boolean) => (
    <form onSubmit={submitted}>
      <Button type="submit" busy={busy} onClick={clicked}>
        Save
      </Button>
    </form>
  );
  await render(form(false));
  button().focus();
  await act(async () => button().click());
  expect([clicked.mock.calls.length, submitted.mock.calls.length]).toEqual([1, 1]);

  await render(form(true));
  expect(document.activeElement).toBe(button());
  expect(button().disabled).toBe(false);
  expect([button().getAttribute("aria-disabled"), button().getAttribute("aria-busy")]).toEqual(["true", "true"]);
  await act(async () => button().click());
  expect([clicked.mock.calls.length, submitted.mock.calls.length]).toEqual([1, 1]);

  await render(form(false));
  expect(button().hasAttribute("aria-disabled")).toBe(false);
  await act(async () => button().click());
  expect([clicked.mock.calls.length, submitted.mock.calls.length]).toEqual([2, 2]);
});

it("can be disabled whether it is busy or not", async () => {
  await render(<Button disabled>Save</Button>);
  expect(button().disabled).toBe(true);
  await render(
    <Button disabled busy>
      Save
    </Button>,
  );
  expect(button().disabled).toBe(true);
});

it.each([
  [false, "true"],
  [true, "false"],
])("does not open a menu while it is busy (%s)", async (busy, expanded) => {
  await render(
    <Menu trigger={<Button busy={busy}>Download</Button>}>
      <MenuItem onSelect={() => {}}>TXT</MenuItem>
    </Menu>,
  );
  await act(async () => {
    button().dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, cancelable: true, button: 0 }));
    if (busy) button().dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
  expect(button().getAttribute("aria-expanded")).toBe(expanded);
});
