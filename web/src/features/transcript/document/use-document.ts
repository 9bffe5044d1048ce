/** The document of a page: made of the transcript that was read, kept in step with the server, left without losing a word. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, onSessionEnd, useUser } from "@/api";
import { connection } from "@/api/connection";
import { useErrorText } from "@/hooks/use-error-text";
import { formatClock } from "@/lib/format";
import { toast } from "@/lib/toast";
import { tellUnsent } from "@/lib/unsent";
import { whenPainted } from "@/lib/when-painted";
import { limits } from "@/rules";
import { jobQuery } from "../api";
import { editedTranscriptQuery, listEdits, openEditEvents, sendEdits, stepEdits, transcriptKey } from "./api";
import { claimClient, openClients } from "./client-id";
import { createDocument, type DocumentStore, type Notice } from "./document-store";
import { followEdits } from "./edit-events";
import type { EditedTranscript } from "./model";
import { createShelf } from "./shelf";
import { type Heard, visitorsOf } from "./visitors";

/** What is known of the tabs of this browser before a document is made. */
interface Tab {
  client: string;
  open: ReadonlySet<string>;
}

export interface OpenDocument {
  transcript: EditedTranscript | undefined;
  /** Null until the text is there. */
  document: DocumentStore | null;
  error: unknown;
  reload: () => void;
}

/** The document of a job; nothing is read while it is not `enabled`, nor what others do to a `foreign` one. */
export function useDocument(jobId: string, enabled: boolean, foreign = false): OpenDocument {
  const [tab, setTab] = useState<Tab | null>(null);
  useEffect(() => {
    let here = true;
    void Promise.all([claimClient(), openClients()]).then(([client, open]) => here && setTab({ client, open }));
    return () => {
      here = false;
    };
  }, []);
  const query = useQuery({ ...editedTranscriptQuery(jobId, tab?.client ?? ""), enabled: enabled && tab !== null });
  const document = useStoreOf(jobId, query.data, tab);
  useLeaving(document);
  useUnsentTold(jobId, document);
  useEvents(jobId, foreign ? null : document);
  return { transcript: query.data, document, error: query.error, reload: () => void query.refetch() };
}

function useStoreOf(jobId: string, transcript: EditedTranscript | undefined, tab: Tab | null): DocumentStore | null {
  const queryClient = useQueryClient();
  const user = useUser();
  const [document, setDocument] = useState<DocumentStore | null>(null);
  const tell = useEffectEvent(useNotices());
  const userId = user?.id;

  useEffect(() => {
    if (!transcript || !tab || !userId) {
      return;
    }
    const { autosave_delay_ms: delayMs, saved_indicator_ms: shownMs } = limits();
    const { client, open } = tab;
    const made = createDocument({
      transcript,
      client,
      calls: {
        send: (version, edits, leaving) => sendEdits(jobId, client, version, edits, leaving),
        step: (direction, version, editId) => stepEdits(jobId, client, direction, version, editId),
      },
      shelf: createShelf({ storage: localStorage, userId, jobId, client, isOpen: (other) => open.has(other) }),
      delayMs,
      shownMs,
      // The frame after the edit is that of the rows and of what stands beside them.
      shown: () => painted().then(painted),
      onNotice: tell,
      onStale: () => void queryClient.invalidateQueries({ queryKey: transcriptKey(jobId) }),
    });
    setDocument(made);
    return () => {
      // In the page's own life there is time for the whole outbox; what fails is kept for the next time.
      void made.actions.flush().finally(made.actions.stop);
    };
  }, [transcript, tab, userId, jobId, queryClient]);

  return transcript ? document : null;
}

const painted = () => new Promise<void>((resolve) => void whenPainted(resolve));

/** Says at the page's edge what has happened to an edit. */
function useNotices(): (notice: Notice, error?: unknown) => void {
  const { t } = useTranslation("editor");
  const errorText = useErrorText();
  return (notice, error) => {
    const text = t(`notices.${notice}`);
    if (notice === "nothing_to_undo" || notice === "nothing_to_redo") {
      toast.info(text);
    } else {
      toast.error(notice === "step_failed" ? `${text}. ${errorText(error)}` : text);
    }
  };
}

function useLeaving(document: DocumentStore | null): void {
  useEffect(() => {
    if (!document) {
      return;
    }
    const page = new AbortController();
    const { signal } = page;
    const { actions } = document;
    window.addEventListener("beforeunload", (event) => asksToStay(document) && event.preventDefault(), { signal });
    window.addEventListener("pagehide", actions.leave, { signal });
    window.addEventListener("blur", actions.commit, { signal });
    const stopLine = connection.subscribe(({ line }, before) => {
      if (line === "up" && before.line !== "up") void actions.flush();
    });
    const stops = [stopLine, beforeSignOut(actions.flush), onSessionEnd(actions.stop)];
    return () => {
      page.abort();
      for (const stop of stops) {
        stop();
      }
    };
  }, [document]);
}

/** Tells the head of the page how many changes wait. */
function useUnsentTold(jobId: string, document: DocumentStore | null): void {
  useEffect(() => {
    if (!document) {
      return;
    }
    const tell = () => tellUnsent(jobId, document.actions.waiting());
    tell();
    const stop = document.subscribe(tell);
    return () => {
      stop();
      tellUnsent(jobId, null);
    };
  }, [jobId, document]);
}

/** Only what ends with the page is worth a question; the rest goes out by itself, now or with the next page. */
export const asksToStay = (document: DocumentStore): boolean => document.actions.unsaved() && !document.getState().kept;

function useEvents(jobId: string, document: DocumentStore | null): void {
  const queryClient = useQueryClient();
  const { t } = useTranslation("editor");
  const tellVisitor = useEffectEvent((name: string, start: number | undefined) =>
    toast.notice(
      start === undefined ? t("notices.visitor", { name }) : t("notices.visitor_at", { name, time: formatClock(start) }),
    ),
  );
  useEffect(() => {
    if (!document) {
      return;
    }
    const heard: Heard = new Map();
    const page = new AbortController();
    const { version } = document.getState();
    followEdits({
      open: (since, signal) => openEditEvents(jobId, version, since, signal),
      list: (since, signal) => listEdits(jobId, version, since, signal),
      since: () => document.getState().seq,
      onEdits: (edits) => {
        document.actions.receive(edits);
        for (const { name, start } of visitorsOf(edits, heard, Date.now())) tellVisitor(name, start);
      },
      onRun: () => {
        void queryClient.invalidateQueries(jobQuery(jobId));
        void queryClient.invalidateQueries({ queryKey: transcriptKey(jobId) });
      },
      signal: page.signal,
    }).catch(() => {
      // The stream says no for good: asking for the job shows why.
      void queryClient.invalidateQueries(jobQuery(jobId));
    });
    return () => page.abort();
  }, [jobId, document, queryClient]);
}
