/**
 * A visitor's edits of a shared text. They are sent one after another; a line is saved when it is left. Unsaved edits
 * stay in the browser, also after a reload.
 */
import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type EditOp, type SharedEditSaved, type SharedTranscript } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { latinKey } from "@/hooks/use-hotkey";
import { newUuid } from "@/lib/tab-client";
import { toast } from "@/lib/toast";
import { cleanText } from "@/rules/text";
import { endsEditing, isGone, sendEdit, sharedQuery, undoEdit } from "./api";
import type { CaretPosition, EditingState, LineSnapshot } from "./editing";
import { type Draft, type Drafts, latestOwnRevision, type OwnSteps, recordOwnStep, saveFailure, withSavedEdit } from "./edits";
import type { SharedLine } from "./spoken";
import { dropDraft, storeDraft, storedDrafts } from "./stored-drafts";

export function useEditing(token: string, shared: SharedTranscript, name: string): EditingState | null {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { version } = shared.transcript;
  const [mode, setMode] = useState(false);
  const [ended, setEnded] = useState<unknown>(null);
  const [writing, setWriting] = useState<CaretPosition | null>(null);
  const [drafts, setDrafts] = useState<Drafts>(() => storedDrafts(token));
  const [steps] = useState<OwnSteps>(() => new Map());
  const { status, inTurn } = useTurns();
  const may = shared.rights === "edit" && ended === null;
  const on = may && mode && name.trim() !== "";
  const { queryKey } = sharedQuery(token);

  const refetch = () => void queryClient.invalidateQueries({ queryKey, exact: true });
  /** A fetch in progress may return the text before the edit, so it is restarted. */
  const takeIn = async (saved: SharedEditSaved) => {
    const isRead = queryClient.isFetching({ queryKey, exact: true }) > 0;
    if (isRead) await queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData(queryKey, (before: SharedTranscript | undefined) => before && withSavedEdit(before, saved));
    if (isRead) refetch();
  };
  /** Handles what an error tells about the link and the text; the text is refetched if another run is shown. */
  const handleError = (error: unknown) => {
    if (endsEditing(error)) {
      setEnded(error);
      setMode(false);
      setWriting(null);
    } else if (error instanceof ApiError && (error.code === "edit_conflict" || error.code === "text_replaced")) {
      refetch();
    }
  };

  const put = (draft: Draft) => {
    storeDraft(token, draft);
    setDrafts((current) => new Map(current).set(draft.line, draft));
  };
  /** If the line is being edited again, only this edit is discarded. */
  const drop = (line: string, editId: string) => {
    dropDraft(token, line, editId);
    setDrafts((current) => {
      if (current.get(line)?.editId !== editId) return current;
      const next = new Map(current);
      next.delete(line);
      return next;
    });
  };

  /**
   * Discards typed text that changes nothing. An edit of the line that is still being sent is stored again, because the
   * typed text had replaced it.
   */
  const discardDraft = (line: string, editId: string) => {
    drop(line, editId);
    const other = drafts.get(line);
    if (other && other.editId !== editId) storeDraft(token, other);
  };

  const send = (draft: Draft) => {
    put({ ...draft, state: "sending" });
    inTurn(async () => {
      const revision = latestOwnRevision(steps, draft.line, draft.revision);
      const op: EditOp = { kind: "set_text", segment: { id: draft.line, revision }, text: draft.text };
      try {
        const saved = await sendEdit(token, { version: draft.version, name, edit: { edit_id: draft.editId, op } });
        recordOwnStep(steps, draft.line, revision, saved);
        await takeIn(saved);
        // Not before the page has the new text; otherwise the old one would flash.
        notifyManager.schedule(() => drop(draft.line, draft.editId));
      } catch (error) {
        put({ ...draft, state: saveFailure(error, draft.line) });
        handleError(error);
        throw error;
      }
    });
  };

  /** An edit of something other than a line's text: its speaker, or a speaker's name. */
  const change = (op: () => EditOp, onSaved?: (saved: SharedEditSaved) => void, onEnd?: () => void) =>
    inTurn(async () => {
      try {
        const saved = await sendEdit(token, { version, name, edit: { edit_id: newUuid(), op: op() } });
        onSaved?.(saved);
        await takeIn(saved);
      } catch (error) {
        toast.error(t("page.editing.speakerFailed", { why: why(error) }));
        handleError(error);
        throw error;
      } finally {
        if (onEnd) notifyManager.schedule(onEnd);
      }
    });

  const why = (error: unknown) => (isGone(error) ? t("page.editing.linkGone") : errorText(error));

  const undo = () =>
    inTurn(async () => {
      try {
        const saved = await undoEdit(token, { version, name, edit_id: newUuid() });
        await takeIn(saved);
        toast.info(t("page.editing.undone"));
      } catch (error) {
        const isConflict = error instanceof ApiError && error.code === "edit_conflict";
        toast.error(isConflict ? t("page.editing.undoConflict") : `${t("page.editing.undoFailed")}. ${why(error)}`);
        handleError(error);
        throw error;
      }
    });

  const canUndo = may && shared.can_undo === true && name.trim() !== "";
  useUndoKey(canUndo, undo);
  useStayQuestion(drafts.size > 0);

  const actions = {
    turn: (to: boolean) => setMode(to),
    write: (line: string, caret: CaretPosition["caret"]) => {
      const draft = drafts.get(line);
      // An unsaved draft of this line has a field of its own.
      if (!may || name.trim() === "" || (draft && draft.state !== "sending")) return;
      setMode(true);
      setWriting({ line, caret });
    },
    close: () => setWriting(null),
    save: (snapshot: LineSnapshot, text: string) => {
      const next = cleanText(text);
      if (next === "" || next === snapshot.text) discardDraft(snapshot.id, snapshot.editId);
      else send(draftOf(snapshot, next));
    },
    keep: (snapshot: LineSnapshot, text: string) => storeDraft(token, draftOf(snapshot, text)),
    drop: discardDraft,
    amend: (line: string, text: string) => {
      const draft = drafts.get(line);
      // A failed edit may have arrived anyway, so another text gets a new id.
      if (draft && draft.state !== "sending") put({ ...draft, text, editId: newUuid() });
    },
    retry: (line: string, revision?: number) => {
      const draft = drafts.get(line);
      const text = cleanText(draft?.text ?? "");
      if (!draft || text === "") return;
      send({ ...draft, text, ...(revision !== undefined && { revision, editId: newUuid() }) });
    },
    setSpeaker: ({ id, revision }: Pick<SharedLine, "id" | "revision">, speaker: string | null, onEnd?: () => void) => {
      const knownRevision = revision ?? 0;
      let sent = knownRevision;
      change(
        () => {
          sent = latestOwnRevision(steps, id, knownRevision);
          return { kind: "set_speaker", segments: [{ id, revision: sent }], speaker };
        },
        (saved) => recordOwnStep(steps, id, sent, saved),
        onEnd,
      );
    },
    rename: (speaker: string, called: string | null) => change(() => ({ kind: "rename_speaker", speaker, name: called })),
    undo,
    unlock: refetch,
  };
  const stable = useStable(actions);
  return useMemo(
    () =>
      may || ended !== null || drafts.size > 0
        ? { ...stable, may, ended, on, version, writing: on ? writing : null, drafts, canUndo, status }
        : null,
    [stable, may, ended, on, version, writing, drafts, canUndo, status],
  );
}

/** Stable functions that call the latest versions: the rows of the text depend on them. */
function useStable<Actions extends Record<string, (...args: never[]) => void>>(actions: Actions): Actions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState(() => {
    const named = Object.keys(actions).map((name) => [name, (...args: never[]) => latest.current[name]?.(...args)]);
    return Object.fromEntries(named) as Actions;
  });
  return stable;
}

const draftOf = ({ id, revision, version, editId }: LineSnapshot, text: string): Draft => ({
  line: id,
  text,
  version,
  revision,
  editId,
  state: "sending",
});

/** Runs tasks one after another, and tells whether one is in progress. Tasks report their own errors. */
function useTurns() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  const [status, setStatus] = useState<EditingState["status"]>("idle");
  const inTurn = (task: () => Promise<void>): void => {
    waiting.current += 1;
    setStatus("saving");
    const run = last.current.then(task).then(
      () => "saved" as const,
      () => "idle" as const,
    );
    last.current = run.then((end) => {
      waiting.current -= 1;
      if (waiting.current === 0) setStatus(end);
    });
  };
  return { status, inTurn };
}

/** Ctrl+Z outside of fields; inside a field it undoes typing. */
function useUndoKey(active: boolean, undo: () => void): void {
  const run = useEffectEvent(undo);
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const inField = event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      if (inField || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.repeat) return;
      if (latinKey(event).toLowerCase() !== "z") return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [active]);
}

/** Asks before a tab with unsaved edits is closed. */
function useStayQuestion(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);
}
