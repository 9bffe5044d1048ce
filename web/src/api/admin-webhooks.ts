/** Webhook services, for administrators. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ADMIN_PAGE } from "@/rules/constants";
import { api, call } from "./client";
import type { WebhookForm } from "./schema";

export type { WebhookDelivery, WebhookForm, WebhookService, WebhookTestResult } from "./schema";

const servicesKey = ["admin", "webhook-services"] as const;
const deliveriesKey = (id: string) => [...servicesKey, id, "deliveries"] as const;

/** Polling interval in ms while the log has a delivery in progress. */
const LOG_EVERY_MS = 3_000;

/** By category, then the oldest first. */
export const webhookServicesQuery = () =>
  queryOptions({
    queryKey: servicesKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/admin/webhook-services", { signal }))).services,
  });

/** The delivery log of a service, including pending deliveries, the newest first. */
export const webhookDeliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: deliveriesKey(id),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/webhook-services/{id}/deliveries", {
          params: { path: { id }, query: { limit: ADMIN_PAGE, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((item) => item.status === "pending")) ? LOG_EVERY_MS : false,
  });

/** Returns the service with its secret, which is shown only once. */
export const useCreateWebhook = () =>
  useServicesAction((form: WebhookForm) => call(api.POST("/api/v1/admin/webhook-services", { body: form })));

export const useUpdateWebhook = () =>
  useServicesAction(({ id, form }: { id: string; form: WebhookForm }) =>
    call(api.PUT("/api/v1/admin/webhook-services/{id}", { params: { path: { id } }, body: form })),
  );

export const useDeleteWebhook = () =>
  useServicesAction((id: string) => call(api.DELETE("/api/v1/admin/webhook-services/{id}", { params: { path: { id } } })));

/** Gives a service a new secret, which is shown only once. */
export const useRotateWebhookSecret = () =>
  useServicesAction((id: string) =>
    call(api.POST("/api/v1/admin/webhook-services/{id}/rotate-secret", { params: { path: { id } } })),
  );

export const useTestWebhook = () =>
  useServicesAction((id: string) => call(api.POST("/api/v1/admin/webhook-services/{id}/test", { params: { path: { id } } })));

/** Tests all active services. */
export const useTestWebhooks = () =>
  useServicesAction(async () => (await call(api.POST("/api/v1/admin/webhook-services/test"))).results);

export const useResendDelivery = (id: string) =>
  useServicesAction((delivery_id: string) =>
    call(
      api.POST("/api/v1/admin/webhook-services/{id}/deliveries/{delivery_id}/resend", { params: { path: { id, delivery_id } } }),
    ),
  );

function useServicesAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: servicesKey }),
  });
}
