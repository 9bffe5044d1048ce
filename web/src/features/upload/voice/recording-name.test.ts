import { expect, it } from "vitest";
import { recordingName } from "./recording-name";

it("is sortable and valid in all file systems", () => {
  const at = new Date(2026, 10, 21, 14, 5).getTime();
  expect(recordingName("Запис", at)).toBe("Запис 2026-11-21 14-05.wav");
});
