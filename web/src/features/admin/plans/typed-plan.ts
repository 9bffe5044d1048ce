/** A plan's form while it is typed: figures are what stands in their boxes, and an empty box means something. */
import type { DemoPlan, ManagedPlan, PlanFeature, PlanForm, QueueSpeed } from "@/api/managed-plans";
import { defaultPlan, validatePlan } from "@/rules";

/** What holds without a plan has nothing but these. */
export interface TypedLimits {
  /** Empty: without a limit. */
  monthly_minutes_limit: string;
  /** Empty: of any length. */
  max_file_duration_minutes: string;
  features: readonly PlanFeature[];
}

export interface TypedPlan extends TypedLimits {
  name: string;
  description: string;
  price: string;
  currency: string;
  is_active: boolean;
  queue_speed: QueueSpeed;
}

export type FilledPlan = Required<PlanForm>;

export const typedOf = (plan: ManagedPlan | null): TypedPlan => typed(plan ?? (defaultPlan() as FilledPlan));

const typed = (form: FilledPlan): TypedPlan => ({
  ...typedDemo(form),
  name: form.name,
  description: form.description,
  price: String(form.price),
  currency: form.currency,
  is_active: form.is_active,
  queue_speed: form.queue_speed,
});

export const typedDemo = (form: DemoPlan): TypedLimits => ({
  monthly_minutes_limit: boxOf(form.monthly_minutes_limit),
  max_file_duration_minutes: boxOf(form.max_file_duration_minutes),
  features: form.features,
});

export const formOf = (plan: TypedPlan): FilledPlan => ({
  ...plan,
  ...demoOf(plan),
  // An empty price is an error: the rules require a number.
  price: plan.price.trim() === "" ? Number.NaN : numberOf(plan.price),
});

export const demoOf = ({ monthly_minutes_limit, max_file_duration_minutes, features }: TypedLimits): DemoPlan => ({
  monthly_minutes_limit: limitOf(monthly_minutes_limit),
  max_file_duration_minutes: limitOf(max_file_duration_minutes),
  features: [...features],
});

const LIMITS = ["monthly_minutes_limit", "max_file_duration_minutes"] as const;

/**
 * JSON has no word for what is not a number, and would send that there is no limit: the rules of a plan's limits refuse it
 * here. All else is the server's to refuse.
 */
export function unsendable(demo: DemoPlan) {
  const fields: readonly string[] = LIMITS.filter((field) => demo[field] !== null && !Number.isFinite(demo[field]));
  return fields.length === 0 ? [] : validatePlan({ ...defaultPlan(), ...demo }).filter(({ field }) => fields.includes(field));
}

/** The rules leave out what is not limited. */
const boxOf = (limit: number | null | undefined): string => (limit == null ? "" : String(limit));
const limitOf = (box: string): number | null => (box.trim() === "" ? null : numberOf(box));
/** A comma parts the fraction as well as a point; what is no number at all the rules refuse. */
const numberOf = (box: string): number => Number(box.trim().replace(",", "."));
