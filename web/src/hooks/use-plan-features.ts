import { useQuery } from "@tanstack/react-query";
import { capabilitiesQuery } from "@/api/capabilities";
import type { PlanFeature } from "@/api/subscription";
import { PLAN_FEATURES } from "@/rules/constants";

/** Features that plans can include on this server; all of them until the server has answered. */
export function usePlanFeatures(): readonly PlanFeature[] {
  const { data } = useQuery(capabilitiesQuery());
  return data?.plan_features ?? PLAN_FEATURES;
}
