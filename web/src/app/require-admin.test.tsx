import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import type { User } from "@/api/schema";
import { sessionOf } from "@/api/test-session";
import { toast } from "@/lib/toast";
import { RequireAdmin } from "./require-admin";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));

const USER = { id: "u1", email: "o@example.org", role: "user" } as User;

let root: Root;
let router: ReturnType<typeof createMemoryRouter>;
let answer: (response: Response) => void;

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
const page = () => document.body.textContent;

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  vi.spyOn(toast, "error");
  document.body.innerHTML = "<div></div>";
  session.begin(sessionOf(USER), true);
  router = createMemoryRouter(
    [
      { element: <RequireAdmin />, children: [{ path: "/admin/users", element: "the list" }] },
      { path: "/dashboard", element: "the dashboard" },
    ],
    { initialEntries: ["/admin/users"] },
  );
  root = createRoot(document.querySelector("div") as HTMLElement);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  );
  await settle();
});
afterEach(async () => {
  await act(async () => root.unmount());
  session.end("signed_out");
});

it("announces the check, and shows nothing until it is complete", async () => {
  expect(page()).toContain("admin.checking");
  expect(page()).not.toContain("the list");
});

it("admits administrators according to the server, and updates the sidebar", async () => {
  answer(Response.json({ ...USER, role: "admin" }));
  await settle();
  expect(page()).toBe("the list");
  expect(session.user()?.role).toBe("admin");
});

it("redirects others to the dashboard with a message", async () => {
  answer(Response.json(USER));
  await settle();
  expect(page()).toBe("the dashboard");
  expect(toast.error).toHaveBeenCalledWith("admin.denied");
});

it("does not use a cached response from before the role was given", async () => {
  answer(Response.json(USER));
  await settle();
  await act(async () => void router.navigate("/admin/users"));
  await settle();
  expect(page()).toContain("admin.checking");
  answer(Response.json({ ...USER, role: "admin" }));
  await settle();
  expect(page()).toBe("the list");
});

it("admits nobody if the server is unreachable", async () => {
  answer(new Response(null, { status: 500 }));
  await settle();
  expect(page()).toContain("admin.check_failed");
  expect(page()).toContain("actions.try_again");
});
