/** Which of a plan's features a setting needs, as the rules say; the server decides. */
import type { PlanFeature } from "@/api/subscription";
import { PLAN_FEATURE_OF_SETTING } from "@/rules/constants";
import type { Settings } from "./settings";

const PLAN_OF: Partial<Record<keyof Settings, PlanFeature>> = PLAN_FEATURE_OF_SETTING;

/** Whether the plan is known to have nothing of what the setting needs. */
export function notInPlan(has: readonly PlanFeature[] | undefined): (field: keyof Settings) => boolean {
  return (field) => {
    const needed = PLAN_OF[field];
    return has !== undefined && needed !== undefined && !has.includes(needed);
  };
}
