/** Why some of a tab is closed under the plan, and the way to one that has it. */
import { PlanLack } from "@/components/plan-lack";
import { useFields } from "./fields-context";
import type { Settings } from "./settings";

interface PlanNoteProps {
  /** It is about these: it stands there where the plan has not all of them. */
  fields: readonly (keyof Settings)[];
  /** In other words than the rules'. */
  text?: string;
}

export function PlanNote({ fields, ...rest }: PlanNoteProps) {
  const { notInPlan } = useFields();
  return fields.some(notInPlan) && <PlanLack {...rest} className="text-sm text-ink-soft" />;
}
