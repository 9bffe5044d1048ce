/**
 * The edited segment: a field of exactly the size and font of the text it replaces. The field has its own state while
 * typing (input methods and the browser's undo depend on that); the document is notified of every key.
 */
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { linesAt } from "@/domain/transcript/caret";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { combosOf } from "@/domain/transcript/shortcuts";
import { whenIdle } from "@/lib/when-idle";
import { retime } from "@/rules/text";
import { STAMP_EVENT, withStamp } from "../annotations/time-stamp";
import { normalizeText, segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import type { EditedSegment } from "../document/model";
import type { EditorActions } from "./editor-actions";
import { STAMP_COMBO } from "./shortcuts";

/** The initial caret: a UTF-16 offset, the end of the text, or a range to be overwritten. */
export type Caret = number | "end" | { from: number; to: number };

interface SegmentEditorProps {
  document: DocumentStore;
  id: string;
  caret: Caret;
  /** Incremented when the caret must be set again in the same segment. */
  turn: number;
  moves: EditorActions;
  player: PlayerStore;
}

let prepared = false;

/** The first call compiles a rule: done in advance, so that the first save is not delayed. */
function prepareRules(segment: EditedSegment | undefined): void {
  if (segment && !prepared) {
    prepared = true;
    retime(segment, `${segment.text}.`);
  }
}

export function SegmentEditor({ document, id, caret, turn, moves, player }: SegmentEditorProps) {
  const { t } = useTranslation("editor");
  const field = useRef<HTMLTextAreaElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const text = useStore(document, (state) => segmentOf(state, id)?.text ?? "");
  const empty = useStore(document, (state) => state.draft?.id === id && normalizeText(state.draft.text) === "");

  const show = (value: string) => {
    if (field.current && field.current.value !== value) {
      field.current.value = value;
    }
    reflect();
  };

  const reflect = () => {
    if (mirror.current && field.current) {
      // The extra character gives the mirror the same last line as the field.
      mirror.current.textContent = `${field.current.value}\u200B`;
    }
  };

  // Somebody else, or an undo, has changed the text; typed text is not touched.
  useLayoutEffect(() => {
    const { draft } = document.getState();
    const typed = field.current?.value ?? "";
    if (draft?.id === id) {
      show(draft.text);
    } else if (normalizeText(typed) !== text) {
      const at = field.current?.selectionStart ?? 0;
      show(text);
      field.current?.setSelectionRange(at, at);
    } else {
      reflect();
    }
  });

  const place = useEffectEvent(() => {
    const element = field.current;
    if (!element) {
      return;
    }
    element.focus({ preventScroll: true });
    const end = element.value.length;
    if (typeof caret === "object") {
      element.setSelectionRange(caret.from, caret.to);
    } else {
      const at = caret === "end" ? end : Math.min(caret, end);
      element.setSelectionRange(at, at);
    }
    element.scrollIntoView({ block: "nearest" });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is set when the segment or the turn is another one
  useLayoutEffect(() => place(), [id, turn]);

  useEffect(() => () => document.actions.commit(), [document]);
  useEffect(() => whenIdle(() => prepareRules(segmentOf(document.getState(), id))), [document, id]);

  const onInput = () => {
    const element = field.current;
    if (!element) {
      return;
    }
    if (/[\r\n]/.test(element.value)) {
      const at = element.selectionStart;
      element.value = element.value.replace(/\r?\n|\r/g, " ");
      element.setSelectionRange(at, at);
    }
    reflect();
    document.actions.type(id, element.value);
  };

  /** Inserts the player's time at the caret: an edit of its own, with one undo step. */
  const stamp = (): boolean => {
    const element = field.current;
    if (element) {
      document.actions.commit();
      const stamped = withStamp(element.value, element.selectionStart, element.selectionEnd, player.getState().time);
      element.value = stamped.text;
      element.setSelectionRange(stamped.caret, stamped.caret);
      onInput();
      document.actions.commit();
    }
    return true;
  };
  const handleStamp = useEffectEvent(stamp);
  useEffect(() => {
    const listener = () => handleStamp();
    window.addEventListener(STAMP_EVENT, listener);
    return () => window.removeEventListener(STAMP_EVENT, listener);
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const element = event.currentTarget;
    if (event.nativeEvent.isComposing) {
      return;
    }
    const { selectionStart: at, selectionEnd, value } = element;
    const collapsed = at === selectionEnd;
    const step = collapsed && mirror.current && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const digit = event.altKey && !event.ctrlKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined;
    const handled = (() => {
      if (digit !== undefined) {
        return moves.give(id, Number(digit));
      }
      if (combosOf(event).includes(STAMP_COMBO)) {
        return stamp();
      }
      switch (event.key) {
        case "Enter":
          return event.ctrlKey || event.metaKey ? moves.done() : moves.split(id, value, at);
        case "Escape":
          return moves.cancel(id);
        case "Backspace":
          if (event.shiftKey && (event.ctrlKey || event.metaKey)) {
            return moves.remove(id);
          }
          return collapsed && at === 0 && !event.ctrlKey && moves.mergeBefore(id);
        case "Delete":
          return collapsed && at === value.length && !event.ctrlKey && moves.mergeAfter(id);
        case "Tab":
          return !event.shiftKey && !event.ctrlKey && !event.altKey && moves.play(id);
        case "ArrowLeft":
          return step && at === 0 && moves.go(id, -1, "end");
        case "ArrowRight":
          return step && at === value.length && moves.go(id, 1, 0);
        case "ArrowUp":
          return step && mirror.current && linesAt(mirror.current, at).first && moves.go(id, -1, "end");
        case "ArrowDown":
          return step && mirror.current && linesAt(mirror.current, at).last && moves.go(id, 1, 0);
        default:
          return false;
      }
    })();
    if (handled) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  return (
    <div className="min-w-0">
      <div className="segment-editor reading">
        <div ref={mirror} aria-hidden="true" className="segment-editor-mirror" />
        <textarea
          ref={field}
          rows={1}
          defaultValue={text}
          aria-label={t("field.label")}
          aria-describedby="editor-field-keys"
          aria-invalid={empty || undefined}
          data-testid="segment-editor"
          spellCheck
          onInput={onInput}
          onKeyDown={onKeyDown}
          onBlur={() => moves.left(id)}
        />
      </div>
      {/* Below the focus ring, which extends beyond the field. */}
      <p role="status" className="text-sm text-warn not-empty:pt-2.5">
        {empty && t("field.empty")}
      </p>
    </div>
  );
}
