import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import type { User } from "@/api/schema";
import { sessionOf } from "@/api/test-session";
import { NavList } from "./nav-list";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({ t: (key: string, params?: { count?: number }) => (params?.count ? `${key} ${params.count}` : key) }),
}));

let root: Root;
const paths: string[] = [];

async function show(role: "admin" | "user"): Promise<HTMLElement> {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return Response.json({ contact_messages: 120, plan_requests: 2 });
  });
  const user = { id: "u1", email: "o@example.org", role } as User;
  session.begin(sessionOf(user), true);
  const place = document.createElement("div");
  root = createRoot(place);
  await act(async () => {
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <NavList />
        </MemoryRouter>
      </QueryClientProvider>,
    );
  });
  await act(() => vi.waitFor(() => expect(role === "user" || place.textContent?.includes("waiting")).toBe(true)));
  return place;
}

afterEach(() => {
  act(() => root.unmount());
  paths.length = 0;
  vi.unstubAllGlobals();
});

it("shows administrators the number of pending items beside each section", async () => {
  const place = await show("admin");
  const link = (name: string) => [...place.querySelectorAll("a")].find(({ textContent }) => textContent?.includes(name));
  expect(link("nav.admin_messages")?.textContent).toBe("nav.admin_messages99+waiting 120");
  expect(link("nav.admin_subscriptions")?.textContent).toBe("nav.admin_subscriptions2waiting 2");
  expect(link("nav.admin_users")?.textContent).toBe("nav.admin_users");
});

it("sends no request for other users", async () => {
  await show("user");
  expect(paths).toEqual([]);
});
