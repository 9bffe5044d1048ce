/** The plan features that a setting needs, from the rules. The server makes the decision. */
import type { PlanFeature } from "@/api/subscription";
import type { Settings } from "./settings";
import { rowOf } from "./table";

/** Whether the plan is known not to include any feature that the setting needs. */
export function notInPlan(has: readonly PlanFeature[] | undefined): (field: keyof Settings) => boolean {
  return (field) => {
    const needed = rowOf(field)?.plan ?? null;
    return has !== undefined && needed !== null && !has.includes(needed);
  };
}
