import { describe, expect, it } from "vitest";
import { freeSpeaker } from "@/domain/transcript/speakers";
import type { EditedSegment } from "../document/model";
import { assignment, turnAt } from "./assign";

const segmentsOf = (speakers: string) =>
  [...speakers].map(
    (letter, at): EditedSegment => ({
      id: String(at),
      revision: at,
      place: { base: at, part: 0 },
      start: at,
      end: at + 1,
      speaker: letter === "-" ? null : `SPEAKER_${letter}`,
      text: "так",
      words: [],
    }),
  );
const speakers = [{ id: "SPEAKER_0" }, { id: "SPEAKER_1" }];

describe("assigning segments to a speaker", () => {
  it("assigns one segment, a turn, or merges two speakers", () => {
    const text = { segments: segmentsOf("00110"), speakers };
    expect(assignment(text, 2, "line", "SPEAKER_0")).toEqual({
      kind: "set_speaker",
      segments: [{ id: "2", revision: 2 }],
      speaker: "SPEAKER_0",
    });
    expect(assignment(text, 2, "turn", "SPEAKER_0")).toMatchObject({ segments: [{ id: "2" }, { id: "3" }] });
    expect(assignment(text, 2, "all", "SPEAKER_0")).toEqual({ kind: "merge_speakers", from: "SPEAKER_1", into: "SPEAKER_0" });
    expect(assignment(text, 0, "all", "SPEAKER_2")).toMatchObject({ kind: "set_speaker", speaker: "SPEAKER_2" });
  });

  it("makes no edit for the same speaker, or without a segment", () => {
    expect(assignment({ segments: segmentsOf("0"), speakers }, 0, "all", "SPEAKER_0")).toBeNull();
    expect(assignment({ segments: segmentsOf("0"), speakers }, -1, "line", "SPEAKER_1")).toBeNull();
  });

  it("numbers a new speaker after the last one, and ends a turn at a segment without speaker", () => {
    expect(freeSpeaker([{ id: "SPEAKER_0" }, { id: "SPEAKER_4" }])).toBe("SPEAKER_5");
    expect(turnAt(segmentsOf("0-0"), 0)).toHaveLength(1);
  });
});
