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

/** The server's answer for a job that has ended: its state, and the end. */
function answerFor(status: string): () => Promise<Response> {
  const data = JSON.stringify({ job: job(status), segments: [SEGMENT] });
  return () => Promise.resolve(new Response(`event: state\ndata: ${data}\n\n`));
}

/** The page's job is as each of these says in turn; `now` is what the server says of it. */
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

it("asks nothing of a completed job, whose text is its transcript", async () => {
  expect(await show(["completed"])).toEqual({ segments: [], opened: 0, textRead: false });
});

it("follows a job again that was started again", async () => {
  expect((await show(["failed", "pending"])).opened).toBeGreaterThan(1);
});

it("reads the text anew when the job has ended while the line was away", async () => {
  expect((await show(["processing"], "completed")).textRead).toBe(true);
});
