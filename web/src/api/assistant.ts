/** Requests to the assistant: questions about a transcript. */
import { queryOptions } from "@tanstack/react-query";
import { api, apiFetch, call } from "./client";
import type { AssistantHistory } from "./schema";

export type { AssistantMessage } from "./schema";
export type AssistantMode = AssistantHistory["mode"];

const pathOf = (id: string) => `/api/v1/jobs/${encodeURIComponent(id)}/assistant`;

export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: ["assistant", id],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/assistant", { params: { path: { id } }, signal })),
    staleTime: 0,
  });

/** Asks a question; the answer is streamed as server-sent events. */
export const askAssistant = (id: string, question: string, signal: AbortSignal): Promise<Response> =>
  apiFetch(pathOf(id), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ question }),
    cache: "no-store",
    signal,
  });

/** Deletes the whole conversation permanently. */
export async function clearAssistant(id: string): Promise<void> {
  await apiFetch(pathOf(id), { method: "DELETE" });
}
