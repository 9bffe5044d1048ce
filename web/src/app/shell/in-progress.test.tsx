import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setInProgress } from "@/lib/in-progress";
import { InProgress } from "./in-progress";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({ t: (key: string, params: object) => `${key} ${JSON.stringify(params)}`, i18n: { language: "uk" } }),
}));

let root: Root;
const show = (path: string) =>
  act(async () =>
    root.render(
      <MemoryRouter key={path} initialEntries={[path]}>
        <InProgress />
      </MemoryRouter>,
    ),
  );
const links = () =>
  [...document.querySelectorAll("a")].map((link) => [link.getAttribute("href"), link.getAttribute("aria-label")]);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(async () => {
  await act(async () => root.unmount());
  setInProgress("uploads", null);
  setInProgress("recording", null);
});

it("shows uploads and recordings on all other pages, with a link back", async () => {
  await show("/dashboard");
  expect(links()).toEqual([]);
  await act(async () => {
    setInProgress("uploads", { count: 2, percent: 41, state: "sending" });
    setInProgress("recording", { seconds: 65, state: "recording" });
  });
  expect(links()).toEqual([
    ["/upload?source=voice", expect.stringContaining("1:05")],
    ["/upload", expect.stringMatching(/uploads\.sending.*"count":2.*41/)],
  ]);
  await show("/upload");
  expect(links()).toEqual([]);
  await show("/settings");
  await act(async () => setInProgress("recording", null));
  expect(links()).toHaveLength(1);
});
