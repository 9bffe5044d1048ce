/** Actions on bookmarks and highlights of a page. */
import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Annotation, NewAnnotation } from "@/api";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { MAX_ANNOTATIONS_AT_ONCE, UNDO_MS } from "@/rules/constants";
import { segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import { lineAt } from "./anchor";
import { type AnnotationChange, annotationsQuery, useChangeAnnotation, useCreateAnnotations, useDeleteAnnotation } from "./api";
import { bookmarkAt, type Colour, highlightOf } from "./new-mark";
import { selectedPieces } from "./selected-pieces";

/** Minimum distance of two bookmarks of one line, in seconds. */
const SAME_PLACE_SECONDS = 1;

export interface Annotations {
  /** Highlights the selection in the text. */
  highlight: () => void;
  /** Bookmarks this second, or the player's position. */
  bookmark: (seconds?: number) => void;
  change: (change: AnnotationChange) => Promise<unknown>;
  remove: (mark: Annotation) => void;
  /** Id of the annotation whose note is being edited. */
  noting: string | null;
  note: Dispatch<SetStateAction<string | null>>;
}

interface Parts {
  jobId: string;
  document: DocumentStore;
  player: PlayerStore;
  /** Whether the user may create them. */
  own: boolean;
}

/** Null without access. */
export function useAnnotations({ jobId, document, player, own }: Parts): Annotations | null {
  const { t } = useTranslation(["editor", "common"]);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { mutateAsync: create } = useCreateAnnotations(jobId);
  const { mutateAsync: change } = useChangeAnnotation(jobId);
  const { mutateAsync: destroy } = useDeleteAnnotation(jobId);
  const [noting, note] = useState<string | null>(null);
  const tellUndo = useUndoToast();
  // The last used colour is the default.
  const colour = useRef<Colour>("yellow");

  const actions = useMemo(() => {
    const failed = (error: unknown) => void toast.error(`${t("editor:annotations.failed")}. ${errorText(error)}`);
    const known = () => queryClient.getQueryData(annotationsQuery(jobId).queryKey) ?? [];
    const add = (created: NewAnnotation[], message: string) => {
      create(created).catch(failed);
      const [first] = created;
      toast.offered(message, t("editor:annotations.addNote"), () => note(first?.id ?? null));
    };
    return {
      highlight: () => {
        const pieces = selectedPieces();
        document.actions.commit();
        const text = document.getState();
        const highlights = pieces.flatMap((piece) => {
          const line = segmentOf(text, piece.segment);
          return (line && highlightOf(line, piece, text.version, colour.current)) ?? [];
        });
        if (highlights.length === 0) {
          toast.info(t("editor:annotations.selectFirst"));
        } else if (highlights.length > MAX_ANNOTATIONS_AT_ONCE) {
          toast.error(t("editor:annotations.tooManyLines", { max: MAX_ANNOTATIONS_AT_ONCE }));
        } else {
          getSelection()?.removeAllRanges();
          add(highlights, t("editor:annotations.highlighted"));
        }
      },
      bookmark: (seconds = player.getState().time) => {
        document.actions.commit();
        const { segments, version } = document.getState();
        const bookmark = bookmarkAt(segments, seconds, version, colour.current);
        const line = bookmark && lineAt(segments, seconds);
        const exists = known().some(
          ({ kind, start }) =>
            kind === "bookmark" && Math.abs(start - seconds) < SAME_PLACE_SECONDS && lineAt(segments, start) === line,
        );
        if (exists) {
          toast.info(t("editor:annotations.bookmarkedBefore"));
        } else if (bookmark) {
          add([bookmark], t("editor:annotations.bookmarked"));
        }
      },
      change: (next: AnnotationChange) => {
        colour.current = next.colour ?? colour.current;
        return change(next);
      },
      remove: (mark: Annotation) => {
        const { created_at: _, changed_at: __, ...again } = mark;
        const deletion = destroy(mark.id);
        deletion.catch(failed);
        tellUndo(t("editor:annotations.removed"), t("common:actions.undo"), () => {
          void deletion.catch(() => undefined).then(() => create([again]).catch(failed));
        });
      },
    };
  }, [jobId, document, player, t, errorText, queryClient, create, change, destroy, tellUndo]);

  return useMemo(() => (own ? { ...actions, noting, note } : null), [own, actions, noting]);
}

/** A toast with an Undo button that closes after a while, or with the page. */
function useUndoToast() {
  const end = useRef<() => void>(() => {});
  useEffect(() => () => end.current(), []);
  return useMemo(
    () => (text: string, label: string, undo: () => void) => {
      end.current();
      const toastId = toast.undoable(text, label, () => {
        end.current();
        undo();
      });
      const clock = setTimeout(() => end.current(), UNDO_MS);
      end.current = () => {
        clearTimeout(clock);
        toast.dismiss(toastId);
        end.current = () => {};
      };
    },
    [],
  );
}
