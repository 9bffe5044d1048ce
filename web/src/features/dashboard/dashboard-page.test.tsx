import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { ContinuedJob, Job, RecentJob } from "@/api";
import { dashboardQuery } from "@/api/jobs";
import { type Subscription, subscriptionQuery } from "@/api/subscription";
import { startI18n } from "@/lib/i18n";
import { defaultSettings } from "@/rules";
import { DashboardPage } from "./dashboard-page";

let deleted: ReadonlySet<string> = new Set();
vi.mock("@/hooks/use-undoable-delete", () => ({ useDeletedJobs: () => deleted }));

const job = (id: string, change: Partial<Job> = {}): Job => ({
  my_job_id: id,
  original_filename: `${id}.mp3`,
  status: "completed",
  transcription_type: "full",
  created_at: "2026-11-20T14:05:00Z",
  started_at: null,
  finished_at: null,
  file_size: 1,
  content_type: "audio/mpeg",
  duration: 61,
  language: "uk",
  model: null,
  settings: defaultSettings() as Job["settings"],
  audio_track: null,
  progress: null,
  error: null,
  warnings: [],
  has_video: false,
  versions: 1,
  has_output: true,
  held_parts: 0,
  tags: [],
  is_sample: false,
  files: [],
  ...change,
});
const recent = (id: string, change: Partial<RecentJob> = {}): RecentJob => ({
  job: job(id),
  excerpt: "",
  speakers: [],
  ...change,
});
const continued = (id: string, unsure: number | null): ContinuedJob => ({
  job: job(id),
  unsure,
  worked_at: "2026-11-21T08:00:00Z",
});
const SUBSCRIPTION = {
  plan: null,
  trial_ends_at: null,
  features: [],
  export_formats: [],
  minutes: {
    plan: null,
    limit: 60,
    plan_limit: 60,
    used: 20,
    reserved: 5,
    bonus: 0,
    left: 40,
    max_file_duration: null,
    reset_at: "2026-12-01T00:00:00Z",
  },
  request: null,
} satisfies Subscription;

let root: Root;
let renders = 0;
const show = async (texts: readonly ContinuedJob[], newest: readonly RecentJob[], subscription: Subscription = SUBSCRIPTION) => {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  client.setQueryData(dashboardQuery().queryKey, { continued: [...texts], recent: [...newest] });
  client.setQueryData(subscriptionQuery().queryKey, subscription);
  renders += 1;
  await act(async () =>
    root.render(
      <QueryClientProvider key={renders} client={client}>
        <MemoryRouter>
          <DashboardPage start={<p>start</p>} />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
};
const part = (id: string) => document.getElementById(id)?.closest("section");
const hrefs = (id: string) => [...(part(id)?.querySelectorAll("li a") ?? [])].map((link) => link.getAttribute("href"));
const textOf = (element: Element | null | undefined) => element?.textContent?.replaceAll("\u00a0", " ") ?? "";

beforeAll(startI18n);
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  deleted = new Set();
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(async () => {
  await act(async () => root.unmount());
});

it("links to the first uncertain word if there is one", async () => {
  await show([continued("a", 3), continued("b", 0), continued("c", null)], [recent("a")]);
  expect(hrefs("continue")).toEqual(["/transcription/a?unsure=first", "/transcription/b", "/transcription/c"]);
  const [some, none, unknown] = [...(part("continue")?.querySelectorAll("li") ?? [])].map(textOf);
  expect(some).toContain("Лишилося 3 непевні слова");
  expect(none).toContain("Непевних слів не лишилося");
  expect(unknown).not.toContain("слів");
});

it("hides jobs with a pending deletion in both lists", async () => {
  deleted = new Set(["a"]);
  await show([continued("a", 3), continued("b", 1)], [recent("a"), recent("b")]);
  expect(hrefs("continue")).toEqual(["/transcription/b?unsure=first"]);
  expect(hrefs("recent")).toEqual(["/transcription/b"]);
  deleted = new Set(["a", "b"]);
  await show([continued("a", 3)], [recent("a"), recent("b")]);
  expect(part("recent") ?? null).toBeNull();
  expect(document.body.textContent).toContain("Тут з’являться ваші транскрипції");
});

it("lists named speakers, and counts the others", async () => {
  const speakers = (...names: (string | null)[]) => names.map((name, n) => ({ id: `SPEAKER_${n}`, name }));
  await show(
    [],
    [
      recent("a", { speakers: speakers(null, null), excerpt: "Добрий день" }),
      recent("b", { speakers: speakers("Олена", null, null, "Тарас") }),
      recent("c"),
    ],
  );
  const [counted, named, nobody] = [...(part("recent")?.querySelectorAll("ol > li") ?? [])].map(textOf);
  expect(counted).toContain("2 мовці");
  expect(counted).toContain("Добрий день");
  expect(named).toMatch(/Олена.*S2.*S3.*і ще 1/);
  expect(nobody).not.toContain("мов");
  expect(part("continue") ?? null).toBeNull();
});

it("shows the remaining and reserved minutes and the renewal date in one line", async () => {
  await show([], [recent("a")]);
  expect(textOf(part("minutes-left"))).toMatch(/40 із 60 хв.*5 хв.*1 грудня/);
  await show([], [recent("a")], { ...SUBSCRIPTION, minutes: { ...SUBSCRIPTION.minutes, limit: null, left: null, reserved: 0 } });
  expect(textOf(part("minutes-left"))).toMatch(/Використано 20 хв.*без обмеження/);
  expect(textOf(part("minutes-left"))).not.toContain("зарезервовано");
});
