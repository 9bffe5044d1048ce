import { act } from "react";
import { createRoot } from "react-dom/client";
import { beforeAll, expect, it, vi } from "vitest";
import type { ManagedPreset } from "@/api/managed-presets";
import { TooltipProvider } from "@/components/tooltip";
import { startI18n } from "@/lib/i18n";
import { settle, show } from "@/lib/test-page";
import { defaultSettings } from "@/rules";
import { EditSheet } from "./edit-sheet";

beforeAll(startI18n);

it("saves the setting for swear words", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const sent: { settings: { profanity: string } }[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "PUT") sent.push(await request.json());
    return Response.json({});
  });
  const preset = {
    id: "1",
    preset_id: "media",
    name: "Інтерв’ю",
    description: null,
    category: "media",
    is_public: true,
    is_default: false,
    settings: defaultSettings(),
  } as unknown as ManagedPreset;
  const closed = vi.fn();
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  await show(
    root,
    <TooltipProvider>
      <EditSheet preset={preset} onClose={closed} />
    </TooltipProvider>,
  );
  const label = [...document.querySelectorAll("label")].find((one) => one.textContent === "Лайливі слова");
  const choice = document.getElementById(label?.htmlFor ?? "") as HTMLSelectElement;
  expect(choice.value).toBe("keep");
  await act(async () => {
    choice.value = "mask";
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await act(async () => document.querySelector("form")?.requestSubmit());
  await settle();
  expect(sent.map(({ settings }) => settings.profanity)).toEqual(["mask"]);
  expect(closed).toHaveBeenCalled();
  await act(async () => root.unmount());
});
