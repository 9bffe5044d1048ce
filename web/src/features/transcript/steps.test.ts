import { expect, it } from "vitest";
import type { Job } from "./model";
import { stepsOf } from "./steps";

const settings = (change: object) => ({ settings: { url: "", summarize: 0, ...change } }) as Pick<Job, "settings">;
const stepTexts = (change: object, stage: string) =>
  stepsOf(settings(change), stage).map(({ name, state }) => `${name} ${state}`);

it("lists the requested stages, completed up to the current one", () => {
  expect(stepTexts({}, "transcribing")).toEqual(["probe done", "transcribing now", "finishing next"]);
  expect(stepTexts({ url: "https://example.org", diarization: true, summarize: 50 }, "speakers")).toEqual([
    "downloading done",
    "probe done",
    "transcribing done",
    "speakers now",
    "finishing next",
    "analysis next",
  ]);
});

it("shows all stages as pending if the current one is unknown", () => {
  expect(stepTexts({}, "queued")).toEqual(["probe next", "transcribing next", "finishing next"]);
});
