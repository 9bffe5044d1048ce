/**
 * Which of a plan's features a setting needs. The server's rule is `check_plan` of crates/rules/src/settings/plan.rs, whose
 * tests hold this list to it: this is what the form goes by, and the server decides.
 */
import type { PlanFeature } from "@/api/subscription";
import type { Settings } from "./settings";

const PLAN_OF: Partial<Record<keyof Settings, PlanFeature>> = {
  diarization: "diarization",
  sentence_diarization: "diarization",
  multichannel: "diarization",
  translate: "translation",
  llm_translation: "translation",
  srt_translation: "translation",
  summarize: "analytics",
  overall_sentiment_analysis: "analytics",
  overall_classification: "analytics",
  classification_labels: "analytics",
  custom_prompt: "analytics",
  srt: "export_formats",
};

/** Whether the plan is known to have nothing of what the setting needs. */
export function notInPlan(has: readonly PlanFeature[] | undefined): (field: keyof Settings) => boolean {
  return (field) => {
    const needed = PLAN_OF[field];
    return has !== undefined && needed !== undefined && !has.includes(needed);
  };
}
