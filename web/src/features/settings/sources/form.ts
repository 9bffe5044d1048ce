/** The form of a source. */
import type { Source, SourceForm, SourceKind } from "@/api/sources";
import { requestedPassword } from "../places/place-of";

/** A form with all fields. */
export type FilledForm = Required<SourceForm> & {
  /** As typed; empty keeps the stored password. */
  password: string;
  removesPassword: boolean;
};

/** An unchanged source as a request: the stored password is kept. */
export function formOf({ name, kind, location, region, user, preset_id, is_active, take_existing }: Source): SourceForm {
  return { name, kind, location, region, user, password: null, preset_id, is_active, take_existing };
}

/** What is filled in at first. */
export function filledOf(source: Source | null, kind: SourceKind): FilledForm {
  const empty = { name: "", location: "", region: "", user: "", preset_id: null, is_active: true, take_existing: false };
  const filled = source ? { ...formOf(source), preset_id: source.preset_id } : { ...empty, kind };
  return {
    ...filled,
    region: filled.region ?? "",
    user: filled.user ?? "",
    preset_id: filled.preset_id ?? null,
    // It counts until the first look has succeeded.
    take_existing: filled.take_existing ?? false,
    password: "",
    removesPassword: false,
  };
}

/** The request of a filled form. */
export function requestOf(filled: FilledForm): SourceForm {
  const { removesPassword: _, ...form } = filled;
  return { ...form, password: requestedPassword(filled) };
}

/** Whether what is there already is of interest: at a new source, or at a new location. */
export const asksForExisting = (source: Source | null, form: FilledForm): boolean =>
  source === null || source.location !== form.location.trim();
