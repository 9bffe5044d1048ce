import { describe, expect, it } from "vitest";
import { offersSystemAudio, troubleOf } from "./capture";

describe("what the browser's refusal means", () => {
  it.each([
    ["NotAllowedError", "denied"],
    ["SecurityError", "denied"],
    ["NotFoundError", "no_device"],
    ["OverconstrainedError", "no_device"],
    ["NotReadableError", "busy"],
    ["TypeError", "failed"],
  ])("%s: %s", (name, trouble) => {
    expect(troubleOf(new DOMException("", name))).toBe(trouble);
  });

  it("is something else where it is no error at all", () => {
    expect(troubleOf("no")).toBe("failed");
  });
});

it("offers the sound of a tab only where the browser has it", () => {
  const devices = (constraints: object, display = true) =>
    ({ getSupportedConstraints: () => constraints, ...(display && { getDisplayMedia: () => {} }) }) as unknown as MediaDevices;
  expect(offersSystemAudio(devices({ suppressLocalAudioPlayback: true }))).toBe(true);
  expect(offersSystemAudio(devices({}))).toBe(false);
  expect(offersSystemAudio(devices({ suppressLocalAudioPlayback: true }, false))).toBe(false);
  expect(offersSystemAudio(undefined)).toBe(false);
});
