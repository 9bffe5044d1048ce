/** Why the plan disables some options of a tab, with a link to other plans. */
import { NotInPlan } from "@/components/not-in-plan";
import { useFields } from "./fields-context";
import type { Settings } from "./settings";

interface PlanNoteProps {
  /** Shown if the plan does not include all of these. */
  fields: readonly (keyof Settings)[];
  /** Replaces the default message. */
  text?: string;
}

export function PlanNote({ fields, ...rest }: PlanNoteProps) {
  const { notInPlan } = useFields();
  return fields.some(notInPlan) && <NotInPlan {...rest} className="text-sm text-ink-soft" />;
}
