/** Webhook services, for administrators. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";
import type { WebhookForm } from "./schema";
import { deliveriesQuery, useActionOn } from "./webhook-deliveries";

export type { WebhookForm, WebhookService } from "./schema";

const servicesKey = ["admin", "webhook-services"] as const;

/** By category, then the oldest first. */
export const webhookServicesQuery = () =>
  queryOptions({
    queryKey: servicesKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/admin/webhook-services", { signal }))).services,
  });

/** The delivery log of a service. */
export const webhookDeliveriesQuery = (id: string) =>
  deliveriesQuery([...servicesKey, id, "deliveries"], (query, signal) =>
    call(api.GET("/api/v1/admin/webhook-services/{id}/deliveries", { params: { path: { id }, query }, signal })),
  );

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

const useServicesAction = <Input, Result>(action: (input: Input) => Promise<Result>) => useActionOn(servicesKey, action);
