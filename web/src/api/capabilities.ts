/** What the engines of this server can do at the moment. */
import { queryOptions } from "@tanstack/react-query";
import type { Feature } from "@/rules";
import { apiFetch } from "./client";

// Stands here until the document of the API names it.
export interface Capabilities {
  features: Record<Feature, boolean>;
  vocabulary: boolean;
  translate: boolean;
  multichannel: boolean;
  media_pages: boolean;
}

export const capabilitiesQuery = () =>
  queryOptions({
    queryKey: ["capabilities"],
    queryFn: async ({ signal }) => (await (await apiFetch("/api/v1/capabilities", { signal })).json()) as Capabilities,
  });
