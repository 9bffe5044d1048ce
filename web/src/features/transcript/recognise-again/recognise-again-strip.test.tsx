import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Stretch } from "@/api";
import { session } from "@/api/client";
import { SESSION } from "@/api/test-session";
import { startI18n } from "@/lib/i18n";
import texts from "@/locales/uk/again.json";
import problems from "@/locales/uk/problems.json";
import type { Workspace } from "../workspace";
import { stretchesKey } from "./api";
import { RecogniseAgainStrip } from "./recognise-again-strip";

const JOB = "j1";
const undo = vi.fn();
const unsaved = vi.fn();
const askAgain = vi.fn();
const playOnce = vi.fn();
let root: Root;
let client: QueryClient;
let store: StoreApi<object>;

const strip = () => document.querySelector<HTMLElement>("[data-testid=again]");
const announced = () => document.querySelector("[role=status]")?.textContent;
const press = (name: string) =>
  act(async () => {
    const buttons = [...document.querySelectorAll("button")];
    buttons.find((button) => [button.textContent, button.getAttribute("aria-label")].includes(name))?.click();
  });

const stretch = (change: Partial<Stretch> = {}): Stretch => ({
  id: "s1",
  version: 1,
  start: 21,
  end: 35,
  mode: "full",
  language: "de",
  status: "running",
  percent: 40,
  created_at: "2026-11-21T09:00:00Z",
  ...change,
});

const tell = (...stretches: Stretch[]) =>
  act(async () => {
    client.setQueryData(stretchesKey(JOB, 1), { stretches });
    // The query tells its readers in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
  });

beforeAll(() => startI18n(), 60_000);

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async () => Response.json({ stretches: [] }));
  for (const mock of [undo, unsaved, askAgain, playOnce]) mock.mockReset();
  unsaved.mockReturnValue(false);
  session.begin(SESSION, true);
  client = new QueryClient();
  document.body.innerHTML = "<main></main>";
  store = createStore<object>(() => ({ version: 1, seq: 7, canUndo: true, draft: null, recognisedAgain: 7 }));
  const workspace = {
    job: { my_job_id: JOB },
    editable: true,
    document: Object.assign(store, { actions: { undo, unsaved } }),
    player: createStore(() => ({ playOnce })),
    askAgain,
  } as unknown as Workspace;
  root = createRoot(document.querySelector("main") as HTMLElement);
  client.setQueryData(stretchesKey(JOB, 1), { stretches: [] });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <RecogniseAgainStrip workspace={workspace} />
      </QueryClientProvider>,
    ),
  );
});

afterEach(async () => {
  await act(async () => root.unmount());
  client.clear();
  document.body.innerHTML = "";
});

it("shows how far it is, then the result, which can be played and undone", async () => {
  expect(strip()).toBeNull();
  await tell(stretch({ status: "waiting", percent: 0 }));
  expect(announced()).toContain("0:21–0:35");
  await tell(stretch());
  expect(strip()?.querySelector("[role=progressbar]")?.getAttribute("aria-valuenow")).toBe("40");
  await tell(stretch({ status: "done", percent: 100, seq: 7, found_language: "de" }));
  expect(strip()?.dataset.state).toBe("done");
  expect(announced()).toContain("німецька");
  await press(texts.listen);
  expect(playOnce).toHaveBeenCalledWith({ from: 21, to: 35 });
  await press(texts.undo);
  expect(undo).toHaveBeenCalled();
  await press(texts.dismiss);
  expect(strip()).toBeNull();
});

it("offers no undo once somebody has edited", async () => {
  await tell(stretch());
  await tell(stretch({ status: "done", percent: 100, seq: 6, found_language: "de" }));
  expect(strip()?.textContent).not.toContain(texts.undo);
});

it.each([
  ["in a tab that did not ask for it", { recognisedAgain: null }],
  ["of an earlier stretch of this page", { recognisedAgain: 5 }],
  ["while a text is being written", { draft: { id: "1", text: "нове" } }],
  ["after a later edit", { seq: 8 }],
])("offers no undo %s", async (_, change) => {
  await tell(stretch());
  await tell(stretch({ status: "done", percent: 100, seq: 7, found_language: "de" }));
  expect(strip()?.textContent).toContain(texts.undo);
  await act(async () => store.setState(change));
  expect(strip()?.textContent).not.toContain(texts.undo);
});

it("offers no undo while an edit is not sent", async () => {
  await tell(stretch());
  await tell(stretch({ status: "done", percent: 100, seq: 7, found_language: "de" }));
  unsaved.mockReturnValue(true);
  await act(async () => store.setState({ status: "saving" }));
  expect(strip()?.textContent).not.toContain(texts.undo);
});

it("undoes nothing if an edit was queued since the button was shown", async () => {
  await tell(stretch());
  await tell(stretch({ status: "done", percent: 100, seq: 7, found_language: "de" }));
  expect(strip()?.textContent).toContain(texts.undo);
  unsaved.mockReturnValue(true);
  await press(texts.undo);
  expect(undo).not.toHaveBeenCalled();
});

it("says why it failed, with the texts of jobs for other codes, and asks again", async () => {
  await tell(stretch());
  await tell(stretch({ status: "failed", error: "nothing_recognised" }));
  expect(strip()?.textContent).toContain(problems.stretch.nothing_recognised);
  await press(texts.retry);
  expect(askAgain).toHaveBeenCalledWith({ start: 21, end: 35 });
  await tell(stretch({ status: "failed", error: "worker_lost" }));
  expect(strip()?.textContent).toContain(problems.job.worker_lost);
  await tell(stretch({ status: "failed", error: "a_code_of_tomorrow" }));
  expect(strip()?.textContent).toContain(problems.codes.unexpected);
});

it("does not show what ended before the page was opened", async () => {
  await tell(stretch({ status: "failed", error: "nothing_recognised" }));
  expect(strip()).toBeNull();
  expect(announced()).toBe("");
});
