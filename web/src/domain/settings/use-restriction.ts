/** Why a setting is unavailable: the mode or language, the server, or the plan. */
import { type Ability, abilityOf, useFields } from "./fields-context";
import { type MissingAbility, useMissingReason } from "./missing-ability";
import type { Settings } from "./settings";
import { rowOf } from "./table";

interface RestrictionInput {
  field: keyof Settings;
  /** The server's ability that it needs; by default the setting's own feature. */
  ability?: Ability | undefined;
  /** It is already chosen, so it can be switched off in any case. */
  on: boolean;
}

export interface Restriction {
  /** Why it cannot be chosen; null if it can. */
  reason: string | null;
  /** What the server or the plan is missing; null if the mode forbids it anyway. */
  lack: MissingAbility | null;
}

/** The server's limits come first, because a plan would not help then. */
export function useRestriction({ field, ability, on }: RestrictionInput): Restriction {
  const { unavailableReason, lacks, notInPlan } = useFields();
  const lackReason = useMissingReason();
  const feature = rowOf(field)?.feature ?? null;
  const forbidden = feature && unavailableReason(feature);
  if (forbidden !== null) return { reason: forbidden, lack: null };
  const needed = ability ?? abilityOf(feature);
  const server = needed !== null && lacks(needed) ? needed : null;
  const lack = notInPlan(field) && (server === null || lackReason(server) === null) ? "plan" : server;
  return { reason: lack !== null && !on ? lackReason(lack) : null, lack };
}
