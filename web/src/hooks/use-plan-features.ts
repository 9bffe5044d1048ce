import { useQuery } from "@tanstack/react-query";
import { capabilitiesQuery } from "@/api/capabilities";
import type { PlanFeature } from "@/api/subscription";
import { PLAN_FEATURES } from "@/rules/constants";

/** What plans may include on this server: what it has not is nowhere offered. All of it until the server has said. */
export function usePlanFeatures(): readonly PlanFeature[] {
  const { data } = useQuery(capabilitiesQuery());
  return data?.plan_features ?? PLAN_FEATURES;
}
