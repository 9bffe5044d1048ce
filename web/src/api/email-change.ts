/** Changing the signed-in user's e-mail address: requested, confirmed with two codes, or cancelled. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call, session } from "./client";

const emailChangeKey = ["email-change"] as const;

/** The change waiting for its codes; null if there is none. */
export const emailChangeQuery = () =>
  queryOptions({
    queryKey: emailChangeKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/me/email", { signal }))).change ?? null,
  });

/** Mails one code to the current address and one to the new address. */
export const useBeginEmailChange = () =>
  useAction((body: { email: string; password: string }) => call(api.POST("/api/v1/me/email", { body })));

/** Changes the address; all other sessions end. */
export const useConfirmEmailChange = () =>
  useAction(async (body: { old_code: string; new_code: string }) => {
    const user = await call(api.POST("/api/v1/me/email/confirm", { body }));
    session.updateUser(user);
    return user;
  });

export const useCancelEmailChange = () => useAction((_: undefined) => call(api.DELETE("/api/v1/me/email")));

function useAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: () => Promise.all([emailChangeKey, ["sessions"]].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
