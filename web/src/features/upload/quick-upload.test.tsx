import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/components/tooltip";
import { startI18n } from "@/lib/i18n";
import { clearHandoff, currentHandoff } from "./handoff";
import { QuickUpload } from "./quick-upload";
import type { RefusedRecording } from "./tray-model";
import { uploadTray } from "./upload-tray";

vi.mock("@/api", async (original) => ({ ...(await original<object>()), useUser: () => ({ id: "ann" }) }));

const restore = vi.fn(async () => {});
const addFiles = vi.fn(async (_owner: string, _files: readonly File[]): Promise<readonly RefusedRecording[]> => []);
const GOOD = new File(["ID3"], "розмова.mp3", { type: "audio/mpeg" });
const BAD = new File(["%PDF"], "нотатки.pdf", { type: "application/pdf" });
const REFUSED: RefusedRecording = { name: BAD.name, reason: "full" };

let root: Root;
let place = "";
function Place() {
  const { pathname, search } = useLocation();
  place = pathname + search;
  return null;
}

const give = (files: readonly File[]) =>
  act(async () => {
    const drop = new Event("drop", { bubbles: true, cancelable: true });
    Object.assign(drop, { dataTransfer: { types: ["Files"], files } });
    window.dispatchEvent(drop);
  });

beforeAll(startI18n);
beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.clearAllMocks();
  uploadTray.setState({ restore, addFiles });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
        <MemoryRouter initialEntries={["/dashboard"]}>
          <TooltipProvider>
            <QuickUpload />
            <Place />
          </TooltipProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  clearHandoff();
});

it("adds dropped files after those of an earlier visit, and continues to the second step", async () => {
  await give([GOOD]);
  expect(addFiles).toHaveBeenCalledExactlyOnceWith("ann", [GOOD]);
  expect(restore.mock.invocationCallOrder[0]).toBeLessThan(addFiles.mock.invocationCallOrder[0] ?? 0);
  expect(place).toBe("/upload");
  expect(currentHandoff()).toEqual({ refusals: [], url: null, more: false });
});

it("stays on the page if all files were refused, and shows why", async () => {
  addFiles.mockResolvedValue([REFUSED]);
  await give([BAD]);
  expect(place).toBe("/dashboard");
  await vi.waitFor(() => expect(document.querySelector("[role=alert]")?.textContent).toContain(BAD.name));
});

it("hands over refusals if some files were accepted", async () => {
  addFiles.mockResolvedValue([REFUSED]);
  await give([GOOD, BAD]);
  expect(place).toBe("/upload");
  expect(currentHandoff()).toEqual({ refusals: [REFUSED], url: null, more: false });
});

it("hands over a pasted URL to its field", async () => {
  await act(async () => {
    const paste = new Event("paste");
    Object.assign(paste, { clipboardData: { files: [], getData: () => " https://example.com/talk.mp3 " } });
    window.dispatchEvent(paste);
  });
  expect(place).toBe("/upload?source=url");
  expect(currentHandoff()).toEqual({ refusals: [], url: "https://example.com/talk.mp3", more: true });
});
