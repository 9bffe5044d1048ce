import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { accountDeleted } from "@/api";
import type { User } from "@/api/account";
import { session } from "@/api/client";
import { sessionOf } from "@/api/test-session";
import { settle, show as showPart } from "@/lib/test-page";
import { DeleteAccount } from "./delete-account";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({
    t: (key: string, values?: { count?: number }) => (values?.count ? `${key} ${values.count}` : key),
    i18n: { language: "uk" },
  }),
}));

const USER = { id: "u1", email: "o@example.org", role: "user", has_password: true } as User;

let root: Root;
let bodies: string[];
let refusal: { status: number; code: string } | null;

const dialog = () => document.querySelector("[role=dialog]");
const field = () => dialog()?.querySelector("input") as HTMLInputElement;
const errorOf = () => document.getElementById(`${field().id}-error`)?.textContent;
const button = (name: string) => [...document.querySelectorAll("button")].find((element) => element.textContent === name);

async function prove(proof: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await act(async () => {
    set?.call(field(), proof);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => {
    dialog()
      ?.querySelector("form")
      ?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  });
  await settle();
}

async function open(user: User) {
  session.begin(sessionOf(user), true);
  await showPart(root, <DeleteAccount user={user} />);
  await act(async () => button("delete.open")?.click());
  await settle();
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
  bodies = [];
  refusal = null;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json({ total: 143 });
    bodies.push(await request.text());
    if (refusal) return Response.json({ ...refusal, title: refusal.code, type: "about:blank" }, { status: refusal.status });
    return new Response(null, { status: 204 });
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
  session.end("signed_out");
});

it("lists what is deleted, and sends nothing without the password", async () => {
  await open(USER);
  expect(dialog()?.textContent).toContain("delete.lost_jobs 143");
  await prove("");
  expect(errorOf()).toBe("violations.password_required");
  expect(bodies).toEqual([]);
});

it("shows a wrong password at its field, and why the last administrator cannot be deleted", async () => {
  await open(USER);
  refusal = { status: 403, code: "wrong_password" };
  await prove("wrong");
  expect(errorOf()).toBe("problems:codes.wrong_password");
  refusal = { status: 409, code: "last_admin" };
  await prove("right");
  expect(dialog()?.querySelector("[role=alert]")?.textContent).toBe("delete.last_admin");
  expect(session.user()).not.toBeNull();
});

it("ends the session, and the sign-in page reports the deletion", async () => {
  await open(USER);
  await prove("right");
  expect(bodies).toEqual(['{"password":"right"}']);
  expect(session.user()).toBeNull();
  expect(accountDeleted()).toBe(true);
});

it("asks for the email address without a password, and compares it like the server", async () => {
  await open({ ...USER, has_password: false });
  await prove("somebody@example.org");
  expect(errorOf()).toBe("delete.wrong_email");
  expect(bodies).toEqual([]);
  await prove(" O@Example.org ");
  expect(bodies).toEqual(['{"email":"o@example.org"}']);
});
