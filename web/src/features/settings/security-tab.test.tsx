import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SessionInfo, User } from "@/api/account";
import { session } from "@/api/client";
import { sessionOf } from "@/api/test-session";
import { settle, show as showPart } from "@/lib/test-page";
import { SecurityTab } from "./security-tab";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({
    t: (key: string, values?: { name?: string }) => (values?.name ? `${key} ${values.name}` : key),
    i18n: { language: "uk" },
  }),
}));

const USER = { id: "u1", email: "o@example.org", role: "user", has_password: true } as User;
const NOW = new Date().toISOString();
const place = (id: string, user_agent: string, current: boolean): SessionInfo => ({
  id,
  user_agent,
  current,
  address: "192.0.2.1",
  created_at: NOW,
  last_used_at: NOW,
  remember: true,
});

let root: Root;
let places: SessionInfo[];
let requests: { line: string; body: string }[];
let refusal: { status: number; code: string; errors?: object[] } | null;

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
const errorOf = (name: string) => document.getElementById(`${field(name)?.id}-error`)?.textContent;
const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (element) => (element.getAttribute("aria-label") ?? element.textContent) === name,
  );
/** The rows of sessions, without those of the password checklist. */
const listed = () => [...document.querySelectorAll("li")].filter((row) => !row.closest("[aria-label='signup.checklist']"));
const sent = (method: string) => requests.filter(({ line }) => line.startsWith(method));

async function type(name: string, value: string) {
  const input = field(name) as HTMLInputElement;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await act(async () => {
    set?.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
async function press(name: string) {
  await act(async () => button(name)?.click());
  await settle();
}
async function submit() {
  await act(async () => {
    document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  });
  await settle();
}

async function show(user: User) {
  session.begin(sessionOf(user), true);
  await showPart(root, <SecurityTab user={user} />);
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
  requests = [];
  refusal = null;
  places = [
    place("1", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", true),
    place("2", "curl/8.5.0", false),
  ];
  vi.stubGlobal("fetch", async (request: Request) => {
    const line = `${request.method} ${new URL(request.url).pathname.replace("/api/v1/auth/", "")}`;
    requests.push({ line, body: await request.text() });
    if (request.method === "GET") return Response.json({ sessions: places });
    if (refusal) return Response.json({ ...refusal, title: refusal.code, type: "about:blank" }, { status: refusal.status });
    if (line === "DELETE sessions/2") places = places.slice(0, 1);
    return new Response(null, { status: 204 });
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
  session.end("signed_out");
});

it("checks the current, new and repeated password before sending a request", async () => {
  await show(USER);
  await type("password", "short");
  await type("confirm_password", "other");
  await submit();
  expect(errorOf("current_password")).toBe("violations.password_required");
  expect(errorOf("password")).toBe("violations.password_too_short");
  expect(errorOf("confirm_password")).toBe("violations.passwords_do_not_match");
  expect(document.activeElement).toBe(field("current_password"));
  expect(sent("POST")).toEqual([]);
  await type("password", "long enough");
  expect(errorOf("password")).toBe("");
  expect(errorOf("confirm_password")).toBe("");
});

it("shows a wrong password at its field, other failures above the form", async () => {
  await show(USER);
  await type("current_password", "wrong");
  await type("password", "Correct-horse-9");
  await type("confirm_password", "Correct-horse-9");
  refusal = { status: 403, code: "wrong_password" };
  await submit();
  expect(errorOf("current_password")).toBe("problems:codes.wrong_password");
  refusal = { status: 500, code: "internal" };
  await submit();
  expect(errorOf("current_password")).toBe("");
  expect(document.querySelector("[role=alert]")?.textContent).toMatch(/^password\.failed\. /);
});

it("changes the password, confirms that, and clears the fields", async () => {
  await show(USER);
  await type("current_password", "before");
  await type("password", "Correct-horse-9");
  await type("confirm_password", "Correct-horse-9");
  await submit();
  expect(sent("POST")).toEqual([
    {
      line: "POST password/change",
      body: '{"current_password":"before","password":"Correct-horse-9","confirm_password":"Correct-horse-9"}',
    },
  ]);
  expect(document.body.textContent).toContain("password.done");
  expect(field("password")?.value).toBe("");
});

it("shows the server's violations of the new password under its field", async () => {
  await show(USER);
  await type("current_password", "before");
  await type("password", "Correct-horse-9");
  await type("confirm_password", "Correct-horse-9");
  refusal = { status: 422, code: "validation_failed", errors: [{ field: "password", code: "password_weak", params: {} }] };
  await submit();
  expect(errorOf("password")).toBe("violations.password_weak");
  expect(document.activeElement).toBe(field("password"));
});

it("mails a link if there is no password, because a session is not enough to set one", async () => {
  await show({ ...USER, has_password: false });
  expect(document.querySelector("input[type=password]")).toBeNull();
  refusal = { status: 500, code: "internal" };
  await press("password.send_link");
  expect(document.querySelector("[role=alert]")?.textContent).toMatch(/^password\.link_failed\. /);
  refusal = null;
  await press("password.send_link");
  expect(sent("POST").at(-1)).toEqual({ line: "POST password/forgot", body: '{"email":"o@example.org","locale":"uk"}' });
  expect(document.body.textContent).toContain("password.link_sent");
  expect(document.querySelector("[role=alert]")?.textContent).toBe("");
});

it("ends one session after a confirmation, and then offers none", async () => {
  await show(USER);
  expect(listed()).toHaveLength(2);
  // The current session has no such button.
  expect(button("sessions.end_name Firefox, Linux")).toBeUndefined();
  await press("sessions.end_name curl");
  expect(sent("DELETE")).toEqual([]);
  await press("sessions.end_yes");
  expect(sent("DELETE").map(({ line }) => line)).toEqual(["DELETE sessions/2"]);
  expect(listed()).toHaveLength(1);
  expect(document.body.textContent).toContain("sessions.only_one");
});

it("changes the email address with a code from each of the two addresses", async () => {
  let waiting: { email: string } | null = null;
  vi.stubGlobal("fetch", async (request: Request) => {
    const line = `${request.method} ${new URL(request.url).pathname.replace("/api/v1/", "")}`;
    requests.push({ line, body: await request.text() });
    if (line === "GET me/email") return Response.json({ change: waiting });
    if (request.method === "GET") return Response.json({ sessions: places });
    if (refusal) return Response.json({ ...refusal, title: refusal.code, type: "about:blank" }, { status: refusal.status });
    if (line === "POST me/email") {
      waiting = { email: "new@example.org" };
      return Response.json(waiting, { status: 202 });
    }
    waiting = null;
    return Response.json({ ...USER, email: "new@example.org" });
  });
  await show(USER);
  await type("new_email", "new@example.org");
  await type("email_password", "Right-Horse-2026!");
  refusal = { status: 403, code: "wrong_password" };
  await press("email.send");
  await act(async () => field("new_email")?.form?.requestSubmit());
  await settle();
  expect(errorOf("email_password")).toBe("problems:codes.wrong_password");
  refusal = null;
  await act(async () => field("new_email")?.form?.requestSubmit());
  await settle();
  expect(field("new_email")).toBeNull();
  await type("old_code", "AB2CD");
  await type("new_code", "EF3GH");
  await act(async () => field("old_code")?.form?.requestSubmit());
  await settle();
  expect(sent("POST me/email/confirm").map(({ body }) => body)).toEqual(['{"old_code":"AB2CD","new_code":"EF3GH"}']);
  expect(session.user()?.email).toBe("new@example.org");
  expect(field("old_code")).toBeNull();
});
