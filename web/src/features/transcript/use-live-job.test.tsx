// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, vi } from "vitest";
import { openEvents } from "./api";
import { transcriptKey } from "./document/api";
import type { LiveStore } from "./live-store";
import type { Job } from "./model";
import { useLiveJob } from "./use-live-job";

vi.mock("./api", async (original) => ({ ...(await original<typeof import("./api")>()), openEvents: vi.fn() }));
beforeEach(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true));

const TEXT = JSON.stringify(transcriptKey("j"));
const SEGMENT = { index: 0, start: 0, end: 1, speaker: null, text: "Слово.", words: [] };

function job(status: string): Job {
  return { my_job_id: "j", status, progress: null, warnings: [] } as unknown as Job;
}

/** The event stream of an ended job: its state and the end. */
function answerFor(status: string): () => Promise<Response> {
  const data = JSON.stringify({ job: job(status), segments: [SEGMENT] });
  return () => Promise.resolve(new Response(`event: state\ndata: ${data}\n\n`));
}

/** Renders the page with each of these job states in turn; `now`: the job on the server. */
async function show(statuses: string[], says?: string) {
  vi.mocked(openEvents).mockClear();
  let live: LiveStore | undefined;
  function Page({ status }: { status: string }) {
    live = useLiveJob(job(status));
    return null;
  }
  const root = createRoot(document.createElement("div"));
  const client = new QueryClient();
  const invalidate = vi.spyOn(client, "invalidateQueries");
  for (const status of statuses) {
    const now = says ?? status;
    vi.mocked(openEvents).mockImplementation(answerFor(now));
    await act(async () => {
      root.render(
        <QueryClientProvider client={client}>
          <Page status={status} />
        </QueryClientProvider>,
      );
    });
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }
  const segments = live?.getState().segments;
  await act(async () => root.unmount());
  const textRead = invalidate.mock.calls.some(([filters]) => JSON.stringify(filters?.queryKey) === TEXT);
  return { segments, opened: vi.mocked(openEvents).mock.calls.length, textRead };
}

it.each(["failed", "cancelled", "error"])("fetches the text that a job had when it ended: %s", async (status) => {
  expect(await show([status])).toEqual({ segments: [SEGMENT], opened: 1, textRead: false });
});

it("sends no request for a completed job, which has a transcript", async () => {
  expect(await show(["completed"])).toEqual({ segments: [], opened: 0, textRead: false });
});

it("follows a restarted job again", async () => {
  expect((await show(["failed", "pending"])).opened).toBeGreaterThan(1);
});

it("refetches the text if the job ended while the connection was lost", async () => {
  expect((await show(["processing"], "completed")).textRead).toBe(true);
});
