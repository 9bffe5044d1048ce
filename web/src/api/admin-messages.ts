/** Data from the forms of the public pages, for administrators. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { waitingKey } from "./admin-waiting";
import { api, apiFetch, call } from "./client";
import type { operations } from "./schema";
import { saveTable } from "./table-file";

export type { ContactMessage, SiteVisits } from "./schema";

/** The schema defines the page inline, without a name. */
type NewsletterPage = operations["list_newsletter_subscribers"]["responses"][200]["content"]["application/json"];
export type NewsletterSubscriber = NewsletterPage["items"][number];

export const messagesKey = ["admin", "messages"] as const;

export const contactQuery = () =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, "contact"],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/contact-messages", {
          params: { query: pageParam === null ? {} : { cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const newsletterQuery = () =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, "newsletter"],
    queryFn: ({ pageParam, signal }) =>
      call(api.GET("/api/v1/admin/newsletter", { params: { query: pageParam === null ? {} : { cursor: pageParam } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const visitsQuery = (days: number) =>
  queryOptions({
    queryKey: [...messagesKey, "visits", days],
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/site-visits", { params: { query: { days } }, signal })),
  });

/** Marks a message as handled or not. */
export function useSetHandled() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, handled }: { id: string; handled: boolean }) =>
      call(api.PUT("/api/v1/admin/contact-messages/{id}/handled", { params: { path: { id } }, body: { handled } })),
    onSettled: async () => {
      void queryClient.invalidateQueries({ queryKey: waitingKey });
      await queryClient.invalidateQueries({ queryKey: messagesKey });
    },
  });
}

/** Deletes permanently. `keepalive` lets the request outlive the page. */
export async function deleteMessage(id: string, keepalive = false): Promise<void> {
  await apiFetch(`/api/v1/admin/contact-messages/${encodeURIComponent(id)}`, { method: "DELETE", keepalive });
}

export const saveMessages = (): Promise<void> => saveTable("/api/v1/admin/contact-messages/export", "messages");
export const saveSubscribers = (): Promise<void> => saveTable("/api/v1/admin/newsletter/export", "newsletter");
