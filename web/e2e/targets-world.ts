/** A fake server's targets, for tests of the settings. */
import type { Page } from "@playwright/test";
import type { Problem, Target, TargetFile, TargetFilePage, TargetForm, TargetKind, TargetList } from "../src/api/schema.d.ts";
import { inDays } from "./api-keys-world";
import { type Interception, intercept } from "./intercept";

const NOTHING = { waiting: 0, written: 0, foreign: 0, failed: 0 };

const target = (id: string, name: string, kind: TargetKind, location: string, change: Partial<Target> = {}): Target => ({
  id,
  name,
  kind,
  location,
  user: "",
  has_password: false,
  format: "md",
  group_id: null,
  is_active: true,
  ran_at: inDays(-0.01),
  next_run_at: inDays(-0.01),
  is_running: false,
  problem: null,
  counts: NOTHING,
  created_at: inDays(-20),
  updated_at: inDays(-20),
  ...change,
});

/** One up to date, one being written, one paused, one that fails. */
export const TARGETS: readonly Target[] = [
  target(
    "t-notes",
    "Нотатки <b>редакції</b>",
    "webdav",
    "https://cloud.example.com/dav/%D0%A2%D0%B5%D0%BA%D1%81%D1%82%D0%B8/?x=secret",
    {
      user: "olena",
      has_password: true,
      counts: { waiting: 1, written: 120, foreign: 2, failed: 1 },
    },
  ),
  target("t-busy", "Субтитри", "webdav", "https://cloud.example.com/dav/srt/", { format: "srt", is_running: true }),
  target("t-paused", "Архів", "folder", "/srv/texts", { format: "docx", is_active: false, ran_at: null }),
  target("t-bad", "Диск", "folder", "/srv/other", {
    problem: { code: "source_folder_missing", params: {}, detail: null },
  }),
];

const file = (job_id: string, title: string, change: Partial<TargetFile> = {}): TargetFile => ({
  job_id,
  title,
  state: "written",
  path: `${title}.md`,
  problem: null,
  written_at: inDays(-1),
  ...change,
});

/** One in each state. */
export const FILES: readonly TargetFile[] = [
  file("01981d3e-7c2a-7aa0-9d61-000000000001", "Розмова з міністром"),
  file("01981d3e-7c2a-7aa0-9d61-000000000002", "Засідання 4", {
    state: "foreign",
    problem: { code: "target_file_changed", params: {}, detail: null },
  }),
  file("01981d3e-7c2a-7aa0-9d61-000000000003", "Засідання 3", {
    state: "failed",
    problem: { code: "target_no_name", params: {}, detail: null },
  }),
  file("01981d3e-7c2a-7aa0-9d61-000000000004", "Засідання 2", { state: "waiting", path: null, written_at: null }),
];

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Refusal = Pick<Problem, "code" | "status" | "errors" | "params">;

export class TargetsWorld {
  files: TargetFile[] = [...FILES];
  kinds: TargetKind[] = ["webdav", "folder"];
  /** The next request of this method fails with this. */
  refusals: Partial<Record<Method, Refusal>> = {};
  /** All requests to change something. */
  asked: { method: Method; path: string; body: unknown }[] = [];

  constructor(public targets: Target[] = [...TARGETS]) {}

  async mock(page: Page): Promise<void> {
    await intercept(page, "**/api/v1/me/targets**", (route) => this.#answer(route));
  }

  async #answer(route: Interception): Promise<void> {
    const request = route.request();
    const method = request.method() as Method;
    const path = new URL(request.url()).pathname.replace(/^.*\/targets/, "");
    if (method !== "GET") this.asked.push({ method, path, body: request.postDataJSON() });
    const refusal = this.refusals[method];
    if (refusal) {
      delete this.refusals[method];
      const problem: Problem = { type: "about:blank", title: "Refused", request_id: "world", ...refusal };
      return route.fulfill({ status: problem.status, contentType: "application/problem+json", json: problem });
    }
    const [, id = "", part, jobId = ""] = path.split("/");
    if (method === "GET") return route.fulfill({ json: part === "files" ? this.#page(route) : this.#list() });
    if (method === "DELETE") {
      this.targets = this.targets.filter((one) => one.id !== id);
      return route.fulfill({ status: 204 });
    }
    if (method === "PUT") return route.fulfill({ json: this.#change(id, request.postDataJSON() as TargetForm) });
    if (part === "run") return route.fulfill({ status: 202, json: this.#set(id, { is_running: true }) });
    if (part === "files") return route.fulfill({ json: this.#write(jobId) });
    return route.fulfill({ status: 201, json: this.#create(request.postDataJSON() as TargetForm) });
  }

  #list(): TargetList {
    return { targets: this.targets, kinds: this.kinds, folders: ["/srv/texts"] };
  }

  #set(id: string, change: Partial<Target>): Target {
    const found = this.targets.find((one) => one.id === id);
    if (!found) throw new Error(`There is no target ${id}`);
    const changed = { ...found, ...change };
    this.targets = this.targets.map((one) => (one.id === id ? changed : one));
    return changed;
  }

  #create({ password, format, ...form }: TargetForm): Target {
    const created = target(`t-new-${this.targets.length}`, form.name.trim(), form.kind, form.location, {
      user: form.user ?? "",
      has_password: Boolean(password),
      format,
      group_id: form.group_id ?? null,
      is_active: form.is_active,
      ran_at: null,
    });
    this.targets = [...this.targets, created];
    return created;
  }

  #change(id: string, { name, location, is_active, format, password, group_id = null }: TargetForm): Target {
    const kept = this.targets.find((one) => one.id === id)?.has_password ?? false;
    const has_password = password === null || password === undefined ? kept : password !== "";
    return this.#set(id, { name, location, is_active, format, group_id, has_password });
  }

  #write(jobId: string): TargetFile {
    const title = this.files.find((one) => one.job_id === jobId)?.title ?? "";
    const waiting = file(jobId, title, { state: "waiting", path: null, written_at: null });
    this.files = this.files.map((one) => (one.job_id === jobId ? waiting : one));
    return waiting;
  }

  /** Three per page; the cursor is the number of files before. */
  #page(route: Interception): TargetFilePage {
    const query = new URL(route.request().url()).searchParams;
    const state = query.get("state");
    const found = this.files.filter((one) => state === null || one.state === state);
    const from = Number(query.get("cursor") ?? 0);
    return { items: found.slice(from, from + 3), next_cursor: from + 3 < found.length ? String(from + 3) : null };
  }
}
