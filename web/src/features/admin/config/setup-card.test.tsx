import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import type { Setup, User } from "@/api/schema";
import { sessionOf } from "@/api/test-session";
import { SETUP as STEPS } from "@/api/test-setup-steps";
import { settle, show as showPart } from "@/lib/test-page";
import { SetupNote } from "../overview/setup-note";
import { AddressCard } from "./address-card";
import { FieldAnchor } from "./field-anchor";
import { SetupCard } from "./setup-card";

const translate = (key: string, values?: object) => (values ? `${key} ${JSON.stringify(values)}` : key);
vi.mock("react-i18next", () => ({
  useTranslation: () => ({ t: translate, i18n: { language: "uk", exists: () => true } }),
}));

vi.mock("@/lib/problem-codes", () => ({ hasProblemText: () => true }));

/** A model is missing. */
const SETUP: Setup = {
  ...STEPS,
  models: {
    state: "to_do",
    cause: "missing",
    better: {
      id: "large-v3-turbo-q5_0",
      language: "uk",
      percent: 8.2,
      current_percent: 45,
      seconds_per_hour: 1500,
      bytes: 574_000_000,
      on_disk: false,
    },
    models: [
      { id: "base-q8_0", used_by: ["full"], on_disk: true },
      { id: "tiny.en-q8_0", used_by: ["lite"], on_disk: false },
    ],
  },
};

let root: Root;
let answer: Setup;
let requests: URL[];

const text = () => document.body.textContent;
const links = () => [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));

const show = (what: React.ReactNode, address = "/admin/config") => showPart(root, what, address);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
  answer = SETUP;
  requests = [];
  const user = { id: "u1", email: "self@example.org", role: "admin" } as User;
  session.begin(sessionOf(user), true);
  vi.stubGlobal("fetch", async (request: Request) => {
    requests.push(new URL(request.url));
    return Response.json(answer);
  });
});

afterEach(() => {
  act(() => root.unmount());
  session.end("signed_out");
});

it("shows the state and cause of each step, with a link to its field", async () => {
  await show(<SetupCard />);
  expect(requests[0]?.searchParams.get("origin")).toBe(window.location.origin);
  expect(text()).toContain('progress {"done":1,"all":5}');
  expect([...document.querySelectorAll("h3 span")].map((state) => state.textContent)).toEqual([
    "state.to_do",
    "state.to_do",
    "state.optional",
    "state.done",
    "state.to_do",
  ]);
  expect(text()).toContain("admin-config:mail.failure.sign_in");
  expect(text()).toContain("tiny.en-q8_0 (models.used_by.lite): setup.not_on_disk");
  expect(text()).toMatch(/models\.better .*large-v3-turbo-q5_0.*8.*45.*models\.better_facts .*25.*models\.better_get/);
  expect(links()).toEqual([
    "/admin/config?section=mail#test",
    "/admin/config?section=models#needed",
    "/admin/config?section=analysis#url",
    "/admin/config?section=address#public_url",
    "/admin/config?section=site#email",
    "/admin/config?section=site#imprint",
    "/admin/config?section=site#email",
  ]);
  answer = { ...SETUP, mail: { state: "done", cause: "works", place: "smtp.example.org:465", failure: null } };
  await act(async () => document.querySelector("button")?.click());
  await settle();
  expect(text()).toContain('progress {"done":2,"all":5}');
});

it("shows a general text for an unknown failure", async () => {
  answer = { ...SETUP, mail: { ...SETUP.mail, failure: "constructor" } };
  await show(<SetupCard />);
  expect(text()).toContain("admin-config:mail.failure.other");
});

it("compares the configured URL with the current one", async () => {
  const url = "https://slovo.example.org";
  answer = { ...SETUP, address: { state: "to_do", cause: "other", url, configured: true } };
  await show(<AddressCard />);
  expect(text()).toContain(`address.cause.other {"url":"${url}","here":"${window.location.origin}"}`);
});

it("is summarised elsewhere while steps are left", async () => {
  await show(<SetupNote />);
  expect(text()).toContain('note {"done":1,"all":5}');
  expect([...document.querySelectorAll("li")].map((item) => item.textContent)).toEqual([
    "mail.title",
    "models.title",
    "legal.title",
  ]);
  expect(links().at(-1)).toBe("/admin/config?section=setup");
  answer = {
    ...SETUP,
    mail: { ...SETUP.mail, state: "done" },
    models: { ...SETUP.models, state: "done" },
    legal: { state: "done", missing: [] },
  };
  act(() => root.unmount());
  root = createRoot(document.querySelector("div") as HTMLElement);
  await show(<SetupNote />);
  expect(text()).toBe("");
});

it("focuses the field named in the URL", async () => {
  const fields = (
    <>
      <FieldAnchor name="email">
        <input name="first" />
      </FieldAnchor>
      <FieldAnchor name="url">
        <input name="second" />
      </FieldAnchor>
      <FieldAnchor name="public_url">
        <p>nothing to press</p>
      </FieldAnchor>
    </>
  );
  await show(fields, "/admin/config?section=analysis#url");
  expect(document.activeElement?.getAttribute("name")).toBe("second");
  act(() => root.unmount());
  root = createRoot(document.querySelector("div") as HTMLElement);
  await show(fields, "/admin/config?section=address#public_url");
  expect(document.activeElement?.textContent).toBe("nothing to press");
});
