/** A fake server's API keys, for tests of the settings and of the administrators' list. */
import type { Page } from "@playwright/test";
import type { ApiKey, ApiKeyList, ApiKeyPage, CreatedApiKey, NewApiKey, OwnedApiKey, Problem } from "../src/api/schema.d.ts";
import { type Interception, intercept } from "./intercept";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A time this many days from now. */
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

export const SECRET = "slovo_Qm3vY7xT1kZ9pR4wN8sL2dF6gH0jB5cV-aE_uK3iQ1o";

export const apiKey = (id: string, name: string, change: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name,
  hint: "x7Qd",
  scopes: ["read"],
  created_at: inDays(-20),
  expires_at: inDays(70),
  last_used_at: null,
  last_address: null,
  ...change,
});

/** One of each kind: used, about to expire, expired, never used and without an end. */
export const KEYS: readonly ApiKey[] = [
  apiKey("k-archive", "Архів <b>редакції</b>", {
    hint: "AbCd",
    scopes: ["read", "transcribe"],
    last_used_at: inDays(-0.2),
    last_address: "2001:db8:85a3::8a2e:370:7334",
  }),
  apiKey("k-soon", "Home Assistant", { expires_at: inDays(3), last_used_at: inDays(-1.5), last_address: "192.0.2.17" }),
  apiKey("k-old", "Стара програма", { scopes: ["read", "write", "transcribe"], expires_at: inDays(-2) }),
  apiKey("k-admin", "Нічне резервне копіювання всього сервера", {
    scopes: ["read", "write", "transcribe", "admin"],
    expires_at: null,
  }),
];

type Refusal = Pick<Problem, "code" | "status" | "errors" | "params">;

export class ApiKeysWorld {
  keys: ApiKey[] = [...KEYS];
  owned: OwnedApiKey[] = [];
  inPlan = true;
  /** The next request of this method fails with this. */
  refusals: Partial<Record<"GET" | "POST" | "DELETE", Refusal>> = {};
  /** All requests to change something. */
  asked: { method: string; path: string; body: unknown }[] = [];
  /** The queries of the administrators' list. */
  queries: Record<string, string>[] = [];

  async mock(page: Page): Promise<void> {
    await intercept(page, "**/api/v1/me/api-keys**", (route) => this.#answer(route, () => this.#own(route)));
    await intercept(page, "**/api/v1/admin/api-keys**", (route) => this.#answer(route, () => this.#ofAll(route)));
  }

  async #answer(route: Interception, answer: () => unknown): Promise<void> {
    const request = route.request();
    const method = request.method() as "GET" | "POST" | "DELETE";
    const path = new URL(request.url()).pathname.replace(/^.*\/api-keys/, "");
    if (method !== "GET") this.asked.push({ method, path, body: request.postDataJSON() });
    const refusal = this.refusals[method];
    if (refusal) {
      delete this.refusals[method];
      const problem: Problem = { type: "about:blank", title: "Refused", request_id: "world", ...refusal };
      return route.fulfill({ status: problem.status, contentType: "application/problem+json", json: problem });
    }
    const json = answer();
    return route.fulfill(json === null ? { status: 204 } : { status: method === "POST" ? 201 : 200, json });
  }

  #own(route: Interception): unknown {
    const { method, url, postDataJSON } = route.request();
    switch (method()) {
      case "POST":
        return this.#create(postDataJSON() as NewApiKey);
      case "DELETE":
        this.keys = this.keys.filter(({ id }) => !url().endsWith(`/${id}`));
        return null;
      default:
        return { keys: this.keys, in_plan: this.inPlan } satisfies ApiKeyList;
    }
  }

  #create({ name, scopes, expires_in_days }: NewApiKey): CreatedApiKey {
    const key = apiKey(`new-${this.keys.length}`, name.trim(), {
      hint: SECRET.slice(-4),
      scopes,
      created_at: inDays(0),
      expires_at: expires_in_days ? inDays(expires_in_days) : null,
    });
    this.keys = [key, ...this.keys];
    return { secret: SECRET, key };
  }

  /** Two per page; the cursor is the number of keys before. */
  #ofAll(route: Interception): unknown {
    const url = new URL(route.request().url());
    if (route.request().method() === "DELETE") {
      this.owned = this.owned.filter(({ key }) => !url.pathname.endsWith(`/${key.id}`));
      return null;
    }
    const query = Object.fromEntries(url.searchParams);
    this.queries.push(query);
    const found = this.owned.filter(({ email }) => email.includes(query.search ?? ""));
    const [from, to] = [Number(query.cursor ?? 0), Number(query.cursor ?? 0) + 2];
    return { items: found.slice(from, to), next_cursor: to < found.length ? String(to) : null } satisfies ApiKeyPage;
  }
}
