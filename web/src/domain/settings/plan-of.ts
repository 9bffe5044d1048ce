/** Which of a plan's features a setting needs, as the rules say; the server decides. */
import type { PlanFeature } from "@/api/subscription";
import type { Settings } from "./settings";
import { rowOf } from "./table";

/** Whether the plan is known to have nothing of what the setting needs. */
export function notInPlan(has: readonly PlanFeature[] | undefined): (field: keyof Settings) => boolean {
  return (field) => {
    const needed = rowOf(field)?.plan ?? null;
    return has !== undefined && needed !== null && !has.includes(needed);
  };
}
