import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { User } from "@/api";
import { session } from "@/api/client";
import { sessionOf } from "@/api/test-session";
import { useProfile } from "./use-profile";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));

const NEWCOMER = {
  id: "u1",
  email: "o@example.org",
  fullname: null,
  usage: null,
  has_password: false,
  terms_accepted: false,
} as User;

let root: Root;
let profile: ReturnType<typeof useProfile>;

function Page({ user }: { user: User }) {
  profile = useProfile(user);
  return <form ref={profile.element} />;
}

async function open(user: User, state: unknown = null) {
  session.begin(sessionOf(user), true);
  const router = createMemoryRouter(
    [
      { path: "/profile", element: <Page user={user} /> },
      { path: "*", element: <p /> },
    ],
    { initialEntries: [{ pathname: "/profile", state }] },
  );
  await act(async () => root.render(<RouterProvider router={router} />));
  return router;
}
const submit = () => act(() => profile.submit({ preventDefault: () => undefined } as React.FormEvent));

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  vi.stubGlobal("fetch", async () => Response.json({ ...NEWCOMER, fullname: "Олена" }));
});
afterEach(async () => {
  await act(async () => root.unmount());
  session.end("signed_out");
});

it("welcomes a new user", async () => {
  const router = await open(NEWCOMER);
  await act(async () => profile.edit("fullname", "Олена"));
  await act(async () => profile.edit("usage", "transcription"));
  await act(async () => profile.edit("terms", true));
  await submit();
  expect(router.state.location.pathname).toBe("/success");
});

it("does not ask for the terms if they were accepted at sign-up", async () => {
  const router = await open({ ...NEWCOMER, terms_accepted: true });
  expect(profile.asksForTerms).toBe(false);
  await act(async () => profile.edit("fullname", "Олена"));
  await submit();
  expect(profile.errors).toEqual({});
  expect(router.state.location.pathname).toBe("/success");
});

it("continues to the dashboard after a change, and does not accept the terms by itself", async () => {
  const router = await open({ ...NEWCOMER, fullname: "Олена", usage: "transcription" });
  expect(profile.asksForTerms).toBe(true);
  expect(profile.form.terms).toBe(false);
  await submit();
  expect(profile.errors.terms).toBeDefined();
  await act(async () => profile.edit("terms", true));
  await submit();
  expect(router.state.location.pathname).toBe("/dashboard");
});

it("continues to the plan that was chosen before the sign-in with Google", async () => {
  const plan = "/subscription?plan=0197f3a0-0000-7000-8000-000000000000";
  const router = await open({ ...NEWCOMER, fullname: "Олена", usage: "analysis" } as User, { from: plan });
  await act(async () => profile.edit("terms", true));
  await submit();
  const { pathname, search } = router.state.location;
  expect(pathname + search).toBe(plan);
});

it.each(["/upload", "//evil.example/subscription?plan=0197f3a0-0000-7000-8000-000000000000"])(
  "ignores other targets: %s",
  async (from) => {
    const router = await open({ ...NEWCOMER, fullname: "Олена", usage: "analysis" } as User, { from });
    await act(async () => profile.edit("terms", true));
    await submit();
    expect(router.state.location.pathname).toBe("/dashboard");
  },
);
