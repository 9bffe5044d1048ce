/** A job's text for the player and the editor: with all times, independent of the job's settings. */
import { api, call } from "./client";
import type { OpenedTranscript } from "./schema";

interface TextQuery {
  version?: number;
  at?: number;
  client?: string;
}

export async function readText(id: string, which: TextQuery, signal: AbortSignal): Promise<OpenedTranscript> {
  const query = { ...which, times: "all" } as const;
  const text = await call(api.GET("/api/v1/jobs/{id}/transcript", { params: { path: { id }, query }, signal }));
  // With `times=all` the response always has this type.
  return text as OpenedTranscript;
}
