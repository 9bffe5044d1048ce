import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import type { SiteView, User } from "@/api/schema";
import { sessionOf } from "@/api/test-session";
import { settle, show as showPart } from "@/lib/test-page";
import { EditionCard } from "../overview/edition-card";
import { SiteCard } from "./site-card";

const translate = (key: string, values?: { list?: string }) => (values?.list ? `${key}: ${values.list}` : key);
vi.mock("react-i18next", () => ({
  useTranslation: () => ({ t: translate, i18n: { language: "uk", exists: () => true } }),
}));

vi.mock("@/lib/problem-codes", () => ({ hasProblemText: () => true }));

const NONE = { uk: "", en: "" };
const VIEW: SiteView = {
  settings: {
    edition: null,
    server_name: "Архів",
    purpose: NONE,
    legal_name: NONE,
    email: "",
    phone: "",
    address: NONE,
    hours: NONE,
    hosting: NONE,
    imprint: NONE,
    social: [{ name: "Mastodon", url: "https://mastodon.social/@a" }],
    figures: true,
    example_figures: { minutes: NONE, accuracy: NONE, saved: NONE },
    testimonials: true,
    own_testimonials: [],
  },
  edition: "service",
  answered: false,
  configured_edition: null,
  missing: ["purpose", "phone"],
  figures: null,
};

let root: Root;
let sent: { method: string; path: string; body: unknown }[];
let refusal: object | null;

const text = () => document.body.textContent;
async function press(name: string) {
  const button = [...document.querySelectorAll("button")].find(
    (element) => (element.getAttribute("aria-label") ?? element.textContent) === name,
  );
  if (!button) throw new Error(`no ${name}`);
  await act(async () => button.click());
  await settle();
}

/** Sets the value with the native setter, so that React handles the event. */
async function type(input: HTMLInputElement, value: string) {
  await act(async () => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value")?.set?.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const show = (card: React.ReactNode) => showPart(root, card);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
  sent = [];
  refusal = null;
  const user = { id: "u1", email: "self@example.org", role: "admin" } as User;
  session.begin(sessionOf(user), true);
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET") return Response.json(VIEW);
    sent.push({ method: request.method, path: pathname, body: await request.json() });
    if (refusal) {
      const headers = { "content-type": "application/problem+json" };
      return new Response(JSON.stringify(refusal), { status: 422, headers });
    }
    if (pathname.endsWith("/preview")) return Response.json({ path: "/?preview=t", expires_at: "2026-01-01T00:00:00Z" });
    return Response.json({ ...VIEW, answered: true });
  });
});

afterEach(() => {
  act(() => root.unmount());
  session.end("signed_out");
});

it("lists missing information, and links to a preview of the draft", async () => {
  await show(<SiteCard />);
  expect(text()).toContain("missing: fields.purpose.label і fields.phone.label");
  const name = document.querySelector<HTMLInputElement>("input[type=text]") as HTMLInputElement;
  expect(name.value).toBe("Архів");
  await type(name, "Архів слів");
  await press("preview.make");
  expect(sent).toMatchObject([{ method: "POST", path: "/api/v1/admin/site/preview", body: { server_name: "Архів слів" } }]);
  expect(document.querySelector("a[target=_blank]")?.getAttribute("href")).toBe("/?preview=t");
  // The link shows the draft from which it was created.
  await type(name, "Архів");
  expect(document.querySelector("a[target=_blank]")).toBeNull();
});

it("shows the server's violations beside their entries", async () => {
  await show(<SiteCard />);
  await press("fields.social.add");
  refusal = {
    status: 422,
    code: "validation_failed",
    errors: [{ field: "social.1.url", code: "url_required", params: {} }],
  };
  await act(async () => document.querySelector("form")?.requestSubmit());
  await settle();
  expect(sent).toMatchObject([{ method: "PUT", body: { social: [{ name: "Mastodon" }, { name: "", url: "" }] } }]);
  const urls = [...document.querySelectorAll<HTMLInputElement>("input[type=url]")];
  expect(urls.map((input) => input.getAttribute("aria-invalid"))).toEqual([null, "true"]);
});

it("accepts example figures in both languages, and marks those that are too long", async () => {
  await show(<SiteCard />);
  const named = (name: string) => document.querySelector(`[aria-label="fields.example_figures.${name}"]`) as HTMLInputElement;
  await type(named("minutes, in.uk"), "20 000");
  await type(named("saved, in.en"), "1234567890123");
  await press("preview.make");
  const figures = { minutes: { uk: "20 000", en: "" }, accuracy: NONE, saved: { uk: "", en: "1234567890123" } };
  expect(sent).toMatchObject([{ path: "/api/v1/admin/site/preview", body: { example_figures: figures } }]);
  refusal = {
    status: 422,
    code: "validation_failed",
    errors: [{ field: "example_figures.saved.en", code: "too_long", params: { max: 12, length: 13 } }],
  };
  await act(async () => document.querySelector("form")?.requestSubmit());
  await settle();
  expect(sent).toMatchObject([{}, { method: "PUT", body: { example_figures: figures } }]);
  expect(named("saved, in.en").getAttribute("aria-invalid")).toBe("true");
  expect(named("saved, in.uk").getAttribute("aria-invalid")).toBeNull();
  expect(named("minutes, in.uk").value).toBe("20 000");
});

it("asks for the edition until it is chosen", async () => {
  await show(<EditionCard />);
  expect(text()).toContain("edition.question");
  await press("edition.organisation.choose");
  expect(sent).toEqual([{ method: "PUT", path: "/api/v1/admin/site/edition", body: { edition: "organisation" } }]);
  expect(text()).not.toContain("edition.question");
});
