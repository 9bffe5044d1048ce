import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/tooltip";
import { startI18n } from "@/lib/i18n";
import { MAX_OPEN_UPLOADS } from "@/rules/constants";
import type { NotAddedReason, Recording, TrayItem } from "../tray-model";
import { uploadTray } from "../upload-tray";
import { SelectStep } from "./select-step";

const RECORDING: Recording = { id: "v1", filename: "Запис.wav", size: 9, duration: 3 };

/** The props of the recording tab. */
let voice: { hasRoom: (filename: string) => boolean; onUse: (recording: Recording) => Promise<boolean> };
vi.mock("../voice", () => ({
  VoiceTab: (props: typeof voice) => {
    voice = props;
    return null;
  },
}));
const onRefused = vi.fn();
const onContinue = vi.fn();
const addRecording = vi.fn(async (_owner: string, _recording: Recording): Promise<NotAddedReason | null> => null);
let root: Root;

const fill = (count: number) =>
  uploadTray.setState({
    addRecording,
    items: Array.from({ length: count }, (_, n) => ({ kind: "url", key: `${n}` }) as TrayItem),
  });

beforeAll(startI18n);
beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.clearAllMocks();
  addRecording.mockResolvedValue(null);
  fill(0);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={["/upload?source=voice"]}>
          <TooltipProvider>
            <SelectStep
              owner="ann"
              heading={{ current: null }}
              refusals={[]}
              failed={[]}
              chosen={null}
              onFiles={() => {}}
              onRefused={onRefused}
              onDismiss={() => {}}
              onContinue={onContinue}
            />
          </TooltipProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
});
afterEach(() => act(async () => root.unmount()));

it("refuses a recording by name before it is used if the tray is full", async () => {
  fill(MAX_OPEN_UPLOADS);
  expect(voice.hasRoom(RECORDING.filename)).toBe(false);
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({ name: RECORDING.filename, reason: "full" });
  fill(MAX_OPEN_UPLOADS - 1);
  expect(voice.hasRoom(RECORDING.filename)).toBe(true);
  expect(onRefused).toHaveBeenCalledOnce();
});

it("continues with an accepted recording", async () => {
  expect(await act(() => voice.onUse(RECORDING))).toBe(true);
  expect(addRecording).toHaveBeenCalledExactlyOnceWith("ann", RECORDING);
  expect([onContinue.mock.calls.length, onRefused.mock.calls.length]).toEqual([1, 0]);
});

it("returns a recording if the tray became full while its rest was being sent", async () => {
  addRecording.mockResolvedValue("full");
  expect(await act(() => voice.onUse(RECORDING))).toBe(false);
  expect(onContinue).not.toHaveBeenCalled();
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({ name: RECORDING.filename, reason: "full" });
});
