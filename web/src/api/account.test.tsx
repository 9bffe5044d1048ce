import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useTheme } from "@/lib/theme";
import { preferencesQuery, useDeleteAccount, useSavePreferences } from "./account";
import { signOut } from "./auth";
import { session } from "./client";
import type { Preferences } from "./schema";
import { sessionOf } from "./test-session";

const SESSION = sessionOf({ locale: "uk", theme: "system" });
const SAVED = { locale: "uk", theme: "system", mail_on_completion: false, settings: { language_code: "uk" } } as Preferences;

let root: Root;
let save: ReturnType<typeof useSavePreferences>;
let remove: ReturnType<typeof useDeleteAccount>;
let queryClient: QueryClient;
let requests: string[];
/** The server's state. */
let stored: Preferences;

function Page() {
  save = useSavePreferences();
  remove = useDeleteAccount();
  return null;
}

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  requests = [];
  stored = SAVED;
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    // Long enough for another save to overtake this one if saves were not ordered.
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (request.method === "PUT") stored = (await request.json()) as Preferences;
    return Response.json(stored);
  });
  session.begin(SESSION, true);
  queryClient = new QueryClient();
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>,
    ),
  );
});

afterEach(async () => {
  await act(async () => root.unmount());
  session.end("signed_out");
});

it("sends the whole preferences with each change, one save after another, without reverting earlier ones", async () => {
  await act(async () => {
    await Promise.all([
      save({ change: { theme: "dark" } }),
      save({ change: { mail_on_completion: true } }),
      save({ change: { locale: "en" } }),
    ]);
  });
  expect(stored).toEqual({ ...SAVED, theme: "dark", mail_on_completion: true, locale: "en" });
  expect(requests).toEqual(["GET", "PUT", "GET", "PUT", "GET", "PUT"].map((method) => `${method} /api/v1/me/preferences`));
});

it("delays signing out until it is saved", async () => {
  await act(async () => {
    void save({ change: { theme: "dark" } });
    void save({ change: { locale: "en" } });
    await signOut();
  });
  expect(stored).toEqual({ ...SAVED, theme: "dark", locale: "en" });
  expect(session.user()).toBeNull();
});

it("sends the language and theme shown here if none has been chosen", async () => {
  session.begin({ ...SESSION, user: { ...SESSION.user, locale: null, theme: null } }, true);
  useTheme.getState().setTheme("light");
  await act(async () => void (await save({ change: { mail_on_completion: true } })));
  expect(stored).toEqual({ ...SAVED, theme: "light", mail_on_completion: true });
  useTheme.getState().setTheme("dark");
  await act(async () => void (await save({ change: { mail_on_completion: false } })));
  expect(stored).toEqual({ ...SAVED, theme: "light" });
});

it("updates the session, which the next page load uses", async () => {
  await act(async () => void (await save({ change: { theme: "dark", locale: "en" } })));
  expect(session.user()).toMatchObject({ id: "u1", theme: "dark", locale: "en" });
});

it("preserves changes made on another device since the last fetch", async () => {
  await act(async () => void (await queryClient.fetchQuery(preferencesQuery())));
  stored = { ...SAVED, mail_on_completion: true };
  await act(async () => void (await save({ change: { theme: "dark" } })));
  expect(stored).toEqual({ ...SAVED, mail_on_completion: true, theme: "dark" });
});

describe("when another user signs in meanwhile", () => {
  const NEXT = { ...SESSION, access_token: "b", user: { ...SESSION.user, id: "u2", has_password: false } };

  /** Another user signs in while the request is pending. */
  const overtaken = async (method: string, action: () => Promise<unknown>) => {
    const answer = fetch;
    vi.stubGlobal("fetch", async (request: Request) => {
      if (request.method === method) session.begin(NEXT, true);
      return answer(request);
    });
    await act(async () => void (await action().catch(() => undefined)));
    expect(session.user()).toEqual(NEXT.user);
  };

  it("does not change the cache and the session after a save", async () => {
    await overtaken("PUT", () => save({ change: { theme: "dark", locale: "en" } }));
    expect(stored.theme).toBe("dark");
    expect(queryClient.getQueryData(preferencesQuery().queryKey)).toEqual(SAVED);
  });

  it("does not save the previous user's changes in their account", async () => {
    await overtaken("GET", () => save({ change: { theme: "dark" } }));
    expect(requests).toEqual(["GET /api/v1/me/preferences"]);
  });

  it("does not sign them out when the previous user's account is deleted", async () => {
    await overtaken("DELETE", () => remove.mutateAsync({ password: "x" }));
  });
});

it("ends the session when the account is deleted", async () => {
  await act(async () => remove.mutateAsync({ password: "x" }));
  expect(session.user()).toBeNull();
  expect(localStorage.getItem("slovo.session")).toBeNull();
});
