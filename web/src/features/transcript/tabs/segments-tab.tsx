// biome-ignore-all lint/a11y/useSemanticElements: rows that are put on the page as one scrolls are no table elements
// biome-ignore-all lint/a11y/useFocusableInteractive: a row of this table does nothing itself; its buttons do
/** Every segment with its number, times, speaker, text and confidence. */
import type { TFunction } from "i18next";
import { ArrowDown, ArrowUp, ArrowUpDown, Trash2 } from "lucide-react";
import { memo, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { renderWordsNow } from "@/domain/transcript/deferred-words";
import { LanguageMark } from "@/domain/transcript/language-mark";
import { langOf, languagesOf, newLanguage } from "@/domain/transcript/languages";
import { rowName } from "@/domain/transcript/model";
import { COVER_ATTRIBUTE } from "@/domain/transcript/page-scroll";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { namesOf, speakerSign } from "@/domain/transcript/speakers";
import { ROW_ATTRIBUTE } from "@/domain/transcript/spoken-word";
import { timelineOf } from "@/domain/transcript/timeline";
import { useDeferred } from "@/domain/transcript/use-deferred";
import { useRowAt } from "@/domain/transcript/use-row-at";
import { useSpokenPlace } from "@/domain/transcript/use-spoken-place";
import { WHOLE_ROWS, WindowRows, type WindowRowsHandle } from "@/domain/transcript/window-rows";
import { LOW_CONFIDENCE } from "@/domain/transcript/word-layout";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatClock, formatNumber, formatPercent } from "@/lib/format";
import type { Locale } from "@/lib/i18n";
import type { DocumentStore } from "../document/document-store";
import type { EditedSegment } from "../document/model";
import { SpeakerMenu } from "../speakers/speaker-menu";
import type { Workspace } from "../workspace";
import { confidenceOf, type Order, ordered } from "./order";

const COLUMNS = "grid grid-cols-[2.5rem_minmax(0,1fr)_4.5rem] gap-x-3 sm:gap-x-4";
const READ_COLUMNS = "sm:grid-cols-[2.75rem_4.25rem_7.5rem_minmax(0,1fr)_4.75rem]";
/** With the column for the bin. */
const EDIT_COLUMNS = "sm:grid-cols-[2.75rem_4.25rem_7.5rem_minmax(0,1fr)_4.75rem_2rem]";
const columnsOf = (editable: boolean) => cx(COLUMNS, editable ? EDIT_COLUMNS : READ_COLUMNS);
const LETTERS_A_LINE = 46;
const LINE_PX = 24;
const FRAME_PX = 18;
const NEXT: Record<Order, Order> = { time: "unsure-first", "unsure-first": "sure-first", "sure-first": "time" };

export function SegmentsTab({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation(["editor", "transcript"]);
  const locale = useLocale();
  const { document, player, language, editable, moves } = workspace;
  const segments = useStore(document, (state) => state.segments);
  const speakers = useStore(document, (state) => state.speakers);
  const names = useMemo(() => namesOf(speakers), [speakers]);
  const [order, setOrder] = useState<Order>("time");
  const confidences = useMemo(() => segments.map(confidenceOf), [segments]);
  const positions = useMemo(() => ordered(confidences, order), [confidences, order]);
  const [play] = useState(() => (seconds: number) => player.getState().playFrom(seconds));
  const Sign = order === "time" ? ArrowUpDown : order === "unsure-first" ? ArrowUp : ArrowDown;
  const at = (row: number) => positions[row] ?? row;
  const above = (row: number) => (row > 0 ? segments[at(row - 1)] : undefined);
  const several = useMemo(() => languagesOf(segments, language).length > 1, [segments, language]);
  const container = useRef<HTMLDivElement>(null);
  const rows = useRef<WindowRowsHandle>(null);
  const bringIn = useCallback((segment: number) => rows.current?.scrollToRow(positions.indexOf(segment)), [positions]);
  const rowAt = useRowAt(segments);
  const refresh = useSpokenPlace({ container, timeline: timelineOf(segments), player, bringIn, rowAt });
  return (
    <>
      <h3 className="sr-only">{t("tabs.segments")}</h3>
      <div role="table" aria-label={t("tabs.segments")} aria-rowcount={segments.length + 1}>
        <div
          role="rowgroup"
          {...{ [COVER_ATTRIBUTE]: "" }}
          className="sticky top-[calc(var(--header-height)+var(--control)+0.75rem)] z-[5] max-sm:top-[calc(var(--header-height)+2.875rem)] border-b border-rule-strong bg-paper"
        >
          <div role="row" aria-rowindex={1} className={cx(columnsOf(editable), "py-2 text-xs font-strong text-ink-soft")}>
            <span role="columnheader">{t("segments.number")}</span>
            <span role="columnheader" className="max-sm:sr-only">
              {t("segments.time")}
            </span>
            <span role="columnheader" className="max-sm:sr-only">
              {t("segments.speaker")}
            </span>
            <span role="columnheader">{t("segments.text")}</span>
            <span
              role="columnheader"
              aria-sort={order === "time" ? "none" : order === "unsure-first" ? "ascending" : "descending"}
            >
              <button
                type="button"
                onClick={() => setOrder(NEXT[order])}
                aria-label={t("segments.sort")}
                title={t("segments.sort")}
                className="inline-flex items-center gap-1 rounded hover:text-ink"
              >
                {t("segments.confidence")}
                <Sign aria-hidden="true" className="size-3.5" />
              </button>
            </span>
            {editable && (
              <span role="columnheader" className="sr-only">
                {t("bin.actions")}
              </span>
            )}
          </div>
        </div>
        <div ref={container} lang={language} data-testid="segments" onPointerDown={renderWordsNow}>
          <WindowRows
            ref={rows}
            role="rowgroup"
            order={positions}
            count={positions.length}
            estimate={(row) => Math.ceil((segments[at(row)]?.text.length ?? 0) / LETTERS_A_LINE) * LINE_PX + FRAME_PX}
            keyOf={(row) => segments[at(row)]?.id ?? row}
            onRendered={refresh}
            row={(row) => {
              const segment = segments[at(row)];
              return (
                segment && (
                  <Row
                    segment={segment}
                    lang={langOf(segment, language)}
                    // Compared with the row above, in whatever order.
                    newLanguage={several ? newLanguage(above(row), segment, language) : undefined}
                    number={at(row) + 1}
                    name={segment.speaker == null ? null : (names.get(segment.speaker) ?? speakerSign(segment.speaker))}
                    confidence={confidences[at(row)] ?? null}
                    t={t}
                    locale={locale}
                    late={positions.length > WHOLE_ROWS}
                    document={document}
                    editable={editable}
                    onPlay={play}
                    onRemove={moves.remove}
                  />
                )
              );
            }}
          />
        </div>
      </div>
    </>
  );
}

interface RowProps {
  segment: EditedSegment;
  /** Language of its text, if it is another than that of the whole text. */
  lang: string | undefined;
  /** The language, if the row above has another one. */
  newLanguage: string | undefined;
  number: number;
  name: string | null;
  confidence: number | null;
  /** Loaded once by the table, because dozens of rows can appear in one frame. */
  t: TFunction<["editor", "transcript"]>;
  locale: Locale;
  /** Its menu is rendered shortly after its text. */
  late: boolean;
  document: DocumentStore;
  editable: boolean;
  onPlay: (seconds: number) => void;
  onRemove: (id: string) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { segment, lang, newLanguage, number, name, confidence, t, locale, late, document, editable, onPlay, onRemove } = props;
  const isFull = useDeferred(late);
  const speaker =
    segment.speaker == null || name === null ? (
      <span className="text-sm text-ink-faint">{t("speakers.nobody")}</span>
    ) : (
      <SpeakerLabel id={segment.speaker} name={name} wrap className="max-w-full" />
    );
  return (
    <div
      role="row"
      aria-rowindex={number + 1}
      {...{ [ROW_ATTRIBUTE]: rowName(segment) }}
      className={cx(columnsOf(editable), "heard-row border-b border-rule py-2")}
    >
      <span role="cell" className="figures text-xs leading-6 text-ink-faint">
        {formatNumber(number, locale)}
      </span>
      <span role="cell" className="max-sm:col-start-2 max-sm:row-start-2">
        <button
          type="button"
          onClick={(event) => {
            releaseFocus(event);
            onPlay(segment.start);
          }}
          aria-label={`${t("transcript:text.segment", { time: formatClock(segment.start) })} – ${formatClock(segment.end)}`}
          className="figures -ml-1 rounded px-1 text-left text-xs leading-6 text-ink-soft hover:bg-accent-wash hover:text-accent-strong"
        >
          {formatClock(segment.start)}
          <span className="text-ink-faint sm:-mt-1.5 sm:block sm:leading-4"> – {formatClock(segment.end)}</span>
        </button>
      </span>
      <span role="cell" className="min-w-0 max-sm:col-start-2 max-sm:row-start-3">
        {editable && isFull ? (
          <SpeakerMenu
            document={document}
            segmentId={segment.id}
            scope="line"
            trigger={
              <button
                type="button"
                aria-label={t("speakers.menu", { speaker: name ?? t("speakers.nobody") })}
                className="-mx-1.5 max-w-full rounded px-1.5 text-left hover:bg-paper-sunk"
              >
                {speaker}
              </button>
            }
          />
        ) : (
          speaker
        )}
      </span>
      <span role="cell" className="min-w-0 font-serif leading-6 [overflow-wrap:anywhere] max-sm:col-start-2 max-sm:row-start-1">
        {newLanguage !== undefined && (
          <span className="block">
            <LanguageMark code={newLanguage} />
          </span>
        )}
        <span lang={lang}>{segment.text}</span>
      </span>
      <span
        role="cell"
        className={cx(
          "figures text-right text-xs leading-6 max-sm:col-start-3 max-sm:row-start-1",
          confidence !== null && confidence < LOW_CONFIDENCE ? "text-warn" : "text-ink-soft",
        )}
      >
        {confidence === null ? "—" : formatPercent(confidence * 100, locale)}
      </span>
      {editable && (
        <span role="cell" className="-my-1 justify-self-end max-sm:col-start-3 max-sm:row-start-2">
          {isFull && (
            <BinButton label={t("bin.removeOf", { time: formatClock(segment.start) })} onClick={() => onRemove(segment.id)} />
          )}
        </span>
      )}
    </div>
  );
});

/** The focus moves to the bin button of the next line. */
function BinButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      data-bin
      aria-label={label}
      title={label}
      onClick={({ currentTarget }) => {
        const all = [...(currentTarget.closest("[role=table]")?.querySelectorAll<HTMLElement>("[data-bin]") ?? [])];
        const at = all.indexOf(currentTarget);
        (all[at + 1] ?? all[at - 1])?.focus({ preventScroll: true });
        onClick();
      }}
      className="inline-flex size-8 items-center justify-center rounded text-ink-faint hover:bg-paper-sunk hover:text-ink pointer-coarse:size-11"
    >
      <Trash2 aria-hidden="true" className="size-4" />
    </button>
  );
}
