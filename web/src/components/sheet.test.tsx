import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Sheet } from "./sheet";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));

let root: Root;

/** Pressing `next` in the first sheet replaces it with a second one. */
function Page() {
  const [open, setOpen] = useState<"first" | "second" | null>(null);
  return (
    <>
      <button type="button" onClick={() => setOpen("first")}>
        opener
      </button>
      {open === "first" && (
        <Sheet key="first" title="first" onClose={() => setOpen(null)}>
          <button type="button" onClick={() => setOpen("second")}>
            next
          </button>
        </Sheet>
      )}
      {open === "second" && (
        <Sheet key="second" title="second" onClose={() => setOpen(null)}>
          second
        </Sheet>
      )}
    </>
  );
}

const button = (text: string) =>
  [...document.querySelectorAll("button")].find((element) => element.textContent === text) as HTMLButtonElement;
const press = (text: string) =>
  act(async () => {
    button(text).focus();
    button(text).click();
  });
async function pressEscape() {
  await act(async () => {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  });
  // The dialog restores the focus asynchronously.
  await new Promise((resolve) => setTimeout(resolve));
}

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () => root.render(<Page />));
});
afterEach(() => act(async () => root.unmount()));

it("returns the focus to its opener", async () => {
  await press("opener");
  expect(document.activeElement?.closest("[role=dialog]")).not.toBeNull();
  await pressEscape();
  expect(document.querySelector("[role=dialog]")).toBeNull();
  expect(document.activeElement).toBe(button("opener"));
});

it("returns the focus to the first sheet's opener if it was replaced", async () => {
  await press("opener");
  await press("next");
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("second");
  await pressEscape();
  expect(document.activeElement).toBe(button("opener"));
});
