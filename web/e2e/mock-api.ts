/** A mocked API for screenshots: one user and the jobs of a week. Typed by the API document, so that it stays in step. */
import type { Page } from "@playwright/test";
import type {
  Dashboard,
  FoundJob,
  Job,
  JobPage,
  JobSummary,
  Minutes,
  Options,
  Preferences,
  Problem,
  Registration,
  SearchHit,
  SearchPage,
  Session,
  SessionInfo,
  Subscription,
} from "../src/api/schema.d.ts";
import { sessionOf as sessionOfUser } from "../src/api/test-session";
import { defaultSettings } from "../src/rules";
import { intercept } from "./intercept";

/** The defaults of the rules. */
export const settings = defaultSettings() as Job["settings"];

const base: Job = {
  my_job_id: "01981d3e-7c2a-7aa0-9d61-000000000001",
  original_filename: "",
  status: "completed",
  transcription_type: "full",
  created_at: "2026-11-20T14:05:00Z",
  started_at: "2026-11-20T14:05:02Z",
  finished_at: "2026-11-20T14:13:40Z",
  file_size: 41_000_000,
  content_type: "audio/mpeg",
  duration: 3912.4,
  language: "uk",
  model: "base-q8_0",
  settings,
  progress: null,
  error: null,
  warnings: [],
  has_video: false,
  is_sample: false,
  versions: 1,
  has_output: true,
  held_parts: 0,
  tags: [],
  files: [],
};

const job = (n: number, change: Partial<Job>): Job => ({
  ...base,
  my_job_id: `01981d3e-7c2a-7aa0-9d61-${String(n).padStart(12, "0")}`,
  ...change,
});

export const JOBS: readonly Job[] = [
  job(1, {
    original_filename: "Інтерв’ю з директоркою Харківського літературного музею.m4a",
    status: "processing",
    finished_at: null,
    created_at: "2026-11-21T08:41:00Z",
    progress: { stage: "transcribing", percent: 38.4, seconds_left: 214 },
  }),
  job(2, {
    original_filename: "Нарада редакції 20 листопада.mp3",
    status: "pending",
    started_at: null,
    finished_at: null,
    duration: null,
    language: null,
    created_at: "2026-11-21T08:44:00Z",
    progress: { stage: "queued", percent: 0, seconds_left: null },
  }),
  job(3, {
    original_filename: "Лекція 7. Фонетика української мови.mp4",
    has_video: true,
    duration: 5406,
    created_at: "2026-11-20T14:05:00Z",
  }),
  job(4, {
    original_filename: "scan_0042.pdf.mp3",
    status: "error",
    duration: null,
    error: { code: "unsupported_format", params: { found: "pdf" } },
    created_at: "2026-11-20T11:20:00Z",
  }),
  job(5, {
    original_filename: "quarterly-call-2026-q3.wav",
    transcription_type: "lite",
    language: "en",
    duration: 2751,
    created_at: "2026-11-19T16:30:00Z",
  }),
  job(6, { original_filename: "Спогади бабусі, касета 2, бік Б.flac", duration: 2698.2, created_at: "2026-11-19T09:12:00Z" }),
  job(7, {
    original_filename: "порожня кімната.ogg",
    status: "failed",
    error: { code: "no_speech", params: {} },
    duration: 61,
    created_at: "2026-11-18T18:02:00Z",
  }),
  job(8, { original_filename: "Подкаст «Чути», випуск 112.mp3", duration: 4280, created_at: "2026-11-18T10:00:00Z" }),
  job(9, {
    original_filename: "voice-note-2026-11-17T21-14-03.webm",
    status: "cancelled",
    duration: 48,
    created_at: "2026-11-17T19:14:00Z",
  }),
  job(10, {
    original_filename: "Судове засідання, справа 646-7741-25.mov",
    has_video: true,
    duration: 11_530,
    created_at: "2025-12-16T08:00:00Z",
  }),
];

const SAID: Record<number, string> = {
  0: "Літературний музей відкрили 1988 року, і перша виставка була про «Слово». Ми тоді ще не знали, що будинок доведеться боронити двічі.",
  2: "Сьогодні говоритимемо про чергування голосних. Почнімо з того, що чуємо: «ніч», але «ночі», «кінь», але «коня»…",
  4: "Good afternoon, everyone, and thank you for joining. Revenue for the quarter came to 4.2 million, which is up nine percent on the same quarter of last year…",
  5: "У сорок шостому ми вже жили в Харкові, на Холодній горі. Мама працювала на тракторному, а я пішла до школи аж у вісім років…",
  7: "Ви слухаєте «Чути», подкаст про звук і тих, хто його робить. Сьогодні в студії — настроювач органа.",
  9: "Судове засідання оголошується відкритим. Слухається справа за позовом громадської організації…",
};

const SPEAKERS: Record<number, Dashboard["recent"][number]["speakers"]> = {
  2: [{ id: "SPEAKER_0", name: "Олена Коваленко" }],
  4: ["Anna", "Ben", null, null, null].map((name, n) => ({ id: `SPEAKER_${n}`, name })),
  5: [
    { id: "SPEAKER_0", name: null },
    { id: "SPEAKER_1", name: null },
  ],
  7: [
    { id: "SPEAKER_0", name: "Тарас" },
    { id: "SPEAKER_1", name: null },
  ],
};

/** The dashboard of these jobs: the first completed ones are in progress. */
export function dashboardOf(jobs: readonly Job[]): Dashboard {
  const recent = jobs.map((item, at) => ({ job: item, excerpt: SAID[at] ?? "", speakers: SPEAKERS[at] ?? [] }));
  const completed = jobs.filter(({ has_output, status }) => has_output && status === "completed");
  return {
    continued: completed.slice(0, 3).map((item, at) => ({
      job: item,
      unsure: [14, 1, 0][at] ?? 0,
      worked_at: `2026-11-2${1 - Math.min(at, 1)}T08:1${at}:00Z`,
    })),
    recent: recent.slice(0, 10),
  };
}

export const SUMMARY: JobSummary = {
  total: 143,
  pending: 1,
  processing: 1,
  completed: 136,
  failed: 4,
  cancelled: 1,
  processed_seconds: 412_380,
};

export const SESSION: Session = {
  ...sessionOfUser({
    id: "01981d3e-0000-7000-8000-000000000001",
    email: "olena.kovalenko@example.org",
    fullname: "Олена Коваленко",
    usage: "transcription",
    initials: "ОК",
    created_at: "2026-10-01T08:00:00Z",
  }),
  access_token: "picture",
  refresh_token: "picture",
};

const REGISTRATION: Registration = {
  registration: "picture",
  email: SESSION.user.email,
  resend_after: 60,
  code_expires_at: "2099-01-01T00:00:00Z",
  sent: true,
};

const PREFERENCES: Preferences = { locale: "uk", theme: "system", mail_on_completion: true, settings };

const PLACES: readonly SessionInfo[] = [
  {
    id: "1",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    address: "192.0.2.17",
    current: true,
    remember: true,
    created_at: "2026-11-20T14:05:00Z",
    last_used_at: "2026-11-21T08:40:00Z",
  },
];

export const MINUTES: Minutes = {
  plan: "Студія",
  limit: 600,
  plan_limit: 600,
  used: 412.4,
  reserved: 0,
  bonus: 0,
  left: 187.6,
  max_file_duration: 240,
  reset_at: "2026-12-01T00:00:00Z",
};

export const SUBSCRIPTION: Subscription = {
  plan: {
    id: "01981d3e-7c2a-7aa0-9d61-0000000000a1",
    subscription_id: 1,
    nocodb_id: null,
    name: "Студія",
    description: "",
    price: 199,
    currency: "UAH",
    monthly_minutes_limit: 600,
    max_file_duration_minutes: 240,
    is_active: true,
    features: ["diarization", "translation", "realtime", "analytics", "api", "export_formats"],
    queue_speed: "fast",
    created_at: "2026-11-01T08:00:00Z",
  },
  features: ["diarization", "translation", "realtime", "analytics", "api", "export_formats"],
  trial_ends_at: null,
  export_formats: ["txt", "srt", "vtt", "json", "csv", "md", "docx", "pdf"],
  minutes: MINUTES,
  request: null,
};

const OF_THE_MUSEUM = [
  ["Літературний музей відкрили 1988 року, і перша виставка була про «Слово».", 12, "Олена Коваленко"],
  ["А коли музей евакуював фонди, ми рахували кожну сторінку.", 1834.2, "SPEAKER_1"],
] as const;

/** A passage about the museum. */
export function hitAt(number: number): SearchHit {
  const [text, start, speaker] = OF_THE_MUSEUM[number % OF_THE_MUSEUM.length] ?? OF_THE_MUSEUM[0];
  const from = text.indexOf("музей");
  const round = Math.floor(number / OF_THE_MUSEUM.length);
  return {
    segment_id: String(number),
    start: start + round * 3600,
    speaker,
    speaker_ranges: [],
    text,
    ranges: [[from, from + 5]],
  };
}

/** The search results for the museum. */
export function foundIn(jobs: readonly Job[]): FoundJob[] {
  return jobs
    .filter((item) => item.status === "completed")
    .slice(0, 3)
    .map((item, at) => ({
      job: item,
      name_ranges: [],
      hits: Array.from({ length: 2 - (at % 2) }, (_, number) => hitAt(number)),
      hit_count: 2 - (at % 2),
    }));
}

export interface World {
  signedIn: boolean;
  /** Whether mail is configured; true by default. */
  mail?: boolean;
  /** Whether the account has a password; true by default. */
  hasPassword?: boolean;
  jobs: readonly Job[];
  /** Every request fails with this. */
  problem?: Problem;
  /** Requests never get a response. */
  silent?: boolean;
}

/** The session of the signed-in user. */
export const sessionOf = ({ hasPassword = true }: World): Session => ({
  ...SESSION,
  user: { ...SESSION.user, has_password: hasPassword },
});

export async function mockApi(page: Page, world: World) {
  await intercept(page, "**/api/v1/**", async (route) => {
    if (world.silent) return;
    const url = new URL(route.request().url());
    const json = (body: unknown, status = 200) =>
      route.fulfill({
        status,
        contentType: status < 400 ? "application/json" : "application/problem+json",
        body: JSON.stringify(body),
      });
    if (world.problem) return json(world.problem, world.problem.status);
    if (url.pathname.endsWith("/auth/options"))
      return json({
        google: true,
        provider: "Google",
        provider_is_google: true,
        provider_mark: null,
        sign_up: true,
        mail: world.mail ?? true,
        chosen_plan: url.searchParams.has("plan") ? "Professional" : null,
      } satisfies Options);
    if (url.pathname.endsWith("/auth/signup")) return json(REGISTRATION, 201);
    if (url.pathname.endsWith("/auth/login")) {
      const refusal = { type: "about:blank", title: "Unauthorized", status: 401, request_id: "picture" };
      return json({ ...refusal, code: "invalid_credentials" } satisfies Problem, 401);
    }
    if (url.pathname.endsWith("/auth/sessions")) return json({ sessions: PLACES });
    if (url.pathname.endsWith("/me/preferences")) return json(PREFERENCES);
    if (url.pathname.endsWith("/me/docx-template")) return json({ template: null });
    if (url.pathname.endsWith("/me/voices")) return json({ voices: [] });
    if (url.pathname.endsWith("/auth/password/forgot")) return route.fulfill({ status: 202 });
    if (url.pathname.endsWith("/jobs/summary")) {
      const none: JobSummary = {
        total: 0,
        pending: 0,
        processing: 0,
        completed: 0,
        failed: 0,
        cancelled: 0,
        processed_seconds: 0,
      };
      return json(world.jobs.length ? SUMMARY : none);
    }
    if (url.pathname.endsWith("/me/dashboard")) return json(dashboardOf(world.jobs));
    if (url.pathname.endsWith("/me/minutes")) return json(MINUTES);
    if (url.pathname.endsWith("/me/subscription")) return json(SUBSCRIPTION);
    if (url.pathname.endsWith("/search")) {
      const results = url.searchParams.get("q") === "зебра" ? [] : foundIn(world.jobs);
      return json({ items: results, next_cursor: null } satisfies SearchPage);
    }
    if (url.pathname.endsWith("/jobs")) {
      const q = url.searchParams.get("q")?.toLowerCase() ?? "";
      const items = world.jobs.filter((item) => item.original_filename.toLowerCase().includes(q));
      return json({ items, next_cursor: null } satisfies JobPage);
    }
    const problem: Problem = { type: "about:blank", title: "Not found", status: 404, code: "not_found", request_id: "picture" };
    return json(problem, 404);
  });
}
