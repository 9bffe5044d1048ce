/** The parts of a text, each at its beginning. */
import { useTranslation } from "react-i18next";
import type { Chapters } from "@/api/analysis";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { formatClock } from "@/lib/format";
import { useAnalysis } from "./analysis-context";

export function ChaptersView({ chapters: { chapters } }: { chapters: Chapters }) {
  const { t } = useTranslation("analysis");
  const { play, workspace } = useAnalysis();
  if (chapters.length === 0) {
    return <p className="text-ink-soft">{t("chapters.empty")}</p>;
  }
  return (
    <ol lang={workspace.language} className="flex flex-col">
      {chapters.map(({ title, summary, start }) => (
        <li key={`${start.segment} ${start.start} ${title}`} className="border-b border-rule last:border-0">
          <button
            type="button"
            onClick={(event) => {
              releaseFocus(event);
              play(start.start);
            }}
            className="-mx-1.5 grid w-[calc(100%+0.75rem)] grid-cols-[3.25rem_minmax(0,1fr)] items-baseline gap-x-3 rounded px-1.5 py-2.5 text-left hover:bg-paper-sunk"
          >
            <span className="figures text-xs text-ink-soft">{formatClock(start.start)}</span>
            <span className="min-w-0 wrap-anywhere">
              <span className="block font-serif text-[1.0625rem] font-strong">{title}</span>
              {summary && <span className="mt-0.5 block text-[0.9375rem] text-ink-soft">{summary}</span>}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
