/** Mocks of the history, links and waveform, in addition to the fake server of a transcript. */
import type { Page } from "@playwright/test";
import type {
  Diff,
  History,
  JobDebug,
  NewShare,
  OpenedTranscript,
  Problem,
  Share,
  ShareComment,
  ShareOpening,
} from "../src/api/schema.d.ts";
import { type Interception, intercept } from "./intercept";
import { settings } from "./mock-api";
import type { TranscriptWorld } from "./transcript-world";

const run = (version: number, at: string, seq: number): History["runs"][number] => ({
  version,
  at,
  model: version === 1 ? "base-q8_0" : "large-v3-turbo-q5_0",
  language: "uk",
  mode: "full",
  seq,
  settings,
});

export const HISTORY: History = {
  shown: 2,
  runs: [run(1, "2026-11-20T14:13:40Z", 14), run(2, "2026-11-21T08:02:11Z", 9)],
  marks: [
    {
      id: "01981d3e-0000-7000-8000-00000000000a",
      version: 1,
      seq: 14,
      name: "Вичитано для газети",
      author_name: "Олена Коваленко",
      by_me: true,
      at: "2026-11-20T17:40:00Z",
    },
  ],
  sessions: [
    {
      version: 1,
      from_seq: 1,
      to_seq: 14,
      author_name: "Олена Коваленко",
      by_me: true,
      from: "2026-11-20T16:02:00Z",
      to: "2026-11-20T17:31:00Z",
      edits: 14,
      recognised_again: [],
    },
    {
      version: 2,
      from_seq: 1,
      to_seq: 6,
      author_name: "Олена Коваленко",
      by_me: true,
      from: "2026-11-21T08:10:00Z",
      to: "2026-11-21T08:31:00Z",
      edits: 6,
      recognised_again: [],
    },
    {
      version: 2,
      from_seq: 7,
      to_seq: 9,
      author_name: null,
      by_me: false,
      from: "2026-11-21T09:00:00Z",
      to: "2026-11-21T09:04:00Z",
      edits: 3,
      recognised_again: [],
    },
  ],
};

export const DIFF: Diff = {
  added_words: 4,
  removed_words: 2,
  rows: [
    {
      kind: "equal",
      skipped: 4,
      start: 15.1,
      speaker_before: "S2",
      speaker_after: "Тетяна Пилипчук",
      subtitles_changed: false,
      pieces: [{ kind: "equal", text: "Ми вивезли рукописи ще в березні, але сам дім лишився, і він мусить жити." }],
    },
    {
      kind: "changed",
      skipped: 0,
      start: 22.4,
      speaker_before: "S1",
      speaker_after: "Ведуча",
      subtitles_changed: false,
      pieces: [
        { kind: "equal", text: "Що саме ви " },
        { kind: "removed", text: "вивезли" },
        { kind: "added", text: "врятували" },
        { kind: "equal", text: " першим?" },
      ],
    },
    {
      kind: "added",
      skipped: 0,
      start: 25.0,
      speaker_before: null,
      speaker_after: "Тетяна Пилипчук",
      subtitles_changed: false,
      pieces: [{ kind: "added", text: "Листи, звісно." }],
    },
    {
      kind: "removed",
      skipped: 11,
      start: 61.2,
      speaker_before: "S3",
      speaker_after: null,
      subtitles_changed: false,
      pieces: [{ kind: "removed", text: "Ага." }],
    },
  ],
};

const SHARE: Share = {
  id: "01981d3e-0000-7000-8000-0000000000b1",
  url: "https://slovo.example.org/shared/AZgdPgAAcACAAAAAAAAAsbn0x1Q2fWcKk3z0m5rT8vE",
  expires_at: "2099-01-01T21:59:59Z",
  with_media: true,
  with_confidence: false,
  rights: "comment",
  has_password: true,
  created_at: "2026-11-20T18:00:00Z",
  opened: 3,
  last_opened_at: "2026-11-21T07:20:00Z",
};

const OVER: Share = {
  ...SHARE,
  id: "01981d3e-0000-7000-8000-0000000000b0",
  url: "https://slovo.example.org/shared/AZgdPgAAcACAAAAAAAAAsLq3R0pQb1dVt8kQw2Yc9eA",
  expires_at: "2026-11-19T21:59:59Z",
  with_media: false,
  rights: "read",
  has_password: false,
  created_at: "2026-11-12T18:00:00Z",
  opened: 0,
  last_opened_at: null,
};

const OPENINGS: ShareOpening[] = [
  { at: "2026-11-21T07:20:00Z", browser: "firefox", device: "computer" },
  { at: "2026-11-20T19:05:00Z", browser: "samsung", device: "phone" },
  { at: "2026-11-20T18:30:00Z", browser: "other", device: "other" },
];

const COMMENT: ShareComment = {
  id: "01981d3e-0000-7000-8000-0000000000c1",
  share_id: SHARE.id,
  version: 1,
  segment: "3",
  start: 14.2,
  line: "У нас п’ять працівниць, і кожна має свій ключ.",
  name: "Марта Гриценко",
  text: "Здається, п’ять із половиною: одна на півставки.",
  created_at: "2026-11-21T07:24:00Z",
  answer: null,
  answered_at: null,
};

/** The recorded requests, and responses that a test can change. */
export interface HistoryWorld {
  history: History;
  shares: Share[];
  openings: ShareOpening[];
  comments: ShareComment[];
  asked: { call: string; body: unknown }[];
  peaks: number[] | null;
  debug: Partial<JobDebug>;
  resync: { success: boolean; message: string | null; error: string | null };
}

/** Levels like speech; equal in every run. */
const PEAKS = Array.from({ length: 1200 }, (_, at) => {
  const phrase = Math.sin(at / 23) > -0.55 ? 1 : 0.08;
  return phrase * (0.25 + 0.7 * Math.abs(Math.sin(at * 1.7) * Math.cos(at / 7.3)));
});

export async function mockPast(page: Page, world: TranscriptWorld): Promise<HistoryWorld> {
  const past: HistoryWorld = {
    history: structuredClone(HISTORY),
    shares: [SHARE, OVER],
    openings: OPENINGS,
    comments: [COMMENT],
    asked: [],
    peaks: PEAKS,
    debug: {},
    resync: { success: true, message: "queued", error: null },
  };
  const { my_job_id: id } = world.job;
  const transcript = (): OpenedTranscript => ({
    version: 2,
    seq: 9,
    language: "uk",
    duration: world.job.duration ?? 0,
    mode: "full",
    model: "large-v3-turbo-q5_0",
    speakers: world.speakers,
    segments: world.segments,
    warnings: [],
    newest: true,
    can_undo: false,
    can_redo: false,
  });
  const of: Record<string, (route: Interception, url: URL) => unknown> = {
    "GET /history": () => past.history,
    "GET /diff": () => DIFF,
    "POST /restore": transcript,
    "GET /waveform": (route) =>
      past.peaks ? { duration: world.job.duration ?? 0, peaks: past.peaks } : refuse(route, 409, "waveform_not_ready"),
    "GET /shares": () => past.shares,
    "POST /shares": (route) => {
      const { password, ...body } = route.request().postDataJSON() as NewShare;
      const id = crypto.randomUUID();
      const share: Share = { ...SHARE, ...(body as Partial<Share>), id, opened: 0, last_opened_at: null, url: `${SHARE.url}2` };
      share.has_password = password != null;
      past.shares = [share, ...past.shares];
      return share;
    },
    "GET /comments": () => past.comments,
    "GET /debug": () => ({
      my_job_id: id,
      output_found: true,
      segment_count: world.segments.length,
      versions: 2,
      edits: 23,
      recognised_again: [],
      stages: [],
      ...past.debug,
    }),
    "POST /resync": () => past.resync,
    "POST /rerun": () => ({ ...world.job, status: "pending", finished_at: null }),
    "POST /marks": (route) => {
      const { name, version } = route.request().postDataJSON() as { name: string; version: number };
      const mark = {
        id: crypto.randomUUID(),
        version,
        seq: 9,
        name,
        author_name: "Олена Коваленко",
        by_me: true,
        at: "2026-11-21T10:00:00Z",
      };
      past.history = { ...past.history, marks: [...past.history.marks, mark] };
      return mark;
    },
  };
  await intercept(page, `**/api/v1/jobs/${id}/**`, (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const path = url.pathname.replace(`/api/v1/jobs/${id}`, "");
    const call = `${request.method()} ${path}`;
    // Handled by another fake server, see analysis-world.ts.
    if (/^\/(analysis|assistant)\b/.test(path)) return route.fallback();
    if (request.method() !== "GET") past.asked.push({ call, body: request.postDataJSON() });
    if (request.method() === "DELETE") {
      const removedId = path.split("/").at(-1);
      past.shares = past.shares.filter((share) => share.id !== removedId);
      past.comments = past.comments.filter((comment) => comment.id !== removedId);
      past.history = { ...past.history, marks: past.history.marks.filter((mark) => mark.id !== removedId) };
      return route.fulfill({ status: 204 });
    }
    if (call === "GET /export") {
      return route.fulfill({
        body: "text",
        headers: { "content-disposition": `attachment; filename="interview.${url.searchParams.get("format")}"` },
      });
    }
    const answer = of[call]?.(route, url) ?? shared(past, call, request.postDataJSON() as never);
    return answer === undefined ? route.fallback() : answer instanceof Promise ? answer : route.fulfill({ json: answer });
  });
  return past;
}

/** Requests about one link or one comment. */
function shared(past: HistoryWorld, call: string, body: Partial<Share> & { password?: string | null; answer?: string | null }) {
  const [, method, noun, id, what] = /^(\w+) \/(shares|comments)\/([\w-]+)(\/\w+)?$/.exec(call) ?? [];
  if (noun === "comments" && method === "PUT") {
    past.comments = past.comments.map((comment) => (comment.id === id ? { ...comment, answer: body.answer ?? null } : comment));
    return past.comments.find((comment) => comment.id === id);
  }
  if (what === "/openings") return past.openings;
  if (noun !== "shares" || method !== "PUT") return undefined;
  const change = what === "/password" ? { has_password: body.password != null } : body;
  past.shares = past.shares.map((share) => (share.id === id ? { ...share, ...change } : share));
  return past.shares.find((share) => share.id === id);
}

export const refuse = (route: Interception, status: number, code: Problem["code"]): Promise<void> =>
  route.fulfill({
    status,
    contentType: "application/problem+json",
    body: JSON.stringify({ type: "about:blank", title: code, status, code, request_id: "past" } satisfies Problem),
  });
