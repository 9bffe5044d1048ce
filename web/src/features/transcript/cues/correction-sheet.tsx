/** A preview of automatic corrections; applying them is one edit. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Sheet } from "@/components/sheet";
import { WHOLE_ROWS } from "@/domain/transcript/window-rows";
import { useLocale } from "@/hooks/use-locale";
import { toast } from "@/lib/toast";
import type { Corrections, ShownCue } from "@/rules/text";
import type { DocumentStore } from "../document/document-store";
import type { CueText } from "../tabs/cues";
import { correctCues } from "./correct-cues";
import { formatTime } from "./cue-time";

const ROW_PX = 120;
/** Maximum time of one step in ms, so that a frame is not delayed. */
const LOOK_MS = 8;

interface CorrectionSheetProps {
  document: DocumentStore;
  text: CueText;
  onClose: () => void;
}

export function CorrectionSheet({ document, text, onClose }: CorrectionSheetProps) {
  const { t } = useTranslation(["editor", "common"]);
  const { corrections, done } = useCorrections(text);
  const { before, after } = corrections ?? { before: 0, after: 0 };
  const count = corrections?.edits.length ?? 0;
  const apply = () => {
    if (corrections && count > 0) {
      document.actions.edit({ kind: "correct_cues", segments: corrections.edits });
      toast.success(t("cues.correct.done", { count: corrections.changes.length }));
    }
    onClose();
  };
  return (
    <Sheet
      title={t("cues.correct.title")}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t("common:actions.cancel")}
          </Button>
          <Button look="primary" disabled={count === 0} onClick={apply}>
            {t("cues.correct.do")}
          </Button>
        </>
      }
    >
      <p role="status" className="mb-4 text-ink-soft">
        {corrections === null
          ? t("cues.correct.looking")
          : count === 0
            ? t("cues.correct.nothing", { count: before })
            : `${t("cues.correct.before", { count: before })} ${t("cues.correct.after", { count: after })}`}
      </p>
      {corrections === null && (
        <progress value={done} max={1} aria-label={t("cues.correct.looking")} className="h-1.5 w-full accent-accent" />
      )}
      {corrections && count > 0 && <Changes corrections={corrections} text={text} />}
    </Sheet>
  );
}

/** Computed once, after the sheet is shown, step by step, because a long text takes a while. `done` is from 0 to 1. */
function useCorrections(text: CueText): { corrections: Corrections | null; done: number } {
  const [state, setState] = useState<{ corrections: Corrections | null; done: number }>({ corrections: null, done: 0 });
  const [first] = useState(text);
  useEffect(() => {
    const steps = correctCues(first);
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const until = performance.now() + LOOK_MS;
      let step = steps.next();
      while (!step.done && performance.now() < until) {
        step = steps.next();
      }
      if (step.done) {
        setState({ corrections: step.value, done: 1 });
      } else {
        setState({ corrections: null, done: step.value });
        timer = setTimeout(look);
      }
    };
    timer = setTimeout(look, 50);
    return () => clearTimeout(timer);
  }, [first]);
  return state;
}

function Changes({ corrections, text }: { corrections: Corrections; text: CueText }) {
  const { t } = useTranslation("editor");
  const box = useRef<HTMLUListElement>(null);
  const rows = useVirtualizer({
    count: corrections.changes.length,
    // The scrollable part of the sheet.
    getScrollElement: () => box.current?.parentElement ?? null,
    estimateSize: () => ROW_PX,
    // Lists of usual length are rendered completely, for the browser's own search.
    overscan: corrections.changes.length <= WHOLE_ROWS ? WHOLE_ROWS : 6,
    getItemKey: (at) => corrections.changes[at]?.segment ?? at,
  });
  const [positions] = useState(() => new Map(text.segments.map(({ id }, at) => [id, at])));
  return (
    <ul
      ref={box}
      // Nothing in it can be focused, and it may have to be scrolled by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label={t("cues.correct.changes")}
      className="relative outline-offset-4"
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map((item) => {
        const change = corrections.changes[item.index];
        return (
          change && (
            <li
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              data-testid="correction"
              className="absolute top-0 left-0 w-full border-t border-rule py-3"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <p className="mb-1 text-xs text-ink-faint">
                {t("cues.correct.line", { number: (positions.get(change.segment) ?? 0) + 1 })}
              </p>
              <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
                <Side label={t("cues.correct.was")} cues={change.before} />
                <Side label={t("cues.correct.becomes")} cues={change.after} />
              </div>
            </li>
          )
        );
      })}
    </ul>
  );
}

function Side({ label, cues }: { label: string; cues: readonly ShownCue[] }) {
  const locale = useLocale();
  return (
    <div className="min-w-0">
      <p className="kicker mb-1">{label}</p>
      {cues.map((cue) => (
        <div key={cue.start} className="mb-1.5">
          <p className="figures text-xs text-ink-soft">
            {formatTime(cue.start, locale)} – {formatTime(cue.end, locale)}
          </p>
          <p className="font-serif text-[0.9375rem] leading-5 whitespace-pre-line wrap-anywhere">
            {cue.head}
            {cue.lines.join("\n")}
          </p>
        </div>
      ))}
    </div>
  );
}
