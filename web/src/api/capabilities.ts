/** What the engines of this server can do at the moment. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export type { Capabilities } from "./schema";

export const capabilitiesQuery = () =>
  queryOptions({
    queryKey: ["capabilities"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/capabilities", { signal })),
  });
