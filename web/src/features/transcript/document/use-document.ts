/**
 * The document of a page: created from the fetched transcript, kept in sync with the server, and closed without losing
 * edits.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, onSessionEnd, useUser } from "@/api";
import { connection } from "@/api/connection";
import { useErrorText } from "@/hooks/use-error-text";
import { formatClock } from "@/lib/format";
import { toast } from "@/lib/toast";
import { setUnsentCount } from "@/lib/unsent";
import { whenPainted } from "@/lib/when-painted";
import { limits } from "@/rules";
import { jobQuery } from "../api";
import { stretchesKey } from "../recognise-again/api";
import { editedTranscriptQuery, listEdits, openEditEvents, sendEdits, stepEdits, transcriptKey } from "./api";
import { claimClient, openClients } from "./client-id";
import { createDocument, type DocumentStore, type Notice } from "./document-store";
import { followEdits } from "./edit-events";
import { createEditStorage } from "./edit-storage";
import type { EditedTranscript } from "./model";
import { type LastEdits, newVisitors } from "./visitors";

/** What must be known about this browser's tabs before a document is created. */
interface Tab {
  client: string;
  open: ReadonlySet<string>;
}

export interface OpenDocument {
  transcript: EditedTranscript | undefined;
  /** Null until the text is loaded. */
  document: DocumentStore | null;
  error: unknown;
  reload: () => void;
}

/**
 * The document of a job; nothing is fetched unless `enabled`, and others' edits are not followed for a `foreign` one.
 */
export function useDocument(jobId: string, enabled: boolean, foreign = false): OpenDocument {
  const [tab, setTab] = useState<Tab | null>(null);
  useEffect(() => {
    let mounted = true;
    void Promise.all([claimClient(), openClients()]).then(([client, open]) => mounted && setTab({ client, open }));
    return () => {
      mounted = false;
    };
  }, []);
  const query = useQuery({ ...editedTranscriptQuery(jobId, tab?.client ?? ""), enabled: enabled && tab !== null });
  const document = useStoreOf(jobId, query.data, tab);
  useLeaving(document);
  useUnsentReport(jobId, document);
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
    const created = createDocument({
      transcript,
      client,
      calls: {
        send: (version, edits, leaving) => sendEdits(jobId, client, version, edits, leaving),
        step: (direction, version, editId) => stepEdits(jobId, client, direction, version, editId),
      },
      editStorage: createEditStorage({ storage: localStorage, userId, jobId, client, isOpen: (other) => open.has(other) }),
      delayMs,
      shownMs,
      // The rows are rendered in the frame after the edit.
      shown: () => painted().then(painted),
      onNotice: tell,
      onStale: () => void queryClient.invalidateQueries({ queryKey: transcriptKey(jobId) }),
    });
    setDocument(created);
    return () => {
      // Unless the whole page closes, there is time to send everything; what fails is stored for the next time.
      void created.actions.flush().finally(created.actions.stop);
    };
  }, [transcript, tab, userId, jobId, queryClient]);

  return transcript ? document : null;
}

const painted = () => new Promise<void>((resolve) => void whenPainted(resolve));

/** Shows toasts about edits. */
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
    window.addEventListener("beforeunload", (event) => wouldLoseEdits(document) && event.preventDefault(), { signal });
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

/** Reports the number of unsent changes to the page's header. */
function useUnsentReport(jobId: string, document: DocumentStore | null): void {
  useEffect(() => {
    if (!document) {
      return;
    }
    const tell = () => setUnsentCount(jobId, document.actions.waiting());
    tell();
    const stop = document.subscribe(tell);
    return () => {
      stop();
      setUnsentCount(jobId, null);
    };
  }, [jobId, document]);
}

/** Asks only if edits would be lost with the page; others are sent now or by the next page. */
export const wouldLoseEdits = (document: DocumentStore): boolean => document.actions.unsaved() && !document.getState().kept;

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
    const lastEdits: LastEdits = new Map();
    const page = new AbortController();
    const { version } = document.getState();
    followEdits({
      open: (since, signal) => openEditEvents(jobId, version, since, signal),
      list: (since, signal) => listEdits(jobId, version, since, signal),
      since: () => document.getState().seq,
      onEdits: (edits) => {
        document.actions.receive(edits);
        for (const { name, start } of newVisitors(edits, lastEdits, Date.now())) tellVisitor(name, start);
      },
      onRun: () => {
        void queryClient.invalidateQueries(jobQuery(jobId));
        void queryClient.invalidateQueries({ queryKey: transcriptKey(jobId) });
      },
      onStretches: (list) => queryClient.setQueryData(stretchesKey(jobId, version), list),
      signal: page.signal,
    }).catch(() => {
      // The stream failed permanently: refetching the job shows why.
      void queryClient.invalidateQueries(jobQuery(jobId));
    });
    return () => page.abort();
  }, [jobId, document, queryClient]);
}
