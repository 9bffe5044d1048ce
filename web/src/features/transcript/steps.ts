/** The stages of a job, in order. */
import { asksForAnalysis, wantsSpeakers } from "@/rules";
import type { Job } from "./model";

export type StepName = "downloading" | "probe" | "transcribing" | "speakers" | "finishing" | "analysis";

export interface Step {
  name: StepName;
  state: "done" | "now" | "next";
}

/** The stages of this job; the current one by its name in the API, with all earlier ones done. */
export function stepsOf({ settings }: Pick<Job, "settings">, stage: string): Step[] {
  const names: StepName[] = [
    ...(settings.url ? (["downloading"] as const) : []),
    "probe",
    "transcribing",
    ...(wantsSpeakers(settings) ? (["speakers"] as const) : []),
    "finishing",
    ...(asksForAnalysis(settings) ? (["analysis"] as const) : []),
  ];
  const current = (names as readonly string[]).indexOf(stage);
  return names.map((name, at) => ({ name, state: at < current ? "done" : at === current ? "now" : "next" }));
}
