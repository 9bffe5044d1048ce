/** A job's text as the player and the editor need it: with all its times, whatever was asked of the recognition. */
import { api, call } from "./client";
import type { OpenedTranscript } from "./schema";

interface Which {
  version?: number;
  at?: number;
  client?: string;
}

export async function readText(id: string, which: Which, signal: AbortSignal): Promise<OpenedTranscript> {
  const query = { ...which, times: "all" } as const;
  const text = await call(api.GET("/api/v1/jobs/{id}/transcript", { params: { path: { id }, query }, signal }));
  // With `times=all` the answer is of no other kind.
  return text as OpenedTranscript;
}
