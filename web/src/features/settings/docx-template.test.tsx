import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { settle, show } from "@/lib/test-page";
import { DocxTemplateSection } from "./docx-template";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));

it("shows why the template could not be uploaded, until it is", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  let refused = true;
  vi.stubGlobal("fetch", async () =>
    refused
      ? Response.json({ code: "internal", status: 500, title: "", type: "about:blank" }, { status: 500 })
      : Response.json({ template: null }),
  );
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  await show(root, <DocxTemplateSection />);
  const alert = () => document.querySelector("[role=alert]")?.textContent;
  expect(alert()).toMatch(/^codes\./);
  refused = false;
  const retry = [...document.querySelectorAll("button")].find((element) => element.textContent === "docx_template.retry");
  await act(async () => retry?.click());
  await settle();
  expect(alert()).toBe("");
  expect(document.body.textContent).toContain("docx_template.none");
  await act(async () => root.unmount());
});
