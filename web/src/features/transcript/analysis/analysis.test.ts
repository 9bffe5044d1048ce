import { describe, expect, it } from "vitest";
import type { Analysis, AnalysisView } from "@/api/analysis";
import { curveOf, moodOf } from "./curve";
import { fileName, srtText, translationText, vttText } from "./files";
import { isEmpty, newestRuns, outcomeOf, repeatedRequest, stateOf, targetsOf } from "./model";

const analysis = (change: Partial<Analysis>): Analysis => ({
  id: "1",
  part: "summary",
  target: "",
  status: "done",
  percent: 100,
  seconds_left: null,
  engine: { kind: "embedded", model: "e5" },
  params: { words: null, labels: [], prompt: null },
  made_from_seq: 0,
  is_stale: false,
  error: null,
  created_at: "2026-11-21T09:00:00Z",
  finished_at: null,
  outcome: { part: "summary", sentences: [], words: 0, extractive: true },
  ...change,
});

const moment = (start: number, end: number) => ({ segment: "s", start, end });

describe("the state of a part", () => {
  it("keeps an older result while a newer one is being made", () => {
    const parts = [analysis({ id: "2", status: "running", percent: 40, outcome: null }), analysis({ id: "1" })];
    const state = stateOf({ parts }, "summary");
    expect(state.running?.id).toBe("2");
    expect(state.done.map(({ id }) => id)).toEqual(["1"]);
    expect(state.failed).toBeNull();
  });

  it("shows a failure of the newest run only", () => {
    const failed = analysis({ id: "2", status: "failed", error: "analysis_busy", outcome: null });
    expect(stateOf({ parts: [failed, analysis({ id: "1" })] }, "summary").failed?.id).toBe("2");
    expect(stateOf({ parts: [analysis({ id: "3" }), failed] }, "summary").failed).toBeNull();
  });

  it("is separate for each language", () => {
    const of = (target: string) => analysis({ part: "translation", target, outcome: { part: "translation", segments: [] } });
    const parts = [of("french"), of("german"), of("french")];
    expect(targetsOf({ parts }, "translation")).toEqual(["french", "german"]);
    expect(stateOf({ parts }, "translation", "french").done).toHaveLength(2);
    expect(stateOf({ parts }, "translation").done).toHaveLength(0);
  });

  it("is sorted by the request of its newest run", () => {
    const at = (minute: number) => `2026-11-21T09:0${minute}:00Z`;
    const parts = [
      analysis({ id: "5", part: "translation", target: "thai", created_at: at(3) }),
      analysis({ id: "4", status: "running", created_at: at(2) }),
      analysis({ id: "1", status: "failed", created_at: at(1) }),
      analysis({ id: "3", part: "sentiment", created_at: at(0) }),
    ];
    expect(newestRuns({ parts }).map(({ id }) => id)).toEqual(["3", "4", "5"]);
  });

  it("ignores outcomes of other parts", () => {
    const odd = analysis({ part: "sentiment" });
    expect(outcomeOf(odd, "sentiment")).toBeNull();
    expect(stateOf({ parts: [odd] }, "sentiment").done).toHaveLength(0);
  });

  it("repeats a request with the same parameters only", () => {
    expect(repeatedRequest(analysis({ params: { words: 120, labels: [], prompt: null } }))).toEqual({
      part: "summary",
      words: 120,
    });
    expect(repeatedRequest(analysis({ part: "translation", target: "thai" }))).toEqual({ part: "translation", target: "thai" });
  });

  it("is empty only without results and without available parts", () => {
    const view: AnalysisView = {
      version: 1,
      seq: 0,
      statistics: { duration: 0, speech: 0, silence: 0, words: 0, overlaps: 0, overlapped: 0, speakers: [] },
      parts: [],
      available: [],
      text_goes_to: null,
    };
    const available = [{ part: "summary" as const, engine: null, reason: "not_configured" as const }];
    expect(isEmpty({ ...view, available })).toBe(true);
    expect(isEmpty({ ...view, available: [{ part: "summary", engine: { kind: "embedded", model: "e5" } }] })).toBe(false);
    expect(isEmpty({ ...view, parts: [analysis({})] })).toBe(false);
  });
});

describe("the curve", () => {
  const points = [0.8, -0.4, 0, 0].map((score, at) => ({ moment: moment(at, at + 1), score }));

  it("has all points if they fit", () => {
    expect(curveOf(points, 60).map(({ mood }) => mood)).toEqual(["positive", "negative", "neutral", "neutral"]);
  });

  it("merges neighbours weighted by duration if they do not fit", () => {
    const long = { moment: moment(1, 4), score: -0.4 };
    const [first, second] = curveOf([points[0], long, ...points.slice(2)] as typeof points, 2);
    expect(first).toMatchObject({ start: 0, end: 4 });
    expect(first?.score).toBeCloseTo((0.8 - 1.2) / 4);
    expect(second?.mood).toBe("neutral");
    expect(curveOf([], 60)).toEqual([]);
  });

  it("stays within its bounds for any input", () => {
    const odd = [7, Number.NaN, -7].map((score) => ({ moment: moment(0, 0), score }));
    expect(curveOf(odd, 60).map(({ score }) => score)).toEqual([1, -1]);
    expect([moodOf(0.2), moodOf(0.1), moodOf(-0.2)]).toEqual(["positive", "neutral", "negative"]);
  });
});

describe("translations as files", () => {
  it("contain the speakers", () => {
    const segments = [
      { moment: moment(0, 1), speaker: "SPEAKER_0", text: "Hello." },
      { moment: moment(1, 2), speaker: null, text: "Hi." },
    ];
    expect(translationText(segments, new Map([["SPEAKER_0", "Olena"]]))).toBe("Olena: Hello.\nHi.\n");
  });

  it("are valid subtitles for any text", () => {
    const cues = [
      { start: 1.2344, end: 3661.5, lines: ["One", "two\n\n3\n00:00:00,000 --> x"] },
      { start: 4, end: 5, lines: ["Three"] },
    ];
    expect(srtText(cues)).toBe(
      "1\n00:00:01,234 --> 01:01:01,500\nOne\ntwo\n3\n00:00:00,000 --> x\n\n2\n00:00:04,000 --> 00:00:05,000\nThree\n",
    );
    expect(vttText([...cues, { start: 6, end: 7, lines: ["<b>R&D</b>"] }])).toBe(
      "WEBVTT\n\n00:00:01.234 --> 01:01:01.500\nOne\ntwo\n3\n00:00:00,000 --&gt; x\n\n" +
        "00:00:04.000 --> 00:00:05.000\nThree\n\n00:00:06.000 --> 00:00:07.000\n&lt;b&gt;R&amp;D&lt;/b&gt;\n",
    );
    expect(fileName("Розмова", "french", "srt")).toBe("Розмова.french.srt");
    expect(fileName("", "french", "txt")).toBe("slovo.french.txt");
  });
});
