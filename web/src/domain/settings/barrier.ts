/** What stands between the reader and a setting: its mode or language, the server, or the plan. */
import { type Ability, abilityOf, useFields } from "./fields-context";
import { type Lack, useLackReason } from "./lack";
import type { Settings } from "./settings";
import { rowOf } from "./table";

interface Asked {
  field: keyof Settings;
  /** What the server has to be able to do for it; the feature of the setting where it is not said. */
  ability?: Ability | undefined;
  /** It is chosen already: then it can be taken back, whatever stands against it. */
  on: boolean;
}

export interface Barrier {
  /** Why it cannot be chosen; null where it can. */
  reason: string | null;
  /** What the server or the plan has not; null where the mode forbids it anyway. */
  lack: Lack | null;
}

/** A plan does not help where the server has nothing for it either: that is said first. */
export function useBarrier({ field, ability, on }: Asked): Barrier {
  const { obstacle, lacks, notInPlan } = useFields();
  const lackReason = useLackReason();
  const feature = rowOf(field)?.feature ?? null;
  const forbidden = feature && obstacle(feature);
  if (forbidden !== null) return { reason: forbidden, lack: null };
  const needed = ability ?? abilityOf(feature);
  const server = needed !== null && lacks(needed) ? needed : null;
  const lack = notInPlan(field) && (server === null || lackReason(server) === null) ? "plan" : server;
  return { reason: lack !== null && !on ? lackReason(lack) : null, lack };
}
