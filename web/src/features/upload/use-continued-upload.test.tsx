import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { ApiError } from "@/api";
import { startI18n } from "@/lib/i18n";
import { toast } from "@/lib/toast";
import { fetchUpload } from "./api";
import type { FileItem, Recording, RefusedRecording, TrayState } from "./tray-model";
import { uploadTray } from "./upload-tray";
import { useContinuedUpload } from "./use-continued-upload";

vi.mock("./api", () => ({ fetchUpload: vi.fn() }));
vi.mock("./upload-tray", () => ({
  uploadTray: createStore<Partial<TrayState>>()(() => ({ items: [], restore: async () => {}, addRecording: vi.fn() })),
}));

const UPLOAD = { filename: "call.mp3", size: 9, stored: 9, kind: "file", complete: true, media: { duration: 60 } };
const added = vi.fn<(owner: string, recording: Recording) => Promise<"full" | null>>();

let root: Root;
let taken: number;
let refused: RefusedRecording[];
let address: string;

function Page() {
  address = useLocation().search;
  useContinuedUpload({
    owner: "ann",
    onTaken: () => {
      taken += 1;
    },
    onRefused: (refusal) => refused.push(refusal),
  });
  return null;
}

async function open(search: string) {
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={[`/upload${search}`]}>
        <Page />
      </MemoryRouter>,
    ),
  );
}

beforeAll(startI18n);
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  [taken, refused] = [0, []];
  added.mockReset().mockResolvedValue(null);
  vi.mocked(fetchUpload)
    .mockReset()
    .mockResolvedValue(UPLOAD as never);
  uploadTray.setState({ items: [], addRecording: added as never });
  root = createRoot(document.createElement("div"));
});
afterEach(() => act(async () => root.unmount()));

it("adds the upload to the tray once, and removes it from the URL", async () => {
  await open("?source=url&continue=u1");
  expect(added).toHaveBeenCalledExactlyOnceWith("ann", { id: "u1", filename: "call.mp3", size: 9, duration: 60, kind: "file" });
  expect(taken).toBe(1);
  expect(address).toBe("?source=url");
});

it("ignores an upload sent from this page", async () => {
  const item = { kind: "file", key: "k", state: { phase: "ready", upload: { upload_id: "u1" } } } as unknown as FileItem;
  uploadTray.setState({ items: [item] });
  await open("?continue=u1");
  expect(added).not.toHaveBeenCalled();
  expect(taken).toBe(1);
});

it("shows why it cannot be continued", async () => {
  added.mockResolvedValue("full");
  await open("?continue=u1");
  expect(refused).toEqual([{ name: "call.mp3", reason: "full" }]);
  const showError = vi.spyOn(toast, "error").mockReturnValue(1);
  vi.mocked(fetchUpload).mockRejectedValue(new ApiError({ status: 410, code: "upload_expired" }));
  await act(async () => root.unmount());
  root = createRoot(document.createElement("div"));
  await open("?continue=u2");
  expect(showError.mock.calls[0]?.[0]).toMatch(/^Не вдалося продовжити/);
  expect(taken).toBe(0);
});

it("does nothing without the parameter", async () => {
  await open("");
  expect(fetchUpload).not.toHaveBeenCalled();
});
