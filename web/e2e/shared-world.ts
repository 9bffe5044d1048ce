/** The page of a share link with a fake server: its text, its password, its comments. */
import type { Page } from "@playwright/test";
import type { Edit, Problem, SharedComment, SharedTranscript } from "../src/api/schema.d.ts";
import { type Interception, intercept } from "./intercept";
import { refuse } from "./transcript-past";
import type { TranscriptWorld } from "./transcript-world";

const TOKEN = "AZgdPgAAcACAAAAAAAAAsbn0x1Q2fWcKk3z0m5rT8vE";
export const PASSWORD = "лелека над Россю";

/** Without confidence, like the server unless the owner has enabled it. */
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
      speakers: world.speakers.map((speaker, at) => ({ ...speaker, name: ["Ведуча", "Тетяна Пилипчук", null][at] ?? null })),
    },
    ...change,
  };
}

/** The same for a link that allows edits. */
export function editableOf(world: TranscriptWorld, change: Partial<SharedTranscript> = {}): SharedTranscript {
  const shared = sharedOf(world, { rights: "edit", can_undo: false, ...change });
  const segments = shared.transcript.segments.map((segment) => ({ ...segment, revision: 0 }));
  return { ...shared, transcript: { ...shared.transcript, segments } };
}

/** Loud in the second half only, independent of the text. */
const PEAKS = Array.from({ length: 400 }, (_, at) => (at < 200 ? 0.02 : 0.5 + 0.5 * Math.abs(Math.sin(at))));

/** The recorded requests of a visit, and the state that a test can change. */
export interface Visit {
  /** The grants sent with requests of the text, in order. */
  grants: (string | undefined)[];
  /** The submitted passwords. */
  tried: string[];
  /** The grant for `PASSWORD`, which the link requires. */
  locked: string | null;
  comments: SharedComment[];
  /** The bodies of all edits, including refused ones. */
  edits: { version: number; name: string; edit: Edit }[];
  /** The response to edits, if they are to be refused. */
  refusal: { status: number; code: string; more?: Partial<Problem> } | null;
  /** The state that an undo restores. */
  before: SharedTranscript["transcript"] | null;
  /** The link was withdrawn. */
  gone: boolean;
}

const problem = (route: Interception, status: number, code: string, more: Partial<Problem> = {}) =>
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
  const visit: Visit = {
    grants: [],
    tried: [],
    locked: null,
    comments: [],
    edits: [],
    refusal: null,
    before: null,
    gone: false,
    ...given,
  };
  await intercept(page, "**/api/v1/shared/**", (route) => {
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
    if (path.startsWith(`${TOKEN}/edits`)) return correct(route, visit, shared);
    return request.method() === "GET" ? route.fulfill({ json: visit.comments }) : say(route, visit, shared);
  });
  await page.goto(`${world.origin}/shared/${TOKEN}`);
  return visit;
}

/** Applies an edit to `shared` in place; one step can be undone. */
function correct(route: Interception, visit: Visit, shared: SharedTranscript) {
  if (visit.refusal) {
    visit.edits.push(route.request().postDataJSON());
    return problem(route, visit.refusal.status, visit.refusal.code, visit.refusal.more);
  }
  const { transcript, grant } = shared;
  const segmentsBefore = transcript.segments;
  if (new URL(route.request().url()).pathname.endsWith("/undo")) {
    if (!visit.before) return problem(route, 409, "nothing_to_undo");
    shared.transcript = visit.before;
    visit.before = null;
  } else {
    const body = route.request().postDataJSON() as Visit["edits"][number];
    visit.edits.push(body);
    visit.before = transcript;
    shared.transcript = edited(transcript, body.edit.op);
  }
  shared.can_undo = visit.before !== null;
  const changes = shared.transcript.segments
    .filter((segment, at) => segment !== segmentsBefore[at])
    .map((segment) => ({ id: segment.id, segment }));
  return route.fulfill({ json: { changes, speakers: shared.transcript.speakers, can_undo: shared.can_undo, grant } });
}

function edited(transcript: SharedTranscript["transcript"], op: Edit["op"]): SharedTranscript["transcript"] {
  const change = (id: string | undefined, part: object) =>
    transcript.segments.map((segment) =>
      segment.id === id ? { ...segment, ...part, revision: (segment.revision ?? 0) + 1 } : segment,
    );
  switch (op.kind) {
    case "set_text":
      return { ...transcript, segments: change(op.segment.id, { text: op.text, words: [] }) };
    case "set_speaker":
      return { ...transcript, segments: change(op.segments[0]?.id, { speaker: op.speaker ?? null }) };
    case "rename_speaker":
      return {
        ...transcript,
        speakers: transcript.speakers.map((speaker) =>
          speaker.id === op.speaker ? { ...speaker, name: op.name ?? null } : speaker,
        ),
      };
    default:
      throw new Error(`not for visitors: ${op.kind}`);
  }
}

function say(route: Interception, visit: Visit, { transcript }: SharedTranscript) {
  const { id, segment, name, text } = route.request().postDataJSON() as SharedComment;
  if (name.trim() === "") {
    const errors = [{ field: "name", code: "visitor_name_required" as const, params: {} }];
    return problem(route, 422, "validation_failed", { errors });
  }
  const line = transcript.segments.find((candidate) => candidate.id === segment);
  const { version } = transcript;
  const comment = {
    id,
    version,
    segment,
    name,
    text,
    start: line?.start ?? 0,
    line: line?.text ?? "",
    created_at: "2026-11-21T09:00:00Z",
  };
  visit.comments = [...visit.comments, comment];
  return route.fulfill({ status: 201, json: comment });
}
