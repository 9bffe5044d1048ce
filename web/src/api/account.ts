/** The signed-in user's own account: profile, password, sessions, preferences, data. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { beforeSignOut } from "./auth";
import { api, call, session, watchUser } from "./client";
import { shownLook } from "./look";
import { ApiError } from "./problem";
import { saveProfile } from "./profile";
import type { ChangeForm, DeleteAccountForm, Preferences, User } from "./schema";

export type { Preferences, SessionInfo, User } from "./schema";

/** Asks who is signed in, as the server sees it now: a role may have been given or taken since the session began. */
export const meQuery = () =>
  queryOptions({
    queryKey: ["me"],
    queryFn: async ({ signal }) => {
      const user = await call(api.GET("/api/v1/auth/me", { signal }));
      session.updateUser(user);
      return user;
    },
  });

/** What is known of the signed-in user has changed here, and the server has agreed. */
function updateUser(change: Partial<User>): void {
  const user = session.user();
  if (user) session.updateUser({ ...user, ...change });
}

export const useSaveProfile = () => useMutation({ mutationFn: saveProfile });

const sessionsKey = ["sessions"] as const;

/** Where the account is signed in, the one used last first. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: sessionsKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/auth/sessions", { signal }))).sessions,
  });

/** Signs the account out in one other place. */
export const useEndSession = () =>
  useSessionsAction((id: string) => call(api.DELETE("/api/v1/auth/sessions/{id}", { params: { path: { id } } })));

/** Signs the account out everywhere but here. */
export const useEndOtherSessions = () =>
  useSessionsAction((_: undefined) => call(api.POST("/api/v1/auth/sessions/revoke-others")));

/** Sets a new password; all other sessions end with the old one. */
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
  /** The page is about to be gone; the request is to outlive it. */
  leaving?: boolean;
}

/** Saves under way and those that wait for the one before them. */
const saves = new Set<Promise<unknown>>();
beforeSignOut(() => Promise.allSettled(saves));

/**
 * Saves some of the preferences; the server takes them only as a whole, so the others go with them as they are there
 * now, or as last known when the page is about to be gone. One save waits for the one before it, wherever on the page it
 * came from: none undoes another. Signing out waits for them.
 */
export function useSavePreferences(): (wanted: PreferencesChange) => Promise<void> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    scope: { id: "preferences" },
    // Offline it fails at once and says so, in place of waiting without a word.
    networkMode: "always",
    mutationFn: async ({ change, leaving = false }: PreferencesChange) => {
      const isHere = watchUser();
      const known = leaving
        ? await queryClient.ensureQueryData(preferencesQuery())
        : await queryClient.fetchQuery({ ...preferencesQuery(), staleTime: 0, retry: false, networkMode: "always" });
      if (!isHere()) throw new ApiError({ status: 401, code: "unauthorized" });
      const body = { ...known, ...(neverChose() && shownLook()), ...change };
      const saved = await call(api.PUT("/api/v1/me/preferences", { body, keepalive: leaving }));
      // The request goes on when its user signs out; the cache is the next one's then.
      if (!isHere()) return;
      queryClient.setQueryData(preferencesKey, saved);
      updateUser({ locale: saved.locale, theme: saved.theme });
    },
  });
  return (wanted) => {
    const save = mutateAsync(wanted);
    const over = () => saves.delete(save);
    saves.add(save);
    save.then(over, over);
    return save;
  };
}

/** Then the server's language and theme are defaults, and the choice of this browser is shown. */
const neverChose = () => session.user()?.theme === null && session.user()?.locale === null;

/** A link to an archive of all that the user has; good for a few minutes. */
export const useExport = () =>
  useMutation({
    mutationFn: (recordings: boolean) => call(api.POST("/api/v1/me/export", { body: { recordings } })),
  });

/** Removes the account for good, and with it the session, in all tabs. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: async (form: DeleteAccountForm) => {
      const isHere = watchUser();
      await call(api.DELETE("/api/v1/me", { body: form }));
      if (isHere()) session.end("deleted");
    },
  });
