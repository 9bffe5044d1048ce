/** A fake server's webhooks, for tests of the settings. */
import type { Page } from "@playwright/test";
import type {
  JobGroup,
  Problem,
  UserWebhook,
  UserWebhookForm,
  UserWebhookList,
  UserWebhookWithSecret,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookTestResult,
} from "../src/api/schema.d.ts";
import { inDays } from "./api-keys-world";
import { type Interception, intercept } from "./intercept";

export const NEW_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

export const FOLDERS: readonly JobGroup[] = [
  { id: "01981d3e-0000-7000-8000-00000000f001", name: "Інтерв’ю", color: 2 },
  { id: "01981d3e-0000-7000-8000-00000000f002", name: "Засідання <b>ради</b>", color: 5 },
];

const GONE = "01981d3e-0000-7000-8000-00000000f003";
const GONE_TOO = "01981d3e-0000-7000-8000-00000000f004";

const webhook = (id: string, name: string, change: Partial<UserWebhook> = {}): UserWebhook => ({
  id,
  name,
  url: "https://n8n.example.org/webhook/6f1c7e",
  is_active: true,
  events: ["job.completed", "job.failed"],
  folders: [],
  disabled_by: null,
  last_delivery: null,
  rotated_at: null,
  created_at: inDays(-20),
  updated_at: inDays(-20),
  ...change,
});

/** One of each kind: in use, limited to folders, limited to deleted folders, turned off by the server. */
export const WEBHOOKS: readonly UserWebhook[] = [
  webhook("w-n8n", "n8n", { last_delivery: "delivered" }),
  webhook("w-archive", "Архів <b>редакції</b>", {
    url: "https://archive.example.com:8443/slovo?token=secret",
    events: ["upload.completed", "job.completed", "job.failed", "analysis.completed", "analysis.failed"],
    folders: [FOLDERS[0]?.id ?? "", GONE],
    last_delivery: "failed",
  }),
  webhook("w-old", "Стара програма", { folders: [GONE, GONE_TOO], is_active: false }),
  webhook("w-gone", "Zapier", { is_active: false, disabled_by: "gone", last_delivery: "failed" }),
];

const delivery = (id: string, change: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id,
  event_id: `msg_${id}`,
  event_type: "job.completed",
  status: "delivered",
  attempts: 1,
  next_attempt_at: null,
  last_status: 200,
  last_error: null,
  latency_ms: 184,
  payload: { job_id: "01981d3e-7c2a-7aa0-9d61-000000000003", filename: "Нарада.mp3" },
  created_at: inDays(-1),
  delivered_at: inDays(-1),
  ...change,
});

/** The newest first: not permitted by the plan, waiting, delivered, a test that was refused. */
export const DELIVERIES: readonly WebhookDelivery[] = [
  delivery("d-plan", { status: "failed", attempts: 0, last_status: null, latency_ms: null, last_error: "api_not_in_plan" }),
  delivery("d-wait", {
    event_type: "job.failed",
    status: "pending",
    attempts: 2,
    next_attempt_at: inDays(0.1),
    last_status: 503,
    last_error: "http_status",
  }),
  delivery("d-done"),
  delivery("d-test", {
    event_type: "test",
    status: "failed",
    last_status: null,
    latency_ms: null,
    last_error: "refused_address",
    payload: { test: true },
  }),
];

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Refusal = Pick<Problem, "code" | "status" | "errors" | "params">;

export class WebhooksWorld {
  webhooks: UserWebhook[] = [...WEBHOOKS];
  folders: JobGroup[] = [...FOLDERS];
  deliveries: WebhookDelivery[] = [...DELIVERIES];
  inPlan = true;
  /** The result of tests. */
  tested: Pick<WebhookTestResult, "working" | "status" | "error"> = { working: true, status: 204, error: null };
  /** The next request of this method fails with this. */
  refusals: Partial<Record<Method, Refusal>> = {};
  /** All requests to change something. */
  asked: { method: Method; path: string; body: unknown }[] = [];

  async mock(page: Page): Promise<void> {
    await intercept(page, "**/api/v1/folders", (route) => route.fulfill({ json: this.folders }));
    await intercept(page, "**/api/v1/me/webhooks**", (route) => this.#answer(route));
  }

  async #answer(route: Interception): Promise<void> {
    const request = route.request();
    const method = request.method() as Method;
    const path = new URL(request.url()).pathname.replace(/^.*\/webhooks/, "");
    if (method !== "GET") this.asked.push({ method, path, body: request.postDataJSON() });
    const refusal = this.refusals[method];
    if (refusal) {
      delete this.refusals[method];
      const problem: Problem = { type: "about:blank", title: "Refused", request_id: "world", ...refusal };
      return route.fulfill({ status: problem.status, contentType: "application/problem+json", json: problem });
    }
    const [, id = "", part, deliveryId] = path.split("/");
    if (method === "GET") return route.fulfill({ json: part === "deliveries" ? this.#log(route) : this.#list() });
    if (method === "DELETE") {
      this.webhooks = this.webhooks.filter((one) => one.id !== id);
      return route.fulfill({ status: 204 });
    }
    if (method === "PUT") return route.fulfill({ json: this.#change(id, request.postDataJSON() as UserWebhookForm) });
    if (part === "test") return route.fulfill({ json: this.#test(id) });
    if (part === "rotate-secret") return route.fulfill({ json: { webhook: this.#find(id), secret: NEW_SECRET } });
    if (part === "deliveries") return route.fulfill({ json: this.#resend(deliveryId ?? "") });
    return route.fulfill({ status: 201, json: this.#create(request.postDataJSON() as UserWebhookForm) });
  }

  #list(): UserWebhookList {
    return { webhooks: this.webhooks, in_plan: this.inPlan };
  }

  #find(id: string): UserWebhook {
    const found = this.webhooks.find((one) => one.id === id);
    if (!found) throw new Error(`There is no webhook ${id}`);
    return found;
  }

  #create(form: UserWebhookForm): UserWebhookWithSecret {
    const created = webhook(`w-new-${this.webhooks.length}`, form.name.trim(), { ...form, name: form.name.trim() });
    this.webhooks = [...this.webhooks, created];
    return { webhook: created, secret: NEW_SECRET };
  }

  #change(id: string, form: UserWebhookForm): UserWebhook {
    const changed = { ...this.#find(id), ...form, disabled_by: null };
    this.webhooks = this.webhooks.map((one) => (one.id === id ? changed : one));
    return changed;
  }

  #test(id: string): WebhookTestResult {
    const last_delivery = this.tested.working ? "delivered" : "failed";
    this.webhooks = this.webhooks.map((one) => (one.id === id ? { ...one, last_delivery } : one));
    return { service_id: id, name: this.#find(id).name, ...this.tested };
  }

  /** Three per page; the cursor is the number of deliveries before. */
  #log(route: Interception): WebhookDeliveryPage {
    const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
    const to = from + 3;
    const next_cursor = to < this.deliveries.length ? String(to) : null;
    return { items: this.deliveries.slice(from, to), next_cursor };
  }

  #resend(id: string): WebhookDelivery {
    const sent = delivery(id, { status: "pending", attempts: 0, last_status: null, latency_ms: null, delivered_at: null });
    this.deliveries = this.deliveries.map((one) => (one.id === id ? sent : one));
    return sent;
  }
}
