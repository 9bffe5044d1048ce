import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { signIn, signOut } from "@/api";
import { SESSION } from "@/api/test-session";
import { clearAtSessionEnd } from "./clear-at-session-end";
import { useSidebar } from "./shell/sidebar-state";

it("clears the cache when the user signs out, and tells the server which session ended", async () => {
  const fetch = vi.fn(async (request: Request) =>
    request.url.endsWith("/login") ? Response.json(SESSION) : new Response(null, { status: 204 }),
  );
  vi.stubGlobal("fetch", fetch);
  const queryClient = new QueryClient();
  const stop = clearAtSessionEnd(queryClient);
  await signIn({ email: "o@example.org", password: "Слово-2026-слово" }, true);
  useSidebar.getState().setPanelOpen(true);
  queryClient.setQueryData(["jobs"], ["somebody's"]);

  await signOut();

  expect(queryClient.getQueryData(["jobs"])).toBeUndefined();
  expect(useSidebar.getState().panelOpen).toBe(false);
  expect(localStorage.getItem("slovo.session")).toBeNull();
  const [logout] = fetch.mock.calls.at(-1) ?? [];
  expect(logout?.url).toMatch(/\/api\/v1\/auth\/logout$/);
  expect(await logout?.json()).toEqual({ refresh_token: "r" });
  stop();
});
