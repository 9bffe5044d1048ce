import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ForgotPage } from "./forgot-page";
import { VerifyPage } from "./verify-page";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));
vi.mock("./auth-layout", () => ({ AuthLayout: ({ children }: { children?: ReactNode }) => <main>{children}</main> }));

let root: Root;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async () => Response.json({ google: false }));
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
});
afterEach(() => act(async () => root.unmount()));

it.each([
  ["/forgot-password", "/login"],
  ["/verify", "/signup"],
])("the link from %s to %s passes on the requested page", async (from, to) => {
  const state = { from: "/transcription/7", user: "u1" };
  const router = createMemoryRouter(
    [
      { path: "/forgot-password", element: <ForgotPage /> },
      { path: "/verify", element: <VerifyPage /> },
      { path: "*", element: <p /> },
    ],
    { initialEntries: [{ pathname: from, state: { ...state, email: "o@example.org" } }] },
  );
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  );
  await act(async () => document.querySelector<HTMLAnchorElement>(`a[href="${to}"]`)?.click());
  expect(router.state.location).toMatchObject({ pathname: to, state });
});
