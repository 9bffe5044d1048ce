// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, useState } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError, openApi, type SharedSegment, type SharedTranscript } from "@/api";
import { sendEdit, sharedQuery } from "./api";
import { EditingContext, type EditingState } from "./editing";
import { dropDraft, storedDrafts } from "./stored-drafts";
import { UnsavedNote } from "./unsaved-note";
import { useEditing } from "./use-editing";

vi.mock("./api", async (original) => ({ ...(await original<typeof import("./api")>()), sendEdit: vi.fn() }));
vi.mock("@/rules/text", () => ({ cleanText: (text: string) => text.trim() }));

const line = (text: string, revision: number): SharedSegment => ({
  id: "1",
  revision,
  start: 0,
  end: 1,
  speaker: "SPEAKER_0",
  text,
  words: [],
});

const TEXT = {
  rights: "edit",
  can_undo: false,
  grant: "g",
  transcript: { version: 1, speakers: [{ id: "SPEAKER_0", name: null }], segments: [line("два", 0)] },
} as unknown as SharedTranscript;

const saved = (text: string, revision: number) => ({
  changes: [{ id: "1", segment: line(text, revision) }],
  speakers: TEXT.transcript.speakers,
  can_undo: true,
  grant: "g",
});

const SEEN = { id: "1", text: "два", revision: 0, version: 1, editId: "e1" };

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.mocked(sendEdit).mockReset();
  for (const { editId } of storedDrafts("t").values()) dropDraft("t", "1", editId);
});

/** Renders an editable page; returns the current editing context. `read`: the text returned by a refetch. */
async function open(read: () => Promise<SharedTranscript> = async () => TEXT) {
  const client = new QueryClient();
  const key = sharedQuery("t").queryKey;
  client.setQueryData(key, TEXT);
  const reading = vi.spyOn(openApi, "GET").mockImplementation((async () => ({
    data: await read(),
    response: new Response(),
  })) as never);
  let latest: EditingState | null = null;
  let scroll: (isInView: boolean) => void = () => undefined;
  const Page = () => {
    const [isInView, setInView] = useState(true);
    scroll = setInView;
    const { data = TEXT } = useQuery(sharedQuery("t"));
    latest = useEditing("t", data, "Олена");
    return <EditingContext value={latest}>{isInView && <UnsavedNote line="1" />}</EditingContext>;
  };
  const element = document.createElement("div");
  const root = createRoot(element);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    ),
  );
  const now = () => latest as unknown as EditingState;
  const transcript = () => client.getQueryData(key)?.transcript;
  return {
    now,
    reading,
    scroll: (isInView: boolean) => scroll(isInView),
    box: () => element.querySelector("textarea"),
    button: (name: string) => [...element.querySelectorAll("button")].find((node) => node.textContent === name),
    text: () => transcript()?.segments[0]?.text,
    speaker: () => transcript()?.speakers[0]?.name,
    do: async (what: (editing: EditingState) => void) => {
      await act(async () => what(now()));
      // The page gets the text asynchronously.
      await act(() => new Promise((next) => setTimeout(next)));
    },
  };
}

const opSent = (at: number) => vi.mocked(sendEdit).mock.calls[at]?.[1];

it("saves a line with the visitor's name, and again on top of their own change of speaker", async () => {
  const page = await open();
  vi.mocked(sendEdit).mockResolvedValueOnce(saved("два", 1)).mockResolvedValueOnce(saved("двоє", 2));
  await page.do(({ turn }) => turn(true));
  expect(page.now().on).toBe(true);
  await page.do(({ setSpeaker }) => setSpeaker(line("два", 0), null));
  await page.do(({ save }) => save(SEEN, " двоє "));
  expect(opSent(0)?.edit.op).toEqual({ kind: "set_speaker", segments: [{ id: "1", revision: 0 }], speaker: null });
  expect(opSent(1)).toMatchObject({ version: 1, name: "Олена" });
  expect(opSent(1)?.edit.op).toEqual({ kind: "set_text", segment: { id: "1", revision: 1 }, text: "двоє" });
  expect(page.text()).toBe("двоє");
  expect(page.now()).toMatchObject({ status: "saved" });
  expect(page.now().drafts.size).toBe(0);
});

it("sends nothing for an unchanged or empty text", async () => {
  const page = await open();
  await page.do(({ save }) => save(SEEN, "два "));
  await page.do(({ save }) => save(SEEN, " "));
  expect(sendEdit).not.toHaveBeenCalled();
});

it("keeps both texts of a conflict, and sends the visitor's own if it is chosen", async () => {
  const page = await open();
  const conflicts = [{ id: "1", segment: line("дві", 4) }];
  vi.mocked(sendEdit)
    .mockRejectedValueOnce(new ApiError({ status: 409, code: "edit_conflict", params: { conflicts } }))
    .mockResolvedValueOnce(saved("двоє", 5));
  await page.do(({ save }) => save(SEEN, "двоє"));
  expect(page.now().drafts.get("1")).toMatchObject({
    text: "двоє",
    state: { kind: "conflict", theirs: { text: "дві", revision: 4 } },
  });
  // A line with an unsaved edit cannot be edited again.
  await page.do(({ write }) => write("1", 0));
  expect(page.now().writing).toBeNull();
  const first = opSent(0)?.edit.edit_id;
  await page.do(({ retry }) => retry("1", 4));
  expect(opSent(1)?.edit.op).toMatchObject({ segment: { revision: 4 }, text: "двоє" });
  expect(opSent(1)?.edit.edit_id).not.toBe(first);
  expect(page.now().drafts.size).toBe(0);
});

it("retries with the same edit id after a lost connection", async () => {
  const page = await open();
  vi.mocked(sendEdit)
    .mockRejectedValueOnce(new ApiError({ status: 0, code: "network" }))
    .mockResolvedValueOnce(saved("двоє", 1));
  await page.do(({ save }) => save(SEEN, "двоє"));
  expect(page.now().ended).toBeNull();
  await page.do(({ retry }) => retry("1"));
  expect(opSent(1)?.edit.edit_id).toBe(opSent(0)?.edit.edit_id);
});

it("ends when the link ends, and keeps typed text", async () => {
  const page = await open();
  await page.do(({ turn }) => turn(true));
  vi.mocked(sendEdit).mockRejectedValueOnce(new ApiError({ status: 403, code: "edits_not_allowed" }));
  await page.do(({ save }) => save(SEEN, "двоє"));
  expect(page.now()).toMatchObject({ may: false, on: false, canUndo: false });
  expect(page.now().ended).toBeInstanceOf(ApiError);
  expect(page.now().drafts.get("1")).toMatchObject({ text: "двоє", state: { kind: "failed" } });
  expect(storedDrafts("t").get("1")?.text).toBe("двоє");
});

it("ignores a refetch that started before an edit", async () => {
  const named = [{ id: "SPEAKER_0", name: "Леся" }] as typeof TEXT.transcript.speakers;
  const remote = line("дві", 4);
  const textOf = (speakers: typeof named) => ({ ...TEXT, transcript: { ...TEXT.transcript, speakers, segments: [remote] } });
  const answers: ((text: SharedTranscript) => void)[] = [];
  const page = await open(() => new Promise((answer) => answers.push(answer)));
  let rename: (saved: unknown) => void = () => undefined;
  vi.mocked(sendEdit)
    .mockRejectedValueOnce(
      new ApiError({ status: 409, code: "edit_conflict", params: { conflicts: [{ id: "1", segment: remote }] } }),
    )
    .mockReturnValueOnce(new Promise((answer) => (rename = answer as typeof rename)));
  await page.do((editing) => {
    editing.save(SEEN, "двоє");
    editing.rename("SPEAKER_0", "Леся");
  });
  expect(page.reading).toHaveBeenCalledTimes(1);
  expect(sendEdit).toHaveBeenCalledTimes(2);
  await page.do(() => rename({ changes: [], speakers: named, can_undo: true, grant: "g" }));
  // Fetched before the name was changed, but arrives later.
  await page.do(() => answers[0]?.(textOf(TEXT.transcript.speakers)));
  expect(page.speaker()).toBe("Леся");
  expect(page.reading).toHaveBeenCalledTimes(2);
  await page.do(() => answers[1]?.(textOf(named)));
  expect(page.speaker()).toBe("Леся");
  expect(page.text()).toBe("дві");
});

it("does not change an edit being sent when the line is opened again without changes", async () => {
  const page = await open();
  vi.mocked(sendEdit).mockReturnValueOnce(new Promise(() => undefined));
  await page.do(({ save }) => save(SEEN, "двоє"));
  const secondSnapshot = { ...SEEN, text: "двоє", editId: "e2" };
  const expectSending = () => {
    expect(page.now().drafts.get("1")).toMatchObject({ text: "двоє", editId: "e1", state: "sending" });
    expect(storedDrafts("t").get("1")).toMatchObject({ text: "двоє", editId: "e1" });
  };
  // Escape, after something was typed.
  await page.do(({ keep }) => keep(secondSnapshot, "двоє чи троє"));
  expect(storedDrafts("t").get("1")?.text).toBe("двоє чи троє");
  await page.do(({ drop }) => drop("1", "e2"));
  expectSending();
  // Left unchanged.
  await page.do(({ save }) => save(secondSnapshot, "двоє"));
  expectSending();
  expect(sendEdit).toHaveBeenCalledTimes(1);
});

it("keeps a manually merged text when its line is unmounted, and after a reload", async () => {
  const page = await open();
  const conflicts = [{ id: "1", segment: line("дві", 4) }];
  vi.mocked(sendEdit)
    .mockRejectedValueOnce(new ApiError({ status: 409, code: "edit_conflict", params: { conflicts } }))
    .mockResolvedValueOnce(saved("двоє чи дві", 5));
  await page.do(({ save }) => save(SEEN, "двоє"));
  const box = page.box() as HTMLTextAreaElement;
  await page.do(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(box, "двоє чи дві ");
    box.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.do(() => page.scroll(false));
  expect(page.box()).toBeNull();
  await page.do(() => page.scroll(true));
  expect(page.box()?.value).toBe("двоє чи дві ");
  expect(storedDrafts("t").get("1")?.text).toBe("двоє чи дві ");
  await page.do(() => page.button("page.editing.keepMine")?.click());
  expect(opSent(1)?.edit.op).toEqual({ kind: "set_text", segment: { id: "1", revision: 4 }, text: "двоє чи дві" });
  expect(opSent(1)?.edit.edit_id).not.toBe(opSent(0)?.edit.edit_id);
  expect(page.box()).toBeNull();
  expect(storedDrafts("t").size).toBe(0);
});
