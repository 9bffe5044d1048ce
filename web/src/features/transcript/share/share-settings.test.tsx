// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { beforeAll, expect, it, vi } from "vitest";
import { api, type Share } from "@/api";
import { startI18n } from "@/lib/i18n";
import { settle, show } from "@/lib/test-page";
import uk from "@/locales/uk/sharing.json";
import { ShareSettings } from "./share-settings";

beforeAll(startI18n);

const SHARE = { id: "s1", rights: "read", with_media: true, with_confidence: false, has_password: false } as Share;

it("requires the owner's confirmation each time visitors are allowed to edit without a password", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const put = vi.spyOn(api, "PUT").mockResolvedValue({ data: SHARE, response: new Response() } as never);
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  // The link itself still allows only reading.
  await show(root, <ShareSettings jobId="j1" share={SHARE} />);
  const rights = document.querySelector("select") as HTMLSelectElement;
  const word = () => [...document.querySelectorAll("label")].find((element) => element.textContent === uk.share.editing.confirm);
  const box = () => document.getElementById(word()?.htmlFor ?? "");
  await act(async () => {
    rights.value = "edit";
    rights.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await act(async () => box()?.click());
  expect(box()?.getAttribute("aria-checked")).toBe("true");
  await act(async () => {
    document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  });
  await settle();
  expect(put.mock.calls[0]?.[1]).toMatchObject({ body: { rights: "edit", edit_without_password: true } });
  expect(box()?.getAttribute("aria-checked")).toBe("false");
  await act(async () => root.unmount());
});
