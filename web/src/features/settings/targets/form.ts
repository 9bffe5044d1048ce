/** The form of a target. */
import type { Target, TargetForm, TargetKind } from "@/api/targets";
import { requestedPassword } from "../places/place-of";

/** A form with all fields. */
export type FilledForm = Required<TargetForm> & {
  /** As typed; empty keeps the stored password. */
  password: string;
  removesPassword: boolean;
};

/** An unchanged target as a request: the stored password is kept. */
export function formOf({ name, kind, location, user, format, group_id, is_active }: Target): TargetForm {
  return { name, kind, location, user, password: null, format, group_id, is_active };
}

/** What is filled in at first. */
export function filledOf(target: Target | null, kind: TargetKind): FilledForm {
  const empty = { name: "", location: "", user: "", format: "md", group_id: null, is_active: true } as const;
  const filled = target ? formOf(target) : { ...empty, kind };
  return {
    ...filled,
    user: filled.user ?? "",
    group_id: filled.group_id ?? null,
    take_existing: false,
    password: "",
    removesPassword: false,
  };
}

/** The request of a filled form. */
export function requestOf(filled: FilledForm): TargetForm {
  const { removesPassword: _, ...form } = filled;
  return { ...form, password: requestedPassword(filled) };
}
