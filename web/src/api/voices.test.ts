import { describe, expect, it } from "vitest";
import { isUnderWay, type JobVoices, type RememberedVoice } from "./voices";

const text = (change: Partial<JobVoices>): JobVoices => ({
  version: 1,
  looking: false,
  compared: false,
  proposals: [],
  remembered: [],
  ...change,
});

const remembered = (state: RememberedVoice["state"]): RememberedVoice => ({
  speaker: "SPEAKER_0",
  voice: "a",
  name: "Олена",
  state,
});

describe("isUnderWay", () => {
  it.each([
    [text({ looking: true }), true],
    [text({ remembered: [remembered("ready"), remembered("learning")] }), true],
    [text({ compared: true, remembered: [remembered("ready"), remembered("failed")] }), false],
    [text({}), false],
  ])("case %#", (given, expected) => {
    expect(isUnderWay(given)).toBe(expected);
  });
});
