/** Shared by the views of a transcript. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Job } from "@/api";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { type Annotations, useAnnotations } from "./annotations/use-annotations";
import { useRemovedToast } from "./bin/use-removed-toast";
import type { DocumentStore } from "./document/document-store";
import type { EditedTranscript } from "./document/model";
import { createEditorActions, type EditorActions } from "./editor/editor-actions";
import type { Caret } from "./editor/segment-editor";
import { useForeign } from "./foreign";
import type { Stretch } from "./recognise-again/stretch";
import type { Tab } from "./tabs/tab";

/** The caret's position; no segment has it if the id is null. */
export interface CaretState {
  id: string | null;
  caret: Caret;
  /** Incremented with every move of the caret. */
  turn: number;
}

export interface Search {
  query: string;
  /** `SPEAKER_n`; empty for all. */
  speaker: string;
  /** ISO 639-1; empty for all. */
  language: string;
}

export interface Workspace {
  job: Job;
  document: DocumentStore;
  player: PlayerStore;
  language: string;
  tab: Tab;
  editable: boolean;
  /** Null while reading. */
  writing: CaretState | null;
  moves: EditorActions;
  /** Bookmarks and highlights; null for another user's job. */
  annotations: Annotations | null;
  /** Puts the caret into a segment. */
  write: (id: string, caret: Caret) => void;
  startWriting: (id: string | null, caret: Caret) => void;
  stopWriting: () => void;
  /** Restores the last saved text of the segment with the caret. */
  cancelWriting: () => void;
  unsureShown: boolean;
  showUnsure: (visible: boolean) => void;
  search: Search;
  setSearch: (search: Search) => void;
  /** Opens another view. */
  open: (tab: Tab) => void;
  /** The stretch about which the page asks how it is to be recognised again; null without one. */
  stretch: Stretch | null;
  askAgain: (stretch: Stretch | null) => void;
}

interface WorkspaceParts {
  job: Job;
  transcript: EditedTranscript;
  document: DocumentStore;
  player: PlayerStore;
  tab: Tab;
  open: (tab: Tab) => void;
}

export function useWorkspace({ job, transcript, document, player, tab, open }: WorkspaceParts): Workspace {
  const [writing, setWriting] = useState<CaretState | null>(null);
  const [unsureShown, showUnsure] = useState(false);
  const [stretch, askAgain] = useState<Stretch | null>(null);
  const [search, setSearch] = useState<Search>({ query: "", speaker: "", language: "" });
  const turn = useRef(0);
  const foreign = useForeign();
  const editable = transcript.newest && !foreign;

  const startWriting = useCallback(
    (id: string | null, caret: Caret) => {
      if (editable) {
        turn.current += 1;
        setWriting({ id, caret, turn: turn.current });
      }
    },
    [editable],
  );
  const leave = useCallback(
    (id: string) => setWriting((current) => (current?.id === id ? { ...current, id: null } : current)),
    [],
  );
  const annotations = useAnnotations({ jobId: job.my_job_id, document, player, own: !foreign });
  const toastRemoved = useRemovedToast(document);
  const moves = useMemo(
    () => createEditorActions(document, player, startWriting, leave, toastRemoved),
    [document, player, startWriting, leave, toastRemoved],
  );
  const stopWriting = useCallback(() => {
    document.actions.commit();
    setWriting(null);
  }, [document]);
  const cancelWriting = useCallback(() => {
    setWriting((current) => {
      if (current?.id != null) {
        document.actions.cancel(current.id);
      }
      return current && { ...current, id: null };
    });
  }, [document]);

  return {
    job,
    document,
    player,
    language: transcript.language,
    tab,
    editable,
    writing,
    moves,
    annotations,
    write: startWriting,
    startWriting,
    stopWriting,
    cancelWriting,
    unsureShown,
    showUnsure,
    search,
    setSearch,
    open,
    stretch,
    askAgain,
  };
}
