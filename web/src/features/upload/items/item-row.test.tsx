import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/tooltip";
import { startI18n } from "@/lib/i18n";
import type { FileItem } from "../tray-model";
import type { UploadPhase } from "../upload-model";
import { ItemRow } from "./item-row";

let root: Root;
const pause = vi.fn();
const resume = vi.fn();

const item = (phase: UploadPhase) =>
  ({
    kind: "file",
    key: "a",
    name: "a.mp3",
    own: null,
    track: null,
    file: null,
    readDuration: null,
    state: {
      phase,
      file: { name: "a.mp3", size: 8, type: "audio/mpeg" },
      sent: 4,
      rate: { bytesPerSecond: null, secondsLeft: null },
      upload: null,
      failure: null,
      queued: null,
      submitting: false,
      jobError: null,
      pause,
      resume,
    },
  }) as unknown as FileItem;

const show = (phase: UploadPhase) =>
  act(async () =>
    root.render(
      <TooltipProvider>
        <ItemRow item={item(phase)} choice={null} sayJobError={false} onDiscard={() => {}} />
      </TooltipProvider>,
    ),
  );
const buttons = () => [...document.querySelectorAll("button")];
const focus = () => act(async () => buttons()[0]?.focus());
const press = () => act(async () => (document.activeElement as HTMLElement).click());

beforeEach(async () => {
  await startI18n();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => act(async () => root.unmount()));

it("keeps the focus on the button that pauses and resumes", async () => {
  await show("uploading");
  const [button] = buttons();
  await focus();
  const label = button?.getAttribute("aria-label");
  await press();
  await show("paused");
  expect(document.activeElement).toBe(button);
  expect(button?.getAttribute("aria-label")).not.toBe(label);
  await press();
  expect([pause.mock.calls.length, resume.mock.calls.length]).toEqual([1, 1]);

  await show("checking");
  expect(document.activeElement).toBe(button);
  expect(button?.getAttribute("aria-disabled")).toBe("true");
  await press();
  expect([pause.mock.calls.length, resume.mock.calls.length]).toEqual([1, 1]);
});

it("moves the focus within its row when the pause button disappears, but only if it had the focus", async () => {
  await show("checking");
  await focus();
  await show("ready");
  expect(buttons()).toHaveLength(1);
  expect(document.activeElement).toBe(buttons()[0]);

  await show("uploading");
  await act(async () => (document.activeElement as HTMLElement).blur());
  await show("ready");
  expect(document.activeElement).toBe(document.body);
});
