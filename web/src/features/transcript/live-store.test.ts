import { describe, expect, it } from "vitest";
import { createLiveStore } from "./live-store";
import type { Job, Segment } from "./model";

function segment(index: number, text = `Речення ${index}.`): Segment {
  return { index, start: index, end: index + 1, speaker: null, text, words: [] };
}

const JOB = {
  my_job_id: "j",
  status: "processing",
  progress: { stage: "transcribing", percent: 10, seconds_left: 20 },
  warnings: [],
} as unknown as Job;

describe("the live store", () => {
  it("adds new segments and remembers which are new", () => {
    const store = createLiveStore();
    store.getState().apply({ type: "state", job: JOB, segments: [segment(0)] });
    expect(store.getState().freshFrom).toBe(Number.POSITIVE_INFINITY);
    store.getState().apply({ type: "segments", segments: [segment(1), segment(2)] });
    expect(store.getState().segments.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(store.getState().freshFrom).toBe(1);
  });

  it("ignores a known segment", () => {
    const store = createLiveStore();
    store.getState().apply({ type: "state", job: JOB, segments: [segment(0), segment(1)] });
    const before = store.getState().segments;
    store.getState().apply({ type: "segments", segments: [segment(1, "інше")] });
    expect(store.getState().segments).toBe(before);
    store.getState().apply({ type: "segments", segments: [segment(1, "інше"), segment(2)] });
    expect(store.getState().segments).toHaveLength(3);
    expect(store.getState().segments[1]?.text).toBe("Речення 1.");
  });

  it("is replaced by a complete state, in which only unknown segments count as new", () => {
    const store = createLiveStore();
    store.getState().apply({ type: "state", job: JOB, segments: [segment(0)] });
    store.getState().apply({ type: "warning", code: "damaged_tail", params: {} });
    store.getState().apply({ type: "state", job: JOB, segments: [segment(0), segment(1)] });
    expect(store.getState().segments).toHaveLength(2);
    expect(store.getState().freshFrom).toBe(1);
    expect(store.getState().warnings).toEqual([]);
  });

  it("keeps the newest progress and the language", () => {
    const store = createLiveStore();
    store.getState().apply({ type: "state", job: JOB, segments: [] });
    store.getState().apply({ type: "progress", stage: "transcribing", percent: 40, seconds_left: null });
    store.getState().apply({ type: "language", code: "uk", probability: 0.98 });
    expect(store.getState().progress).toEqual({ stage: "transcribing", percent: 40, seconds_left: null });
    expect(store.getState().language).toEqual({ code: "uk", probability: 0.98 });
  });

  it("keeps the estimated end stable between two progress events", () => {
    const store = createLiveStore();
    const step = (percent: number, seconds_left: number | null) => {
      store.getState().apply({ type: "progress", stage: "transcribing", percent, seconds_left });
      return store.getState().progress?.seconds_left;
    };
    expect([step(9, 28), step(9, 60), step(9, 20), step(9, null), step(9, 40), step(40, 50)]).toEqual([28, 28, 20, null, 40, 50]);
  });

  it("is separate for each page", () => {
    const first = createLiveStore();
    first.getState().apply({ type: "state", job: JOB, segments: [segment(0)] });
    expect(createLiveStore().getState().segments).toEqual([]);
  });
});
