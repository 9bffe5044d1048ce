/** The account's webhooks: addresses that are notified of events of its recordings. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import type { UserWebhookForm, UserWebhookWithSecret } from "./schema";
import { deliveriesQuery, useActionOn } from "./webhook-deliveries";

export type { UserWebhook, UserWebhookForm, WebhookEvent } from "./schema";

const webhooksKey = ["webhooks"] as const;

/** The webhooks, the oldest first, and whether the plan includes the API. */
export const userWebhooksQuery = () =>
  queryOptions({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/webhooks", { signal })),
    staleTime: 0,
  });

/** The delivery log of a webhook. */
export const userDeliveriesQuery = (id: string) =>
  deliveriesQuery([...webhooksKey, id, "deliveries"], (query, signal) =>
    call(api.GET("/api/v1/me/webhooks/{id}/deliveries", { params: { path: { id }, query }, signal })),
  );

/** Gets a webhook with its new secret, which is shown only once. */
type OnSecret = (withSecret: UserWebhookWithSecret) => void;

export const useCreateUserWebhook = (onSecret: OnSecret) =>
  useSecretAction((body: UserWebhookForm) => call(api.POST("/api/v1/me/webhooks", { body })), onSecret);

/** Gives a webhook a new secret. */
export const useReplaceSecret = (onSecret: OnSecret) =>
  useSecretAction(
    (id: string) => call(api.POST("/api/v1/me/webhooks/{id}/rotate-secret", { params: { path: { id } } })),
    onSecret,
  );

export const useUpdateUserWebhook = () =>
  useActionOn(webhooksKey, ({ id, form }: { id: string; form: UserWebhookForm }) =>
    call(api.PUT("/api/v1/me/webhooks/{id}", { params: { path: { id } }, body: form })),
  );

export const useDeleteUserWebhook = () =>
  useActionOn(webhooksKey, (id: string) => call(api.DELETE("/api/v1/me/webhooks/{id}", { params: { path: { id } } })));

export const useTestUserWebhook = () =>
  useActionOn(webhooksKey, (id: string) => call(api.POST("/api/v1/me/webhooks/{id}/test", { params: { path: { id } } })));

export const useResendUserDelivery = (id: string) =>
  useActionOn(webhooksKey, (delivery_id: string) =>
    call(api.POST("/api/v1/me/webhooks/{id}/deliveries/{delivery_id}/resend", { params: { path: { id, delivery_id } } })),
  );

/** The secret is passed to `onSecret` only: what a mutation returns is kept in a cache. */
function useSecretAction<Input>(action: (input: Input) => Promise<UserWebhookWithSecret>, onSecret: OnSecret) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => onSecret(await action(input)),
    onSuccess: () => void client.invalidateQueries(userWebhooksQuery()),
  });
}
