import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { Link } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { createHistory, HistoryRouter } from "@/lib/history";
import type { DocumentState, DocumentStore } from "../document/document-store";
import { type LeaveQuestion, useLeaveQuestion } from "./use-leave-question";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root;
let history: ReturnType<typeof createHistory>;
let question: LeaveQuestion;
/** The result of a save. */
let saves: boolean;
let unsaved: boolean;

/** A document whose edits may exist only on this page. */
function documentOf(kept: boolean): DocumentStore {
  const store = createStore(() => ({ kept, status: "idle" }) as DocumentState);
  const flush = vi.fn(async () => {
    unsaved = unsaved && !saves;
    store.setState({ kept: kept || !unsaved });
  });
  return Object.assign(store, { actions: { flush, unsaved: () => unsaved } as unknown as DocumentStore["actions"] });
}

function Page({ document }: { document: DocumentStore }) {
  question = useLeaveQuestion(document);
  return <Link to="/away">away</Link>;
}

async function open(stored: boolean): Promise<DocumentStore> {
  const document = documentOf(stored);
  await act(async () =>
    root.render(
      <HistoryRouter history={history}>
        <Page document={document} />
      </HistoryRouter>,
    ),
  );
  return document;
}

const path = () => history.place().location.pathname;
const push = (to: string) => act(async () => history.push(to));

beforeEach(() => {
  window.history.replaceState(null, "", "/transcription/1");
  history = createHistory(window);
  root = createRoot(globalThis.document.createElement("div"));
  saves = false;
  unsaved = true;
});

afterEach(() => act(async () => root.unmount()));

it("asks only if the edits exist nowhere else", async () => {
  await open(true);
  await push("/away");
  expect([path(), question.asking]).toEqual(["/away", false]);
});

it("asks if saving fails, and follows the answer", async () => {
  await open(false);
  await push("/away");
  expect([path(), question.asking]).toEqual(["/transcription/1", true]);
  await act(async () => question.stay());
  expect([path(), question.asking]).toEqual(["/transcription/1", false]);
  await push("/away");
  await act(async () => question.leave());
  expect([path(), question.asking]).toEqual(["/away", false]);
});

it("does not ask when switching to another view of the text", async () => {
  await open(false);
  await push("/transcription/1?tab=segments");
  expect([history.place().location.search, question.asking]).toEqual(["?tab=segments", false]);
});

it("leaves without asking if saving succeeds, at once or while the question is shown", async () => {
  saves = true;
  await open(false);
  await push("/away");
  expect([path(), question.asking]).toEqual(["/away", false]);

  window.history.replaceState(null, "", "/transcription/1");
  history = createHistory(window);
  [saves, unsaved] = [false, true];
  const document = await open(false);
  await push("/away");
  expect(question.asking).toBe(true);
  saves = true;
  await act(async () => document.actions.flush());
  expect([path(), question.asking]).toEqual(["/away", false]);
});
