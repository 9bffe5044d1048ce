import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { InlineConfirm } from "./inline-confirm";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key }) }));

let root: Root;
let finish = () => {};
const confirmed = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));

const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (element) => (element.getAttribute("aria-label") ?? element.textContent) === name,
  );
const press = (name: string) => act(async () => button(name)?.click());

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  confirmed.mockClear();
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () =>
    root.render(<InlineConfirm label="End" description="End: Firefox" question="Really?" confirm="Yes" onConfirm={confirmed} />),
  );
});
afterEach(() => act(async () => root.unmount()));

it("acts only after the answer, and moves the focus", async () => {
  await press("End: Firefox");
  expect(confirmed).not.toHaveBeenCalled();
  expect(document.querySelector("fieldset legend")?.textContent).toBe("Really?");
  expect(document.activeElement).toBe(button("Yes"));

  await press("Yes");
  expect(confirmed).toHaveBeenCalledOnce();
  expect(button("Yes")?.getAttribute("aria-disabled")).toBe("true");
  expect(document.activeElement).toBe(button("Yes"));
  await act(async () => finish());
  expect(document.activeElement).toBe(button("End: Firefox"));
});

it.each([
  ["the button", () => press("actions.cancel")],
  [
    "Escape",
    () =>
      act(async () => {
        button("Yes")?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      }),
  ],
])("is cancelled by %s", async (_, callOff) => {
  await press("End: Firefox");
  await callOff();
  expect(confirmed).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button("End: Firefox"));
});
