import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import type { AnalysisEndpoint, EndpointTest, SpeechEndpoint, User } from "@/api/schema";
import { sessionOf } from "@/api/test-session";
import { settle, show as showPart } from "@/lib/test-page";
import { AnalysisCard } from "./analysis-card";
import { SpeechCard } from "./speech-card";

const translate = (key: string, values?: object) => (values ? `${key} ${JSON.stringify(values)}` : key);
vi.mock("react-i18next", () => ({
  useTranslation: () => ({ t: translate, i18n: { language: "uk", exists: () => true } }),
}));

vi.mock("@/lib/problem-codes", () => ({ hasProblemText: () => true }));

const URL_HERE = "http://192.168.1.20:8000/v1";
const SPEECH: SpeechEndpoint = {
  set: {
    url: URL_HERE,
    model: "large-v3",
    full: true,
    lite: false,
    languages: ["uk", "de"],
    translates: false,
    parallel: 4,
    falls_back: true,
  },
  key: "missing",
  own_key_for: null,
};
const TEST: EndpointTest = {
  outcome: "model_unknown",
  status: 404,
  models: ["small", "medium"],
  milliseconds: 120,
  tested_at: "2026-11-28T12:00:00Z",
};

let root: Root;
let answer: SpeechEndpoint | AnalysisEndpoint;
let sent: { method: string; path: string; body: unknown }[];
let refusal: object | null;
let dirty: boolean;

const text = () => document.body.textContent;
const button = (name: string) => [...document.querySelectorAll("button")].find((element) => element.textContent === name);
async function press(name: string) {
  await act(async () => button(name)?.click());
  await settle();
}
const labelled = (name: string) => {
  const label = [...document.querySelectorAll("label")].find((element) => element.textContent === name);
  return document.getElementById(label?.htmlFor ?? "") as HTMLInputElement;
};
const description = (field: Element) =>
  (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
const tick = (name: string) => act(async () => labelled(name).click());

/** Sets the value with the native setter, so that React handles the event. */
async function type(name: string, value: string) {
  await act(async () => {
    const input = labelled(name);
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value")?.set?.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const show = async (served: SpeechEndpoint | AnalysisEndpoint = SPEECH, card: "speech" | "analysis" = "speech") => {
  answer = served;
  const Card = card === "speech" ? SpeechCard : AnalysisCard;
  await showPart(root, <Card onDirtyChange={(is) => (dirty = is)} />);
};

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
  sent = [];
  refusal = null;
  dirty = false;
  const user = { id: "u1", email: "self@example.org", role: "admin" } as User;
  session.begin(sessionOf(user), true);
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname: path } = new URL(request.url);
    if (request.method === "GET") return Response.json(answer);
    if (path.endsWith("/test")) return Response.json(TEST);
    sent.push({ method: request.method, path, body: await request.json() });
    if (!refusal) return Response.json(answer);
    return new Response(JSON.stringify(refusal), { status: 422, headers: { "content-type": "application/problem+json" } });
  });
});

afterEach(() => {
  act(() => root.unmount());
  session.end("signed_out");
});

it("says that recordings leave the server, and that nothing is configured", async () => {
  await show({ ...SPEECH, set: { ...SPEECH.set, url: "", model: "" } });
  expect(text()).toContain("speech.leaves");
  expect(text()).toContain("speech.none");
  expect(button("endpoint.test")?.disabled).toBe(true);
});

it("saves what was changed, and keeps the stored key unless one is entered or removed", async () => {
  await show({ ...SPEECH, key: "own", own_key_for: "http://192.168.1.20:8000" });
  expect(text()).toContain('endpoint.key.own {"place":"http://192.168.1.20:8000"}');
  await tick("speech.lite");
  await tick("speech.translates");
  await tick("speech.falls_back");
  await type("speech.parallel", "8");
  expect(dirty).toBe(true);
  expect(button("endpoint.test")?.disabled).toBe(true);
  await press("save");
  const changed = { ...SPEECH.set, lite: true, translates: true, falls_back: false, parallel: 8 };
  expect(sent).toEqual([{ method: "PUT", path: "/api/v1/admin/speech-endpoint", body: { ...changed, key: null } }]);
  expect(dirty).toBe(false);

  await type("endpoint.key_field", "sk-1");
  await press("save");
  expect(sent.at(-1)?.body).toEqual({ ...SPEECH.set, key: "sk-1" });
  expect(labelled("endpoint.key_field").value).toBe("");

  await tick("endpoint.key_remove");
  expect(labelled("endpoint.key_field").disabled).toBe(true);
  await press("save");
  expect(sent.at(-1)?.body).toEqual({ ...SPEECH.set, key: "" });
});

it("discards changes", async () => {
  await show();
  await type("endpoint.url", "http://elsewhere/v1");
  expect(dirty).toBe(true);
  await press("revert");
  expect(labelled("endpoint.url").value).toBe(URL_HERE);
  expect(dirty).toBe(false);
});

it("says that it does nothing without a mode", async () => {
  await show();
  expect(text()).not.toContain("speech.off");
  await tick("speech.full");
  expect(text()).toContain("speech.off");
  expect(text()).not.toContain("speech.idle");
  act(() => root.unmount());
  root = createRoot(document.querySelector("div") as HTMLElement);
  await show({ ...SPEECH, set: { ...SPEECH.set, full: false } });
  expect(text()).toContain("speech.idle");
});

it("shows the server's violations at their fields", async () => {
  await show();
  refusal = {
    status: 422,
    code: "validation_failed",
    errors: [
      { field: "parallel", code: "number_too_large", params: { max: 16 } },
      { field: "languages.1", code: "language_unsupported", params: { language: "de" } },
    ],
  };
  await type("speech.parallel", "17");
  await press("save");
  expect(description(labelled("speech.parallel"))).toContain('violations.number_too_large {"max":16}');
  expect(description(labelled("speech.languages"))).toContain('violations.language_unsupported {"language":"de"}');
  expect(document.activeElement?.getAttribute("aria-invalid")).toBe("true");
  await type("speech.parallel", "");
  expect(labelled("speech.parallel").getAttribute("aria-invalid")).toBeNull();
  expect(labelled("speech.languages").getAttribute("aria-invalid")).toBe("true");
  await press("save");
  expect(sent.at(-1)?.body).toMatchObject({ parallel: 0 });
});

it("shows how the test ended until something is changed", async () => {
  await show();
  await press("endpoint.test");
  const result = () => document.querySelector("[aria-label='endpoint.result']")?.textContent;
  expect(result()).toContain("endpoint.outcome.model_unknown.title");
  expect(result()).toContain('endpoint.models {"names":"small, medium"}');
  expect(result()).toContain("HTTP 404");
  await type("endpoint.model", "small");
  expect(result()).toBe("");
});

const WITHOUT_ADDRESS = { set: { url: "", model: "" }, key: "withheld", url: null, model: null } as const;

it("does not say that a key is for another address if there is none", async () => {
  await show({ ...WITHOUT_ADDRESS, own_key_for: null }, "analysis");
  expect(text()).toContain("endpoint.key.sent");
  act(() => root.unmount());
  root = createRoot(document.querySelector("div") as HTMLElement);
  await show({ ...WITHOUT_ADDRESS, own_key_for: "https://a" }, "analysis");
  expect(text()).toContain('endpoint.key.own {"place":"https://a"}');
});

it("shows the configured endpoint of analyses, and sends its two fields", async () => {
  const configured = { configured_url: "http://a/v1", configured_model: "llama" };
  const used = { url: "http://a/v1", model: "llama", key: "sent" } as const;
  await show({ ...WITHOUT_ADDRESS, ...configured, ...used, own_key_for: null }, "analysis");
  expect(labelled("endpoint.url").placeholder).toBe("http://a/v1");
  await type("endpoint.model", "other");
  await press("save");
  expect(sent).toEqual([{ method: "PUT", path: "/api/v1/admin/analysis-endpoint", body: { url: "", model: "other" } }]);
});
