/** Assigns violations to fields. */
import type { BrokenRule } from "@/hooks/use-violation-text";

export type FormField = "email" | "password" | "confirm_password" | "fullname" | "usage" | "terms";
export type FieldErrors = { [Field in FormField]?: BrokenRule | undefined };

/** The first violation of none of these fields: it concerns the form as a whole. */
export const formViolation = (violations: readonly BrokenRule[], fields: readonly FormField[]): BrokenRule | null =>
  violations.find(({ field }) => !fields.some((name) => name === field)) ?? null;

/** The first violation of each field, shown under it. */
export function firstOfEach(violations: readonly BrokenRule[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const violation of violations) {
    const field = violation.field as FormField;
    errors[field] ??= violation;
  }
  return errors;
}
