/** A fake server's sources, for tests of the settings. */
import type { Page } from "@playwright/test";
import type {
  Problem,
  Source,
  SourceForm,
  SourceKind,
  SourceList,
  SourceRecording,
  SourceRecordingPage,
} from "../src/api/schema.d.ts";
import { inDays } from "./api-keys-world";
import { type Interception, intercept } from "./intercept";
import { TargetsWorld } from "./targets-world";

const NOTHING = { skipped: 0, waiting: 0, started: 0, failed: 0 };

const source = (id: string, name: string, kind: SourceKind, location: string, change: Partial<Source> = {}): Source => ({
  id,
  name,
  kind,
  location,
  region: "",
  user: "",
  has_password: false,
  preset_id: null,
  preset_name: null,
  is_active: true,
  take_existing: false,
  checked_at: inDays(-0.01),
  next_check_at: inDays(0.01),
  is_checking: false,
  problem: null,
  counts: NOTHING,
  created_at: inDays(-20),
  updated_at: inDays(-20),
  ...change,
});

/** One of each kind: watched, being read, paused, not readable. */
export const SOURCES: readonly Source[] = [
  source("s-feed", "Подкаст <b>редакції</b>", "podcast", "https://example.com/feed.xml?token=secret", {
    counts: { skipped: 120, waiting: 1, started: 4, failed: 2 },
  }),
  source(
    "s-cloud",
    "Хмара",
    "webdav",
    "https://cloud.example.com/remote.php/dav/files/olena/%D0%97%D0%B0%D0%BF%D0%B8%D1%81%D0%B8/",
    {
      user: "olena",
      has_password: true,
      is_checking: true,
    },
  ),
  source("s-bucket", "Архів", "s3", "https://s3.example.com/talks/2026/", {
    is_active: false,
    preset_id: "01981d3e-0000-7000-8000-00000000a001",
  }),
  source("s-folder", "Диктофон", "folder", "/srv/recordings", {
    checked_at: null,
    problem: { code: "source_refused", params: {}, detail: "HTTP 500" },
  }),
];

const recording = (id: string, name: string, change: Partial<SourceRecording> = {}): SourceRecording => ({
  id,
  name,
  size: 12_345_678,
  state: "started",
  job_id: null,
  problem: null,
  found_at: inDays(-1),
  ...change,
});

/** The newest first, one of each kind. */
export const RECORDINGS: readonly SourceRecording[] = [
  recording("r-done", "Випуск 7", { job_id: "01981d3e-7c2a-7aa0-9d61-000000000003" }),
  recording("r-wait", "Випуск 6", {
    state: "waiting",
    problem: { code: "minutes_exceeded", params: { left: 3, needed: 40 }, detail: null },
  }),
  recording("r-fail", "Випуск 5", {
    state: "failed",
    size: null,
    problem: { code: "unsupported_media", params: {}, detail: "not audio" },
  }),
  recording("r-skip", "Випуск 4", { state: "skipped" }),
  recording("r-gone", "Випуск 3"),
];

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Refusal = Pick<Problem, "code" | "status" | "errors" | "params">;

export class SourcesWorld {
  sources: Source[] = [...SOURCES];
  recordings: SourceRecording[] = [...RECORDINGS];
  kinds: SourceKind[] = ["podcast", "webdav", "s3", "folder"];
  /** The next request of this method fails with this. */
  refusals: Partial<Record<Method, Refusal>> = {};
  /** All requests to change something. */
  asked: { method: Method; path: string; body: unknown }[] = [];

  async mock(page: Page): Promise<void> {
    await intercept(page, "**/api/v1/me/sources**", (route) => this.#answer(route));
    await new TargetsWorld([]).mock(page);
  }

  async #answer(route: Interception): Promise<void> {
    const request = route.request();
    const method = request.method() as Method;
    const path = new URL(request.url()).pathname.replace(/^.*\/sources/, "");
    if (method !== "GET") this.asked.push({ method, path, body: request.postDataJSON() });
    const refusal = this.refusals[method];
    if (refusal) {
      delete this.refusals[method];
      const problem: Problem = { type: "about:blank", title: "Refused", request_id: "world", ...refusal };
      return route.fulfill({ status: problem.status, contentType: "application/problem+json", json: problem });
    }
    const [, id = "", part, recordingId = ""] = path.split("/");
    if (method === "GET") return route.fulfill({ json: part === "recordings" ? this.#recordings(route) : this.#list() });
    if (method === "DELETE") {
      this.sources = this.sources.filter((one) => one.id !== id);
      return route.fulfill({ status: 204 });
    }
    if (method === "PUT") return route.fulfill({ json: this.#change(id, request.postDataJSON() as SourceForm) });
    if (part === "check") return route.fulfill({ status: 202, json: this.#set(id, { is_checking: true }) });
    if (part === "recordings") return route.fulfill({ json: this.#start(recordingId) });
    return route.fulfill({ status: 201, json: this.#create(request.postDataJSON() as SourceForm) });
  }

  #list(): SourceList {
    return { sources: this.sources, kinds: this.kinds, watched_folders: ["/srv/recordings", "/mnt/archive"] };
  }

  #set(id: string, change: Partial<Source>): Source {
    const found = this.sources.find((one) => one.id === id);
    if (!found) throw new Error(`There is no source ${id}`);
    const changed = { ...found, ...change };
    this.sources = this.sources.map((one) => (one.id === id ? changed : one));
    return changed;
  }

  #create({ password, ...form }: SourceForm): Source {
    const created = source(`s-new-${this.sources.length}`, form.name.trim(), form.kind, form.location, {
      region: form.region ?? "",
      user: form.user ?? "",
      preset_id: form.preset_id ?? null,
      has_password: Boolean(password),
      is_active: form.is_active,
      checked_at: null,
      is_checking: true,
    });
    this.sources = [...this.sources, created];
    return created;
  }

  #change(id: string, { name, location, is_active, password, preset_id = null }: SourceForm): Source {
    const kept = this.sources.find((one) => one.id === id)?.has_password ?? false;
    const has_password = password === null || password === undefined ? kept : password !== "";
    return this.#set(id, { name, location, is_active, preset_id, has_password });
  }

  #start(id: string): SourceRecording {
    const started = recording(id, this.recordings.find((one) => one.id === id)?.name ?? "", { state: "waiting" });
    this.recordings = this.recordings.map((one) => (one.id === id ? started : one));
    return started;
  }

  /** Three per page; the cursor is the number of recordings before. */
  #recordings(route: Interception): SourceRecordingPage {
    const query = new URL(route.request().url()).searchParams;
    const state = query.get("state");
    const found = this.recordings.filter((one) => state === null || one.state === state);
    const from = Number(query.get("cursor") ?? 0);
    return { items: found.slice(from, from + 3), next_cursor: from + 3 < found.length ? String(from + 3) : null };
  }
}
