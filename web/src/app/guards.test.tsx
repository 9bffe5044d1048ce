import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { signIn, signOut } from "@/api";
import { session } from "@/api/client";
import { sessionOf } from "@/api/test-session";
import { GuestOnly, RequireUser } from "./guards";

/** Signs in as one of two users. */
const someoneNamed = (id: string) => ({
  ...sessionOf({ id, email: `${id}@example.org` }),
  access_token: `access-${Math.random()}`,
});

let root: Root;
let page: HTMLElement;

/** The routes with empty pages; shows the current location. */
async function open(path: string) {
  const router = createMemoryRouter(
    [
      { Component: GuestOnly, children: [{ path: "/login", element: <p /> }] },
      { element: <GuestOnly then="/profile" />, children: [{ path: "/verify", element: <p /> }] },
      { Component: RequireUser, children: [{ path: "*", element: <input /> }] },
    ],
    { initialEntries: [path] },
  );
  page = document.createElement("div");
  root = createRoot(page);
  await act(async () => root.render(<RouterProvider router={router} />));
  return () => router.state.location.pathname + router.state.location.search;
}

const enter = (id: string) => act(() => signIn({ email: id, password: "x" }, true));

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async (request: Request) =>
    request.url.endsWith("/login")
      ? Response.json(someoneNamed((await request.json()).email))
      : new Response(null, { status: 204 }),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  await signOut();
});

it("returns a user whose session expired to their page", async () => {
  await act(() => signIn({ email: "a", password: "x" }, true));
  const place = await open("/transcription/7?t=3");
  expect(place()).toBe("/transcription/7?t=3");
  await act(async () => session.end("expired"));
  expect(place()).toBe("/login");
  await enter("a");
  expect(place()).toBe("/transcription/7?t=3");
});

it("does not take another user there", async () => {
  await act(() => signIn({ email: "a", password: "x" }, true));
  const place = await open("/transcription/7");
  await act(async () => session.end("expired"));
  await enter("b");
  expect(place()).toBe("/dashboard");
});

it("does not keep a page's data for the next user", async () => {
  await act(() => signIn({ email: "a", password: "x" }, true));
  await open("/transcription/7");
  const before = page.querySelector("input");
  if (before) before.value = "of a";
  await enter("a");
  expect(page.querySelector("input")?.value).toBe("of a");
  await enter("b");
  expect(page.querySelector("input")?.value).toBe("");
});

it("does not return to the page after a sign-out", async () => {
  await act(() => signIn({ email: "a", password: "x" }, true));
  const place = await open("/transcription/7");
  await act(async () => signOut());
  await enter("a");
  expect(place()).toBe("/dashboard");
});

it("sends a new account to its profile, and signed-in users to the dashboard", async () => {
  const place = await open("/verify");
  expect(place()).toBe("/verify");
  await enter("a");
  expect(place()).toBe("/profile");
  await act(async () => root.unmount());
  expect((await open("/verify"))()).toBe("/dashboard");
});
