import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ManagedUser } from "@/api/admin";
import { session } from "@/api/client";
import type { User } from "@/api/schema";
import { sessionOf } from "@/api/test-session";
import { settle, show as showPart } from "@/lib/test-page";
import { toast } from "@/lib/toast";
import { UsersPage } from "./users-page";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({
    t: (key: string, values?: { action?: string; email?: string }) => (values?.action ? `${values.action} ${values.email}` : key),
    i18n: { language: "uk" },
  }),
}));

vi.mock("@/lib/problem-codes", () => ({ hasProblemText: () => true }));

const SELF = { id: "u1", email: "self@example.org", role: "admin" } as User;
const managed = (id: string, change: Partial<ManagedUser>): ManagedUser => ({
  id,
  email: `${id}@example.org`,
  fullname: null,
  role: "user",
  status: "active",
  subscription_id: null,
  plan_name: null,
  created_at: "2026-01-01T00:00:00Z",
  last_used_at: null,
  ...change,
});

const PLANS = [
  { id: "p1", subscription_id: 1, name: "Start", price: 9.5, currency: "UAH", is_active: true },
  { id: "p2", subscription_id: 2, name: "Old", price: 5, currency: "UAH", is_active: false },
];
const MINUTES = {
  plan: null,
  plan_limit: 60,
  limit: 60,
  used: 1.5,
  reserved: 0,
  bonus: 0,
  left: 58.5,
  reset_at: "2026-02-01T00:00:00Z",
};

let root: Root;
let users: ManagedUser[];
/** Whether mail is configured. */
let mail: boolean;
let requests: string[];
let refusal: { status: number; code: string } | null;

const text = () => document.body.textContent;
const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (element) => (element.getAttribute("aria-label") ?? element.textContent) === name,
  );
async function press(name: string) {
  await act(async () => button(name)?.click());
  await settle();
}

/** Sets the value with the native setter, so that React handles the event. */
async function type(selector: string, value: string) {
  const input = document.querySelector<HTMLInputElement>(`[role=dialog] ${selector}`);
  if (!input) throw new Error(`no ${selector}`);
  await act(async () => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value")?.set?.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const show = (address = "/admin/users") => showPart(root, <UsersPage />, address);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
  users = [managed("u1", { email: SELF.email, role: "admin" }), managed("u2", { fullname: "Петро Жук" })];
  requests = [];
  refusal = null;
  vi.spyOn(toast, "success");
  vi.spyOn(toast, "error");
  vi.spyOn(toast, "notice");
  mail = true;
  session.begin(sessionOf(SELF), true);
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    requests.push(`${request.method} ${url.pathname.replace("/api/v1/admin/", "")}${url.search} ${await request.text()}`.trim());
    if (refusal) return Response.json({ ...refusal, title: refusal.code, type: "about:blank" }, { status: refusal.status });
    if (url.pathname.endsWith("/auth/options")) return Response.json({ mail });
    if (url.pathname.endsWith("/plans")) return Response.json({ plans: PLANS });
    if (url.pathname.endsWith("/minutes")) return Response.json(MINUTES);
    if (url.pathname.endsWith("/usage-history")) return Response.json({ items: [], next_before: null });
    if (url.pathname.endsWith("/balance")) return Response.json(MINUTES);
    if (url.pathname.endsWith("/password-link")) return Response.json({ mailed: true });
    if (url.pathname.endsWith("/export")) return Response.json({ url: "/archive", expires_at: "2026-02-01T00:00:00Z" });
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    if (request.method === "POST") return Response.json({ user: users[0], mailed: false }, { status: 201 });
    if (request.method === "GET") return Response.json({ total: users.length, users, next_cursor: null });
    users = users.map((user) => (url.pathname.includes(user.id) ? { ...user, status: "blocked" } : user));
    return Response.json(users[1]);
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
  session.end("signed_out");
});

it("confirms before blocking, and shows the server's result", async () => {
  await show();
  await press("block u2@example.org");
  expect(document.querySelector("[role=alertdialog]")?.textContent).toContain("block_question");
  await press("actions.cancel");
  expect(requests.filter((line) => line.startsWith("PUT"))).toEqual([]);
  await press("block u2@example.org");
  await press("block_yes");
  expect(requests).toContain('PUT users/u2/status {"status":"blocked"}');
  expect(toast.success).toHaveBeenCalledWith("blocked");
  expect(button("unblock u2@example.org")).toBeDefined();
});

it("grants full access only after a confirmation", async () => {
  await show();
  await press("edit u2@example.org");
  await press("make_admin u2@example.org");
  expect(requests.filter((line) => line.startsWith("PUT"))).toEqual([]);
  await press("make_yes");
  expect(requests).toContain('PUT users/u2/role {"role":"admin"}');
});

it("does not let administrators change their own access", async () => {
  await show();
  await press("edit self@example.org");
  expect(text()).toContain("own");
  expect(button("block self@example.org")).toBeUndefined();
  expect(button("remove_admin self@example.org")).toBeUndefined();
});

it("sets an available plan", async () => {
  await show();
  await press("edit u2@example.org");
  const plan = document.querySelector<HTMLSelectElement>("[role=dialog] select");
  expect([...(plan?.options ?? [])].map((option) => option.text)).toEqual(["no_plan", "Start - 9,5 UAH"]);
  await act(async () => {
    if (plan) plan.value = "p1";
    plan?.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await press("editor.save");
  expect(requests).toContain('PUT users/u2/plan {"plan_id":"p1"}');
  expect(toast.success).toHaveBeenCalledWith("plan_updated");
});

it("corrects minutes only with a reason and a number", async () => {
  await show();
  await press("balance.open u2@example.org");
  expect(button("balance.apply")?.disabled).toBe(true);
  await type("textarea", " late job ");
  await press("balance.apply");
  // An empty number is not 0.
  expect(requests.filter((line) => line.startsWith("POST"))).toEqual([]);
  expect(document.querySelector("[role=dialog] input[type=number]")?.getAttribute("aria-invalid")).toBe("true");
  await type("input[type=number]", "2.5");
  await press("balance.apply");
  expect(requests).toContain('POST users/u2/balance {"operation":"add","minutes":2.5,"reason":" late job "}');
  expect(toast.success).toHaveBeenCalledWith("balance.updated");
});

it("shows why a change was refused", async () => {
  await show();
  refusal = { status: 409, code: "last_admin" };
  await press("block u2@example.org");
  await press("block_yes");
  expect(toast.error).toHaveBeenCalledWith("status_failed. codes.last_admin");
});

it("searches with the filter in the URL, and reports an empty result", async () => {
  users = [];
  await show("/admin/users?q=%20zebra%20");
  expect(requests).toContain("GET users?limit=50&search=zebra");
  expect(text()).toContain("nothing");
});

it("shows names of plans, and filters by a plan or none", async () => {
  users = [managed("u2", { subscription_id: 2, plan_name: "Old" })];
  await show("/admin/users?plan=2");
  expect(requests).toContain("GET users?limit=50&plan=2");
  expect(text()).toContain("Old");
  const plan = [...document.querySelectorAll("select")].find((element) => element.getAttribute("aria-label") === "columns.plan");
  expect([...(plan?.options ?? [])].map((option) => option.text)).toEqual(["all_plans", "without_plan", "Start", "Old"]);
  await act(async () => {
    if (plan) plan.value = "0";
    plan?.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await settle();
  expect(requests).toContain("GET users?limit=50&plan=0");
});

it("invites a user, and reports if the mail could not be sent", async () => {
  await show();
  await press("invite.open");
  await type("input[type=email]", "new@example.org");
  await press("invite.send");
  await act(async () => document.querySelector<HTMLFormElement>("[role=dialog] form")?.requestSubmit());
  await settle();
  expect(requests).toContain('POST users {"email":"new@example.org","fullname":"","locale":"uk"}');
  expect(toast.error).toHaveBeenCalledWith("invite.unsent");
});

it("says where the mail is if it could not leave the server", async () => {
  mail = false;
  await show();
  await press("edit u2@example.org");
  await press("account.link u2@example.org");
  expect(toast.notice).toHaveBeenCalledWith("account.link_kept");
  expect(toast.success).not.toHaveBeenCalled();
});

it("renames, sends a link and ends sessions", async () => {
  await show();
  await press("edit u2@example.org");
  await type("input:not([readonly])", "Леся");
  await press("account.link u2@example.org");
  expect(requests).toContain("POST users/u2/password-link");
  await press("account.sessions u2@example.org");
  expect(requests.some((line) => line.startsWith("DELETE"))).toBe(false);
  await press("account.sessions_yes");
  expect(requests).toContain("DELETE users/u2/sessions");
  await act(async () => document.querySelector<HTMLFormElement>("[role=dialog] form")?.requestSubmit());
  await settle();
  expect(requests).toContain('PUT users/u2/name {"fullname":"Леся"}');
});

it("deletes after a confirmation that offers the archive, and not the own account", async () => {
  await show();
  await press("edit u2@example.org");
  await press("account.delete u2@example.org");
  const question = document.querySelector("[role=alertdialog]");
  expect(question?.textContent).toContain("account.delete_question");
  await press("account.archive");
  expect(requests).toContain('POST users/u2/export {"recordings":false}');
  expect(requests.some((line) => line.startsWith("DELETE"))).toBe(false);
  await press("account.delete_yes");
  expect(requests).toContain("DELETE users/u2");
  expect(toast.success).toHaveBeenCalledWith("account.deleted");
  await press("edit self@example.org");
  expect(text()).toContain("account.own");
  expect(button("account.delete self@example.org")).toBeUndefined();
});

it("limits subtracted minutes to those left, and shows the effect of a correction", async () => {
  await show();
  await press("balance.open u2@example.org");
  await type("input[type=number]", "10");
  expect(text()).toContain("balance.effect");
  expect(text()).toContain("balance.lapses");
  await act(async () => document.querySelectorAll<HTMLInputElement>("[role=dialog] input[type=radio]")[1]?.click());
  await type("textarea", "x");
  await type("input[type=number]", "58.51");
  expect(text()).not.toContain("balance.effect");
  await press("balance.apply");
  expect(requests.filter((line) => line.startsWith("POST"))).toEqual([]);
  expect(text()).toContain("violations.balance_too_low");
});

it("offers a retry if the list cannot be loaded", async () => {
  refusal = { status: 500, code: "internal" };
  await show();
  expect(text()).toContain("load_failed");
  refusal = null;
  await press("actions.try_again");
  expect(text()).toContain("u2@example.org");
});
