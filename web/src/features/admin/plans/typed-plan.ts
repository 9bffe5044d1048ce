/** A plan's form as typed: numbers are texts, and an empty text has a meaning. */
import type { DemoPlan, ManagedPlan, PlanFeature, PlanForm, QueueSpeed } from "@/api/managed-plans";
import { defaultPlan, validatePlan } from "@/rules";

/** Limits without a plan have only these fields. */
export interface TypedLimits {
  /** Empty: unlimited. */
  monthly_minutes_limit: string;
  /** Empty: any duration. */
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
 * NaN would be sent as null in JSON, which means unlimited; so the rules refuse it here. All other checks are left to
 * the server.
 */
export function demoViolations(demo: DemoPlan) {
  const fields: readonly string[] = LIMITS.filter((field) => demo[field] !== null && !Number.isFinite(demo[field]));
  return fields.length === 0 ? [] : validatePlan({ ...defaultPlan(), ...demo }).filter(({ field }) => fields.includes(field));
}

/** The rules leave out unlimited values. */
const boxOf = (limit: number | null | undefined): string => (limit == null ? "" : String(limit));
const limitOf = (box: string): number | null => (box.trim() === "" ? null : numberOf(box));
/** Accepts a decimal comma; anything that is not a number is refused by the rules. */
const numberOf = (box: string): number => Number(box.trim().replace(",", "."));
