/** The features currently available on this server. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";
import type { Capabilities } from "./schema";

export type { Capabilities } from "./schema";

export const capabilitiesQuery = () =>
  queryOptions({
    queryKey: ["capabilities"],
    queryFn: ({ signal }): Promise<Capabilities> => call(api.GET("/api/v1/capabilities", { signal })),
  });
