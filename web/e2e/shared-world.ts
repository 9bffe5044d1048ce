/** The page of a share link over answers in memory: its text, its password, its comments. */
import type { Page, Route } from "@playwright/test";
import type { Problem, SharedComment, SharedTranscript } from "../src/api/schema.d.ts";
import { refuse } from "./transcript-past";
import type { TranscriptWorld } from "./transcript-world";

const TOKEN = "AZgdPgAAcACAAAAAAAAAsbn0x1Q2fWcKk3z0m5rT8vE";
export const PASSWORD = "лелека над Россю";

/** Of how sure recognition was nothing is said, as the server does unless the owner shows it. */
export function sharedOf(world: TranscriptWorld, change: Partial<SharedTranscript> = {}): SharedTranscript {
  return {
    title: "Інтерв’ю з директоркою літературного музею",
    duration: world.job.duration ?? 0,
    language: "uk",
    has_video: false,
    with_media: true,
    with_confidence: false,
    with_times: true,
    rights: "read",
    expires_at: "2099-01-01T21:59:59Z",
    media_url: `${world.origin}/api/v1/jobs/${world.job.my_job_id}/media`,
    waveform_url: "/api/v1/shared/waveform/shape",
    grant: "grant-of-the-first-visit",
    transcript: {
      version: 1,
      segments: world.segments.map(({ id, start, end, speaker, text, words }) => ({
        id,
        start,
        end,
        text,
        speaker: speaker ?? null,
        words: words.map(({ confidence: _, ...word }) => word),
      })),
      speakers: world.speakers.map((one, at) => ({ ...one, name: ["Ведуча", "Тетяна Пилипчук", null][at] ?? null })),
    },
    ...change,
  };
}

/** Loud in the second half only: nothing in the text says so. */
const PEAKS = Array.from({ length: 400 }, (_, at) => (at < 200 ? 0.02 : 0.5 + 0.5 * Math.abs(Math.sin(at))));

/** What a visit has asked for, and what it may change. */
export interface Visit {
  /** The grants that came with readings of the text, in their order. */
  grants: (string | undefined)[];
  /** Passwords that were tried. */
  tried: string[];
  /** The link asks for `PASSWORD`, and has given this for it. */
  locked: string | null;
  comments: SharedComment[];
  /** The link was withdrawn. */
  gone: boolean;
}

const problem = (route: Route, status: number, code: string, more: Partial<Problem> = {}) =>
  route.fulfill({
    status,
    contentType: "application/problem+json",
    json: { type: "about:blank", title: code, status, code, request_id: "visit", ...more },
  });

/** Opens the page of a link. */
export async function visit(
  page: Page,
  world: TranscriptWorld,
  shared: SharedTranscript,
  given: Partial<Visit> = {},
): Promise<Visit> {
  const visit: Visit = { grants: [], tried: [], locked: null, comments: [], gone: false, ...given };
  await page.route("**/api/v1/shared/**", (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.replace("/api/v1/shared/", "");
    const grant = request.headers()["share-grant"];
    if (visit.gone) return refuse(route, 404, "not_found");
    if (path === "waveform/shape") return route.fulfill({ json: { duration: shared.duration, peaks: PEAKS } });
    if (path === `${TOKEN}/unlock`) {
      const { password } = request.postDataJSON() as { password: string };
      visit.tried.push(password);
      if (password !== PASSWORD) return problem(route, 403, "share_password_wrong");
      return route.fulfill({ json: { grant: visit.locked, expires_at: "2099-01-01T00:00:00Z" } });
    }
    if (path === TOKEN) visit.grants.push(grant);
    if (visit.locked !== null && grant !== visit.locked) return problem(route, 403, "share_password_required");
    if (path === TOKEN) return route.fulfill({ json: { ...shared, grant: visit.locked ?? shared.grant } });
    return request.method() === "GET" ? route.fulfill({ json: visit.comments }) : say(route, visit, shared);
  });
  await page.goto(`${world.origin}/shared/${TOKEN}`);
  return visit;
}

function say(route: Route, visit: Visit, { transcript }: SharedTranscript) {
  const { id, segment, name, text } = route.request().postDataJSON() as SharedComment;
  if (name.trim() === "") {
    const errors = [{ field: "name", code: "visitor_name_required" as const, params: {} }];
    return problem(route, 422, "validation_failed", { errors });
  }
  const line = transcript.segments.find((one) => one.id === segment);
  const { version } = transcript;
  const said = {
    id,
    version,
    segment,
    name,
    text,
    start: line?.start ?? 0,
    line: line?.text ?? "",
    created_at: "2026-11-21T09:00:00Z",
  };
  visit.comments = [...visit.comments, said];
  return route.fulfill({ status: 201, json: said });
}
