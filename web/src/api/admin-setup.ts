/** The server's setup: steps that are done, and steps that are left. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";
import type { Setup, SetupState } from "./schema";

export type { Setup, SetupState } from "./schema";

/** Depends on settings saved or tested elsewhere: those mutations invalidate it. */
export const setupKey = ["admin", "setup"] as const;

export const setupQuery = () =>
  queryOptions({
    queryKey: setupKey,
    // Behind a proxy, the server cannot know the URL in the browser, so it is sent.
    queryFn: ({ signal }) =>
      call(api.GET("/api/v1/admin/setup", { params: { query: { origin: window.location.origin } }, signal })),
  });

export const STEPS = ["mail", "models", "analysis", "address", "legal"] as const satisfies readonly (keyof Setup)[];
export type Step = (typeof STEPS)[number];

export interface SetupCount {
  done: number;
  /** Steps that are required for some feature to work. */
  left: readonly Step[];
}

export function countSetup(setup: Record<Step, { state: SetupState }>): SetupCount {
  const inState = (state: SetupState) => STEPS.filter((step) => setup[step].state === state);
  return { done: inState("done").length, left: inState("to_do") };
}
