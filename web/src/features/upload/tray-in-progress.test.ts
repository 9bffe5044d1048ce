import { expect, it } from "vitest";
import { uploadsInProgress } from "./tray-in-progress";
import type { TrayItem } from "./tray-model";
import type { UploadPhase } from "./upload-model";

const file = (phase: UploadPhase, size = 100, sent = 0) =>
  ({
    kind: "file",
    key: phase,
    name: phase,
    state: { phase, sent, file: { name: phase, size, type: "" } },
  }) as unknown as TrayItem;

it("is null without running uploads", () => {
  expect(uploadsInProgress([])).toBeNull();
  const address = { kind: "url", key: "u", name: "u" } as unknown as TrayItem;
  expect(uploadsInProgress([file("ready"), file("failed"), address])).toBeNull();
});

it("counts incomplete files, and the bytes of all files", () => {
  const items = [file("ready", 300), file("uploading", 100, 50), file("next", 100), file("failed", 1_000)];
  expect(uploadsInProgress(items)).toEqual({ count: 2, percent: 70, state: "sending" });
});

it("is waiting or paused only if no upload is running", () => {
  expect(uploadsInProgress([file("waiting"), file("next")])?.state).toBe("waiting");
  expect(uploadsInProgress([file("paused"), file("next")])?.state).toBe("paused");
  expect(uploadsInProgress([file("paused"), file("uploading")])?.state).toBe("sending");
  expect(uploadsInProgress([file("checking", 100, 100)])).toEqual({ count: 1, percent: 100, state: "sending" });
});
