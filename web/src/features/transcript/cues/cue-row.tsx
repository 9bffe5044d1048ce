/** A subtitle in the list: its times, text, limits and actions. */
import type { TFunction } from "i18next";
import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, memo, type SyntheticEvent, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { Menu } from "@/components/menu";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { SEGMENT_ATTRIBUTE } from "@/domain/transcript/segment-row";
import { ROW_ATTRIBUTE } from "@/domain/transcript/spoken-word";
import { useDeferred } from "@/domain/transcript/use-deferred";
import { cx } from "@/lib/class-names";
import { formatNumber } from "@/lib/format";
import type { Locale } from "@/lib/i18n";
import { segmentCues } from "@/rules/text";
import { normalizeText } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import { figuresOf, type PlacedCue } from "../tabs/cues";
import type { CueEditor } from "./cue-editor";
import { type CueStore, sameCue } from "./cue-store";
import { formatTime } from "./cue-time";
import { TimeField } from "./time-field";
import { outcomeMessage, type RunTool, ToolItems } from "./tools";

export interface CueRowProps {
  cue: PlacedCue;
  number: string;
  /** Loaded once by the list, because dozens of rows can appear in one frame. */
  t: TFunction<["editor", "transcript"]>;
  locale: Locale;
  /** Its fields and its menu are rendered shortly after its text. */
  late: boolean;
  document: DocumentStore;
  store: CueStore;
  editor: CueEditor;
  run: RunTool;
  editable: boolean;
  onPlay: (seconds: number) => void;
}

export const CueRow = memo(function CueRow(props: CueRowProps) {
  const { cue, number, t, locale, late, store, editor, run, editable, onPlay } = props;
  const isFull = useDeferred(late);
  const [typed, setTyped] = useState<string | null>(null);
  const key = { segment: cue.segment.id, part: cue.part };
  const chosen = useStore(store, (state) => sameCue(state.chosen, key));
  // While typing, the lines are those of the future cue; its times are the current ones.
  const lines = useMemo(() => (typed === null || typed === textOf(cue) ? cue.lines : linesOf(cue, typed)), [typed, cue]);
  const byHand = Boolean(cue.segment.cues?.length);
  const move = (edge: "start" | "end") => (seconds: number) => {
    const problem = editor.move(key, { start: cue.start, end: cue.end, [edge]: seconds });
    return problem && t(`cues.problems.${problem}`);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes which of its fields has the focus
    <div
      data-testid="cue"
      data-chosen={chosen ? "" : undefined}
      {...{ [ROW_ATTRIBUTE]: cueName(cue), [SEGMENT_ATTRIBUTE]: cue.segment.id }}
      onFocus={() => store.choose(key)}
      // On a phone its times are above it, because its lines need the whole width.
      className={cx(
        "heard-row grid gap-x-3 gap-y-1 border-b border-rule py-3 sm:grid-cols-[6rem_minmax(0,1fr)_9rem]",
        chosen && "bg-accent-wash/40",
      )}
    >
      <div className="max-sm:flex max-sm:items-center max-sm:gap-2">
        <button
          type="button"
          aria-label={[number, byHand && t("cues.byHand"), t("transcript:text.segment", { time: formatTime(cue.start, locale) })]
            .filter(Boolean)
            .join(". ")}
          title={byHand ? t("cues.byHand") : undefined}
          onClick={(event) => {
            releaseFocus(event);
            store.choose(key);
            onPlay(cue.start);
          }}
          className="figures min-h-6 min-w-6 rounded px-1 text-left text-xs text-ink-faint hover:bg-accent-wash hover:text-accent-strong pointer-coarse:min-h-9"
        >
          {number}
          {byHand && <span aria-hidden="true"> •</span>}
        </button>
        {editable && isFull ? (
          <>
            <TimeField
              label={t("cues.startOf", { number })}
              seconds={cue.start}
              locale={locale}
              unreadable={t("cues.problems.unreadable")}
              onTime={move("start")}
              className="max-sm:w-20"
            />
            <span className="sm:hidden">–</span>
            <TimeField
              label={t("cues.endOf", { number })}
              seconds={cue.end}
              locale={locale}
              unreadable={t("cues.problems.unreadable")}
              onTime={move("end")}
              className="max-sm:w-20"
            />
          </>
        ) : (
          // As high as the fields that replace it.
          <p className="figures px-1 text-xs leading-7 text-ink-soft pointer-coarse:leading-9">
            {formatTime(cue.start, locale)}
            <br className="max-sm:hidden" />
            <span className="sm:hidden"> – </span>
            {formatTime(cue.end, locale)}
          </p>
        )}
      </div>
      <div lang={cue.segment.language ?? undefined} className="min-w-0">
        {editable && isFull ? (
          <CueText {...props} typed={typed} setTyped={setTyped} rows={Math.max(2, lines.length)} />
        ) : (
          <p
            className={cx(
              "text-center font-serif leading-6 whitespace-pre-line",
              editable && "min-h-14.5 rounded border border-transparent bg-paper-raised px-2 py-1 max-sm:px-1",
            )}
          >
            {cue.lines.join("\n")}
          </p>
        )}
      </div>
      <div className="flex items-start justify-between gap-1 max-sm:items-center">
        <Figures cue={cue} lines={lines} t={t} locale={locale} />
        {editable && (
          <div className="size-8 shrink-0 pointer-coarse:size-11">
            {isFull && (
              <Menu
                trigger={
                  <button
                    type="button"
                    aria-label={t("cues.actions", { number })}
                    className="inline-flex size-8 items-center justify-center rounded text-ink-soft hover:bg-paper-sunk hover:text-ink pointer-coarse:size-11"
                  >
                    <Ellipsis aria-hidden="true" className="size-4.5" />
                  </button>
                }
              >
                <ToolItems cue={cue} run={run} />
              </Menu>
            )}
          </div>
        )}
      </div>
    </div>
  );
});

interface CueTextProps extends CueRowProps {
  typed: string | null;
  setTyped: (text: string | null) => void;
  rows: number;
}

function CueText({ cue, number, t, document, store, editor, typed, setTyped, rows }: CueTextProps) {
  const { segment } = cue;
  const text = textOf(cue);
  /** The text of the line around the field: saving while typing may place the line's cues differently. */
  const around = useRef({ before: "", after: "" });
  const fullText = (own: string) => `${around.current.before}${own}${around.current.after}`;
  /** Whether its line contains other text, too. */
  const isEmptied = (own: string) => own.trim() === "" && fullText("").trim() !== "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the line has changed: by undo, or by another author
  useEffect(() => {
    if (typed !== null && document.getState().draft?.id !== segment.id && normalizeText(fullText(typed)) !== segment.text) {
      around.current = aroundOf(cue);
      setTyped(text);
    }
  }, [segment.text]);

  const keepCaret = (event: SyntheticEvent<HTMLTextAreaElement>) => {
    if (typed !== null) {
      store.setState({ caret: around.current.before.length + event.currentTarget.selectionStart });
    }
  };
  const onInput = (value: string) => {
    const flat = value.replace(/\s*\n\s*/g, " ");
    setTyped(flat);
    if (isEmptied(flat)) {
      // If it were saved now, it would be gone before new text replaces it.
      document.actions.cancel(segment.id);
    } else {
      document.actions.type(segment.id, fullText(flat));
    }
  };
  const onBlur = () => {
    if (typed !== null && fullText(typed).trim() === "") {
      document.actions.cancel(segment.id);
    } else if (typed !== null && isEmptied(typed)) {
      document.actions.type(segment.id, fullText(typed));
    }
    document.actions.commit();
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const field = event.currentTarget;
    if (event.key === "Escape") {
      document.actions.cancel(segment.id);
      setTyped(null);
      field.blur();
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const letter = around.current.before.length + field.selectionStart;
      const act = event.altKey ? editor.split : event.shiftKey ? editor.breakAt : null;
      // The formatted lines are shown when the user is not typing.
      field.blur();
      if (act) {
        const doneKey = event.altKey ? "cues.done.split" : "cues.done.breakLine";
        store.setState({ announcement: t(outcomeMessage(act(segment.id, letter), doneKey, "cues.notHere")) });
      }
    }
  };
  return (
    <textarea
      aria-label={t("subtitles.text", { number })}
      data-steps=""
      value={typed ?? cue.lines.join("\n")}
      rows={rows}
      onFocus={() => {
        around.current = aroundOf(cue);
        setTyped(text);
      }}
      onSelect={keepCaret}
      onChange={(event) => onInput(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      // Lines too long for the screen wrap, and the field grows.
      className="field-sizing-content block min-h-14.5 w-full resize-none rounded border border-transparent bg-paper-raised px-2 py-1 text-center font-serif leading-6 hover:border-edge focus:border-edge max-sm:px-1"
    />
  );
}

/** The cue's text. */
const textOf = ({ segment, from, to }: PlacedCue): string => segment.text.slice(from, to).trim();

const aroundOf = ({ segment, from, to }: PlacedCue) => ({ before: segment.text.slice(0, from), after: segment.text.slice(to) });

interface FiguresProps extends Pick<CueRowProps, "cue" | "t" | "locale"> {
  lines: readonly string[];
}

function Figures({ cue, lines, t, locale }: FiguresProps) {
  const figures = figuresOf(lines, cue.end - cue.start, cue.head);
  return (
    <p className="text-xs leading-5">
      <span className={cx("figures block max-sm:inline", figures.tooFast ? "font-strong text-bad" : "text-ink-soft")}>
        {t(figures.tooFast ? "subtitles.tooFast" : "subtitles.speed", { speed: formatNumber(figures.speed, locale, 1) })}
      </span>
      <span className="max-sm:px-1 sm:hidden">·</span>
      <span
        className={cx(
          "figures block max-sm:inline",
          figures.tooWide || figures.tooTall ? "font-strong text-bad" : "text-ink-soft",
        )}
      >
        {t(figures.tooWide ? "subtitles.tooWide" : figures.tooTall ? "subtitles.tooTall" : "subtitles.columns", {
          columns: figures.columns.join(" / "),
        })}
      </span>
    </p>
  );
}

/** The row key of a cue; null without a cue. */
export const cueName = (cue: PlacedCue | undefined): string | null => (cue ? `${cue.segment.id}/${cue.part}` : null);

/** The lines of the typed text in its cue. */
const linesOf = (cue: PlacedCue, text: string): string[] =>
  segmentCues(
    [{ ...cue.segment, text: text.trim() || " ", words: [], cues: [], start: cue.start, end: cue.end }],
    [],
    false,
    // The speaker's name is not part of the typed text.
    cue.segment.speaker ?? undefined,
  ).flatMap(({ lines }) => lines);
