import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { useHeadingFocus } from "./use-heading-focus";

function Page({ place }: { place: string }) {
  const heading = useHeadingFocus(place);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {place}
    </h1>
  );
}

it("focuses the heading of each page except the first", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  const show = (place: string, frame: string) => act(async () => root.render(<Page key={frame} place={place} />));
  await show("/login", "quiet");
  expect(document.activeElement).toBe(document.body);
  await show("/dashboard", "shell");
  expect(document.activeElement?.textContent).toBe("/dashboard");
  (document.activeElement as HTMLElement).blur();
  // Another text of the same place, such as another language, does not move the focus.
  await show("/dashboard", "shell");
  expect(document.activeElement).toBe(document.body);
  await show("/upload", "shell");
  expect(document.activeElement?.textContent).toBe("/upload");
  // The palette was opened while the page was loading: typing there continues.
  const palette = document.body.appendChild(document.createElement("div"));
  palette.dataset.keepsFocus = "";
  const field = palette.appendChild(document.createElement("input"));
  field.focus();
  await show("/presets", "shell");
  expect(document.activeElement).toBe(field);
  await act(async () => root.unmount());
});
