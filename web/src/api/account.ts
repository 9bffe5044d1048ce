/** The signed-in user's own account: profile, password, sessions, preferences, data. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { currentAppearance } from "./appearance";
import { beforeSignOut } from "./auth";
import { api, call, session, watchUser } from "./client";
import { ApiError } from "./problem";
import { saveProfile } from "./profile";
import type { ChangeForm, DeleteAccountForm, Preferences, User } from "./schema";

export type { Preferences, SessionInfo, User } from "./schema";

/** The signed-in user as stored on the server: the role may have changed since the session began. */
export const meQuery = () =>
  queryOptions({
    queryKey: ["me"],
    queryFn: async ({ signal }) => {
      const user = await call(api.GET("/api/v1/auth/me", { signal }));
      session.updateUser(user);
      return user;
    },
  });

/** Stores a change of the signed-in user that the server has accepted. */
function updateUser(change: Partial<User>): void {
  const user = session.user();
  if (user) session.updateUser({ ...user, ...change });
}

export const useSaveProfile = () => useMutation({ mutationFn: saveProfile });

const sessionsKey = ["sessions"] as const;

/** The account's sessions, the most recently used first. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/auth/sessions", { signal }))).sessions,
  });

/** Ends one other session. */
export const useEndSession = () =>
  useSessionsAction((id: string) => call(api.DELETE("/api/v1/auth/sessions/{id}", { params: { path: { id } } })));

/** Ends all other sessions. */
export const useEndOtherSessions = () =>
  useSessionsAction((_: undefined) => call(api.POST("/api/v1/auth/sessions/revoke-others")));

/** Sets a new password, which ends all other sessions. */
export const useChangePassword = () =>
  useSessionsAction((form: ChangeForm) => call(api.POST("/api/v1/auth/password/change", { body: form })));

function useSessionsAction<Input>(action: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  });
}

const preferencesKey = ["preferences"] as const;

export const preferencesQuery = () =>
  queryOptions({
    queryKey: preferencesKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/preferences", { signal })),
  });

interface PreferencesChange {
  change: Partial<Preferences>;
  /** The page is being closed; the request must outlive it. */
  leaving?: boolean;
}

/** Saves in progress and those queued behind them. */
const saves = new Set<Promise<unknown>>();
beforeSignOut(() => Promise.allSettled(saves));

/**
 * Saves some of the preferences. The server accepts them only as a whole, so the others are sent as stored there now,
 * or as last known when the page is being closed. Saves run one after another, so that none undoes another. Signing out
 * waits for them.
 */
export function useSavePreferences(): (change: PreferencesChange) => Promise<void> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    scope: { id: "preferences" },
    // Offline it fails at once with an error instead of waiting silently.
    networkMode: "always",
    mutationFn: async ({ change, leaving = false }: PreferencesChange) => {
      const isSameUser = watchUser();
      const known = leaving
        ? await queryClient.ensureQueryData(preferencesQuery())
        : await queryClient.fetchQuery({ ...preferencesQuery(), staleTime: 0, retry: false, networkMode: "always" });
      if (!isSameUser()) throw new ApiError({ status: 401, code: "unauthorized" });
      const body = { ...known, ...(neverChose() && currentAppearance()), ...change };
      const saved = await call(api.PUT("/api/v1/me/preferences", { body, keepalive: leaving }));
      // If the user signs out meanwhile, the request goes on, but the cache belongs to the next user.
      if (!isSameUser()) return;
      queryClient.setQueryData(preferencesKey, saved);
      updateUser({ locale: saved.locale, theme: saved.theme });
    },
  });
  return (change) => {
    const save = mutateAsync(change);
    const over = () => saves.delete(save);
    saves.add(save);
    save.then(over, over);
    return save;
  };
}

/** If so, the server's language and theme are defaults, and the choices of this browser are shown. */
const neverChose = () => session.user()?.theme === null && session.user()?.locale === null;

/** A link to an archive of all of the user's data, valid for a few minutes. */
export const useExport = () =>
  useMutation({
    mutationFn: (recordings: boolean) => call(api.POST("/api/v1/me/export", { body: { recordings } })),
  });

/** Deletes the account permanently, and ends the session in all tabs. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: async (form: DeleteAccountForm) => {
      const isSameUser = watchUser();
      await call(api.DELETE("/api/v1/me", { body: form }));
      if (isSameUser()) session.end("deleted");
    },
  });
