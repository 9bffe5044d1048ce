import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AdminJob } from "@/api/admin-jobs";
import { midnight } from "@/lib/local-day";
import { settle, show as showPart } from "@/lib/test-page";
import { toast } from "@/lib/toast";
import { JobsPage } from "./jobs-page";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({
    t: (key: string, values?: { action?: string; file?: string; user?: string }) =>
      values?.action ? `${values.action} ${values.file}` : values?.user ? `${key} ${values.file} ${values.user}` : key,
    i18n: { language: "uk", exists: () => true },
  }),
}));

const adminJob = (id: string, name: string): AdminJob =>
  ({
    job: {
      my_job_id: id,
      original_filename: name,
      status: "completed",
      transcription_type: "full",
      created_at: "2026-01-01T00:00:00Z",
      settings: {},
      warnings: [],
    },
    owner: { id: "u", email: "o@example.org", fullname: null },
    is_hidden: id === "2",
  }) as unknown as AdminJob;

let root: Root;
let jobs: AdminJob[];
let requests: string[];

const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (element) => (element.getAttribute("aria-label") ?? element.textContent) === name,
  );
async function press(name: string) {
  await act(async () => button(name)?.click());
  await settle();
}

const show = (address: string) => showPart(root, <JobsPage />, address);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
  jobs = [adminJob("1", "a.wav"), adminJob("2", "b.wav")];
  requests = [];
  vi.spyOn(toast, "success");
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    requests.push(`${request.method} ${url.pathname}${decodeURIComponent(url.search)}`);
    if (request.method === "GET") return Response.json({ items: jobs });
    jobs = jobs.filter(({ job }) => !url.pathname.endsWith(`/${job.my_job_id}`));
    return new Response(null, { status: 204 });
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
});

it("filters by user, state and day, and marks jobs hidden from their owner", async () => {
  await show("/admin/transcriptions?user=Olha&status=error&from=2026-01-02&to=2026-02-31&q=%20a%20");
  expect(requests).toEqual([`GET /api/v1/admin/jobs?user=Olha&status=error&search=a&from=${midnight("2026-01-02")}`]);
  expect(document.body.textContent?.split("hidden").length).toBe(2);
});

it("deletes after a confirmation that names the file and its owner", async () => {
  await show("/admin/transcriptions");
  await press("delete a.wav");
  expect(document.querySelector("[role=alertdialog]")?.textContent).toContain("delete_text a.wav o@example.org");
  await press("actions.cancel");
  expect(requests.filter((line) => line.startsWith("DELETE"))).toEqual([]);
  await press("delete a.wav");
  await press("delete");
  expect(requests).toContain("DELETE /api/v1/admin/jobs/1");
  expect(toast.success).toHaveBeenCalledWith("deleted");
  expect(button("delete a.wav")).toBeUndefined();
  expect(button("delete b.wav")).toBeDefined();
});
