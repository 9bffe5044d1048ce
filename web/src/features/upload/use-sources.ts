import { useQuery } from "@tanstack/react-query";
import { capabilitiesQuery } from "@/api/capabilities";
import type { Source } from "@/rules";
import { SOURCES } from "@/rules/constants";

/** The sources that an administrator has enabled; all, until known. */
export function useSources(): readonly Source[] {
  const { data } = useQuery(capabilitiesQuery());
  return SOURCES.filter(
    (source) => !((source === "url" && data?.url_fetch === false) || (source === "voice" && data?.recording === false)),
  );
}
