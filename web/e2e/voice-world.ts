/** A fake server's remembered voices, for tests of the settings and of the speakers of a text. */
import type { Page } from "@playwright/test";
import type {
  JobVoices,
  NewVoiceBody,
  Problem,
  RememberedVoice,
  Voice,
  VoiceMerger,
  VoiceName,
  VoiceProposal,
} from "../src/api/schema.d.ts";
import { type Interception, intercept } from "./intercept";

export const voice = (id: string, name: string, change: Partial<Voice> = {}): Voice => ({
  id,
  name,
  state: "ready",
  error: null,
  seconds: 12.4,
  recordings: 2,
  created_at: "2026-11-20T14:05:00Z",
  updated_at: "2026-11-20T14:05:00Z",
  ...change,
});

export const proposal = (speaker: string, { id, name }: Voice, score: number): VoiceProposal => ({
  speaker,
  voice: id,
  name,
  score,
});

export class VoiceWorld {
  voices: Voice[] = [];
  text: JobVoices = { version: 1, looking: false, compared: false, error: null, proposals: [], remembered: [] };
  /** The next request to change something fails with this. */
  refusal: Pick<Problem, "code" | "status" | "errors" | "params"> | null = null;
  /** All requests to change something. */
  asked: { method: string; path: string; body: unknown }[] = [];
  /** How often anything was requested. */
  requests = 0;

  async mock(page: Page): Promise<void> {
    await intercept(page, "**/api/v1/me/voices**", (route) => this.#answer(route, (path) => this.#own(path, route)));
    await intercept(page, "**/api/v1/jobs/*/voices**", (route) => this.#answer(route, (path) => this.#ofText(path, route)));
  }

  /** Ends the computing of a speaker's voice. */
  learn(speaker: string, state: Voice["state"], error: string | null = null): void {
    const remembered = this.text.remembered.map((one) => (one.speaker === speaker ? { ...one, state, error } : one));
    const ids = remembered.filter((one) => one.speaker === speaker).map((one) => one.voice);
    this.text = { ...this.text, remembered };
    this.voices = this.voices.map((one) => (ids.includes(one.id) ? { ...one, state, error } : one));
  }

  async #answer(route: Interception, answer: (path: string) => unknown): Promise<void> {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const path = pathname.replace(/^.*\/voices/, "");
    this.requests += 1;
    if (request.method() !== "GET") {
      this.asked.push({ method: request.method(), path: path + search, body: request.postDataJSON() });
      if (this.refusal) {
        const problem: Problem = { type: "about:blank", title: "Refused", request_id: "world", ...this.refusal };
        this.refusal = null;
        return route.fulfill({ status: problem.status, contentType: "application/problem+json", json: problem });
      }
    }
    if (path === "/export") {
      const headers = { "content-disposition": 'attachment; filename="voices.json"' };
      return route.fulfill({ headers, json: { exported_at: "2026-11-21T09:00:00Z", voices: [] } });
    }
    const json = answer(path);
    return route.fulfill(json === null ? { status: 204 } : { status: request.method() === "POST" ? 202 : 200, json });
  }

  #own(path: string, route: Interception): unknown {
    const { method, postDataJSON } = route.request();
    const id = path.split("/")[1];
    const rest = this.voices.filter((one) => one.id !== id);
    switch (method()) {
      case "PATCH": {
        const { name } = postDataJSON() as VoiceName;
        this.voices = this.voices.map((one) => (one.id === id ? { ...one, name } : one));
        return this.voices.find((one) => one.id === id);
      }
      case "POST": {
        const { into } = postDataJSON() as VoiceMerger;
        this.voices = rest;
        return rest.find((one) => one.id === into);
      }
      case "DELETE":
        this.voices = rest;
        return null;
      default:
        return { voices: this.voices };
    }
  }

  #ofText(path: string, route: Interception): unknown {
    const { method, postDataJSON } = route.request();
    switch (`${method()} ${path}`) {
      case "GET ":
        return this.text;
      case "POST ":
        return this.#remember(postDataJSON() as NewVoiceBody);
      case "POST /compare":
        this.text = { ...this.text, looking: true, error: null };
        return this.text;
      default: {
        const speaker = path.slice(1);
        this.text = { ...this.text, proposals: this.text.proposals.filter((one) => one.speaker !== speaker) };
        return null;
      }
    }
  }

  #remember({ speaker, name, voice: id }: NewVoiceBody): Voice | undefined {
    if (name) this.voices = [...this.voices, voice(`new-${this.voices.length}`, name, { state: "learning", seconds: 0 })];
    const chosen = name ? this.voices.at(-1) : this.voices.find((one) => one.id === id);
    if (!chosen) throw new Error("no such voice");
    const remembered: RememberedVoice = { speaker, voice: chosen.id, name: chosen.name, state: "learning", error: null };
    this.text = { ...this.text, remembered: [...this.text.remembered.filter((one) => one.speaker !== speaker), remembered] };
    return chosen;
  }
}
