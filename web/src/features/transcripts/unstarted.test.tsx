import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import { sessionOf } from "@/api/test-session";
import type { UploadState } from "@/api/uploads";
import { startI18n } from "@/lib/i18n";
import { Unstarted } from "./unstarted";
import { unstartedWithin } from "./unstarted-filter";

const upload = (id: string, change: Partial<UploadState> = {}): UploadState => ({
  upload_id: id,
  filename: `${id}.mp3`,
  kind: "file",
  size: 2_097_152,
  stored: 2_097_152,
  complete: true,
  created_at: "2026-11-20T10:00:00Z",
  ...change,
});

let root: Root;
let uploads: UploadState[];
let removed: string[];

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
const text = () => (document.body.textContent ?? "").replaceAll("\u00A0", " ");
const press = async (name: string) => {
  const button = [...document.querySelectorAll("button")].find(
    (element) => (element.getAttribute("aria-label") ?? element.textContent) === name,
  );
  await act(async () => button?.click());
  await settle();
};

beforeAll(startI18n);
beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  session.begin(sessionOf({ id: "u1" }), true);
  uploads = [upload("нарада"), upload("half", { complete: false, stored: 5 })];
  removed = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "DELETE") {
      const id = decodeURIComponent(new URL(request.url).pathname.split("/").at(-1) ?? "");
      removed.push(id);
      uploads = uploads.filter(({ upload_id }) => upload_id !== id);
      return new Response(null, { status: 204 });
    }
    return Response.json({ uploads });
  });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <Unstarted filter={{ status: "uploaded" }} onReset={() => {}} />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  await settle();
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
  session.end("signed_out");
});

it("shows uploads without a transcription, with their actions", async () => {
  expect(document.querySelectorAll("li")).toHaveLength(1);
  expect(text()).toContain("нарада.mp3");
  const link = document.querySelector("a[aria-label='Продовжити: нарада.mp3']");
  expect(link?.getAttribute("href")).toBe("/upload?continue=нарада");
});

it("deletes an upload after a confirmation, and then shows that none is left", async () => {
  await press("Видалити: нарада.mp3");
  expect(removed).toEqual([]);
  await press("Видалити");
  expect(removed).toEqual(["нарада"]);
  await settle();
  expect(text()).toContain("Незапущених записів немає");
});

it("is filtered by name and days; a filter by mode or language excludes all uploads", () => {
  const all = [upload("Call"), upload("b", { created_at: "2026-11-22T10:00:00Z" })];
  const ids = (filter: Parameters<typeof unstartedWithin>[1]) => unstartedWithin(all, filter).map(({ upload_id }) => upload_id);
  expect(ids({})).toEqual(["Call", "b"]);
  expect(ids({ q: "CALL" })).toEqual(["Call"]);
  expect(ids({ from: "2026-11-21" })).toEqual(["b"]);
  expect(ids({ to: "2026-11-20" })).toEqual(["Call"]);
  expect(ids({ language: "uk" })).toEqual([]);
  expect(ids({ mode: "lite" })).toEqual([]);
});
