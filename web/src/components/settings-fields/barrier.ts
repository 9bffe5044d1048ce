/** What stands between the reader and a setting: its mode or language, the server, or the plan. */
import type { Feature } from "@/rules";
import { type Ability, useFields } from "./fields-context";
import { type Lack, useLackReason } from "./lack";
import type { Settings } from "./settings";

interface Asked {
  field: keyof Settings;
  /** What has to be available for it. */
  feature?: Feature | undefined;
  /** What the server has to be able to do for it. */
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
export function useBarrier({ field, feature, ability, on }: Asked): Barrier {
  const { obstacle, lacks, notInPlan } = useFields();
  const lackReason = useLackReason();
  const forbidden = feature ? obstacle(feature) : null;
  if (forbidden !== null) return { reason: forbidden, lack: null };
  const server = ability !== undefined && lacks(ability) ? ability : null;
  const lack = notInPlan(field) && (server === null || lackReason(server) === null) ? "plan" : server;
  return { reason: lack !== null && !on ? lackReason(lack) : null, lack };
}
