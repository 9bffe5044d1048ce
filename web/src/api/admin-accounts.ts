/** Administration of single accounts. */
import { useMutation } from "@tanstack/react-query";
import { useUserAction } from "./admin";
import { api, call } from "./client";
import type { Locale } from "./schema";

interface Invitation {
  email: string;
  fullname: string;
  locale: Locale;
}

/** Creates an account and mails its owner a link to set a password. */
export const useInvite = () => useUserAction((body: Invitation) => call(api.POST("/api/v1/admin/users", { body })));

export const useRenameUser = () =>
  useUserAction(({ id, fullname }: { id: string; fullname: string }) =>
    call(api.PUT("/api/v1/admin/users/{id}/name", { params: { path: { id } }, body: { fullname } })),
  );

/** Ends all sessions of a user. */
export const useEndUserSessions = () =>
  useUserAction((id: string) => call(api.DELETE("/api/v1/admin/users/{id}/sessions", { params: { path: { id } } })));

/** Mails a link to set a password. */
export const useSendPasswordLink = () =>
  useUserAction((id: string) => call(api.POST("/api/v1/admin/users/{id}/password-link", { params: { path: { id } } })));

export const useDeleteUser = () =>
  useUserAction((id: string) => call(api.DELETE("/api/v1/admin/users/{id}", { params: { path: { id } } })));

/** A link to an archive of a user's data. */
export const useExportUser = () =>
  useMutation({
    mutationFn: ({ id, recordings }: { id: string; recordings: boolean }) =>
      call(api.POST("/api/v1/admin/users/{id}/export", { params: { path: { id } }, body: { recordings } })),
  });
