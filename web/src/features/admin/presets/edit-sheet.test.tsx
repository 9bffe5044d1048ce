import { act } from "react";
import { createRoot } from "react-dom/client";
import { beforeAll, expect, it, vi } from "vitest";
import type { ManagedPreset } from "@/api/managed-presets";
import { TooltipProvider } from "@/components/tooltip";
import { choiceRows, type Settings } from "@/domain/settings";
import { startI18n } from "@/lib/i18n";
import { settle, show } from "@/lib/test-page";
import { defaultSettings } from "@/rules";
import { EditSheet } from "./edit-sheet";

beforeAll(startI18n);

it("saves every setting with a list of choices", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const sent: { settings: Settings }[] = [];
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
  const rows = choiceRows("advanced");
  const selects = [...document.querySelectorAll<HTMLSelectElement>("[role=tabpanel] select")];
  for (const { name, choices } of rows) {
    const select = selects.find(({ options }) => `${[...options].map(({ value }) => value)}` === `${choices}`);
    if (!select) throw new Error(`No select for ${name}`);
    expect(select.value).toBe(choices[0]);
    await act(async () => {
      select.value = choices[1] ?? "";
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  await act(async () => document.querySelector("form")?.requestSubmit());
  await settle();
  expect(sent.map(({ settings }) => rows.map(({ name }) => settings[name]))).toEqual([rows.map(({ choices }) => choices[1])]);
  expect(closed).toHaveBeenCalled();
  await act(async () => root.unmount());
});
